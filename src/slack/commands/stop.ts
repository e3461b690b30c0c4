import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Pid } from '../../host/process.ts';
import { listed } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { lower } from '../../report/phase-words.ts';
import { stateWords } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import { isFound } from '../../run/request.ts';
import { isEnd, type Run } from '../../run/run.ts';
import type { Call } from '../call.ts';
import { findRun } from '../find-run.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { inChannel, nameOf, say } from '../say.ts';
import { confirmation, processesOf } from '../stop-list.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

/** What is true when Redis doesn't answer. */
export const NOT_STOPPED = 'Not accepted: Redis does not answer, nothing was stopped.';

export function defineStop(kind: Kind): Command {
  return defineCommand({
    name: 'stop',
    alsoCalled: ['kill', 'end', 'terminate', 'cancel', 'abort', 'down', 'shutdown', 'quit', 'delete', 'rm'],
    group: 'End',
    summary: `End a ${KINDS[kind].one} and prove that it is gone`,
    usage: 'stop RUN',
    example: ['stop', 'RUN'],
    notes: [
      'The whole process tree ends; the thread shows what proves it.',
      'Of one that somebody started by hand it first shows the processes, and ends exactly those that you confirm.',
    ],
    right: 'stop',
    whenClosed: NOT_STOPPED,
    args: () => z.object({ run: runWord() }),
    run: async ({ run }, call) => {
      const summary = await findRun(call, run, { kind, right: 'stop', verb: 'stop' });
      return stopRun(call, summary, call.from.user);
    },
  });
}

/** Asks for the stop and says what came of it; who asks must be allowed to. Of what somebody started by hand it shows first what would be ended. */
export async function stopRun(call: Call, summary: RunSummary, user: string): Promise<Message> {
  const { run } = summary;
  if (isFound(run) && !isEnd(run.phase) && run.stopBy === null)
    return confirmation(run, await processesOf(call, run), false);
  return told(call, summary, await call.desk.stop(run.request.id, user));
}

/** Likewise of what somebody started by hand, when exactly these processes have been confirmed. */
export async function stopFound(call: Call, summary: RunSummary, processes: readonly Pid[]): Promise<Message> {
  const confirmed = processes.map(({ pid, start }) => ({ pid, start }));
  return told(call, summary, await call.desk.stopFound(summary.run.request.id, call.from.user, confirmed));
}

/** What a stop left is told again, with what ends it. */
function ended(what: string, run: Run): Message {
  const state = escapeText(lower(stateWords(run)));
  if (run.stop === null || (run.stop.isGone ?? run.stop.proven))
    return say(`${what} has ended already (${state}): there is nothing to stop.`);
  return say(`${what} was stopped already (${state}), and Vigil can't do more:`, listed(run.stop.evidence.slice(0, 5)));
}

async function told(call: Call, { run, root }: RunSummary, asked: 'asked' | 'before' | 'ended'): Promise<Message> {
  const { id, name, recipe, host } = run.request;
  const what = `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*)`;
  const where = root === null ? 'Its thread' : `Its thread ${inChannel(root.channel)}`;
  switch (asked) {
    case 'asked':
      return say(`Stopping ${what}. ${where} tells when it is proved gone.`);
    case 'before': {
      const now = run.stopBy === null ? await call.desk.run(id) : { run };
      const stopper = now?.run.stopBy ?? null;
      const by = stopper === null ? 'somebody' : await nameOf(call, stopper);
      return say(`${what} is being stopped already, asked by ${by}. ${where} tells when it is proved gone.`);
    }
    case 'ended':
      return ended(what, run);
    default:
      return asked satisfies never;
  }
}
