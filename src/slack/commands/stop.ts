import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { code, escapeText } from '../../report/escape.ts';
import { lower, stateWords } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import type { Edge } from '../call.ts';
import { findRun } from '../find-run.ts';
import { nameOf, say } from '../say.ts';
import { defineCommand, runWord } from './define.ts';

export const stop = defineCommand({
  name: 'stop',
  summary: 'End a run and prove that it is gone',
  usage: 'stop RUN',
  notes: ['The whole process tree ends; the thread shows what proves it.'],
  right: 'stop',
  whenClosed: 'Not accepted: Redis does not answer, nothing was stopped.',
  args: () => z.object({ run: runWord() }),
  run: async ({ run }, call) => {
    const summary = await findRun(call, 'stop', run);
    return stopRun(call, summary, call.from.user);
  },
});

/** Asks for the stop and says what came of it; who asks must be allowed to. */
export async function stopRun(edge: Edge, { run, root }: RunSummary, user: string): Promise<Message> {
  const { id, name, recipe, host } = run.request;
  const what = `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*)`;
  const where = root === null ? 'Its thread' : `Its thread in <#${root.channel}>`;
  switch (await edge.desk.stop(id, user)) {
    case 'asked':
      return say(`Stopping ${what}. ${where} tells when it is proved gone.`);
    case 'before': {
      const by = run.stopBy === null ? 'somebody' : await nameOf(edge, run.stopBy);
      return say(`${what} is being stopped already, asked by ${by}. ${where} tells when it is proved gone.`);
    }
    case 'ended':
      return say(`${what} has ended already (${escapeText(lower(stateWords(run)))}): there is nothing to stop.`);
  }
}
