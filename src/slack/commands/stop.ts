import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { code, escapeText } from '../../report/escape.ts';
import { lower } from '../../report/phase-words.ts';
import { stateWords } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import type { Found, Request } from '../../run/request.ts';
import { isEnd } from '../../run/run.ts';
import type { Edge } from '../call.ts';
import { findRun } from '../find-run.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { Refused } from '../refusals.ts';
import { nameOf, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

/** What is true when Redis doesn't answer. */
export const NOT_STOPPED = 'Not accepted: Redis does not answer, nothing was stopped.';

const NOTES: Readonly<Record<Kind, readonly string[]>> = {
  serve: [],
  train: ['One that somebody started by hand is not ended: Vigil ends only what it launched.'],
};

export function defineStop(kind: Kind): Command {
  return defineCommand({
    name: 'stop',
    summary: `End a ${KINDS[kind].one} and prove that it is gone`,
    usage: 'stop RUN',
    notes: ['The whole process tree ends; the thread shows what proves it.', ...NOTES[kind]],
    right: 'stop',
    whenClosed: NOT_STOPPED,
    args: () => z.object({ run: runWord() }),
    run: async ({ run }, call) => {
      const summary = await findRun(call, run, { kind, right: 'stop', verb: 'stop' });
      return stopRun(call, summary, call.from.user);
    },
  });
}

/** Asks for the stop and says what came of it; who asks must be allowed to. What somebody started by hand is refused. */
export async function stopRun(edge: Edge, { run, root }: RunSummary, user: string): Promise<Message> {
  const { id, name, recipe, host } = run.request;
  const found = run.request.kind === 'train' ? run.request.found : null;
  if (found !== null && !isEnd(run.phase)) throw new Refused('found', byHand(run.request, found));
  const what = `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*)`;
  const where = root === null ? 'Its thread' : `Its thread in <#${root.channel}>`;
  switch (await edge.desk.stop(id, user)) {
    case 'asked':
      return say(`Stopping ${what}. ${where} tells when it is proved gone.`);
    case 'before': {
      const now = run.stopBy === null ? await edge.desk.run(id) : { run };
      const stopper = now?.run.stopBy ?? null;
      const by = stopper === null ? 'somebody' : await nameOf(edge, stopper);
      return say(`${what} is being stopped already, asked by ${by}. ${where} tells when it is proved gone.`);
    }
    case 'ended':
      return say(`${what} has ended already (${escapeText(lower(stateWords(run)))}): there is nothing to stop.`);
  }
}

/** Why it goes on, and how a person ends it: a signal to the script alone would leave its ranks on the GPUs. */
function byHand({ name, host, log }: Request, { process }: Found): string {
  const why = `Refused: ${name} was started by hand on ${host}, and Vigil ends only what it launched.`;
  if (process === null) {
    const writer =
      log === null ? 'Look there for what writes its log' : `\`fuser -v ${log}\` there tells who writes its log`;
    return `${why} Its process could not be seen. ${writer}; end that by Ctrl-C in its terminal or by \`kill\`.`;
  }
  const { pid, group, user } = process;
  const whose = user === null ? '' : ` of ${user}`;
  return `${why} It is process ${pid}${whose}: end it there by Ctrl-C in its terminal, or by what Ctrl-C does: \`kill -INT -- -${group}\` (all of its process group, so that ranks save their checkpoint).`;
}
