import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { context, preformatted } from '../../report/blocks.ts';
import { clean, clip, code } from '../../report/escape.ts';
import { failureLine } from '../../report/failure.ts';
import { runTailLine } from '../../report/terminal.ts';
import { stateWords } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import { isEnd } from '../../run/run.ts';
import type { Call } from '../call.ts';
import { findRun } from '../find-run.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

/** What a preformatted block may hold, with room for its limit. */
const MOST = 2400;

export function defineLogs(kind: Kind): Command {
  return defineCommand({
    name: 'logs',
    summary: `Show the last lines of a ${KINDS[kind].one}, to you alone`,
    usage: 'logs RUN',
    notes: ['Secrets are masked.', 'The answer names the ssh line that follows the log in a terminal.'],
    right: 'see',
    whenClosed: "Redis does not answer: the log can't be shown now. Try again in a minute.",
    args: () => z.object({ run: runWord() }),
    run: async ({ run }, call) => lastOf(call, await findRun(call, run, { kind, right: 'see', verb: 'logs' })),
  });
}

async function lastOf(call: Call, { run }: RunSummary): Promise<Message> {
  const { id, name } = run.request;
  const lines = lastLines(await call.desk.tail(id));
  const terminal = runTailLine(call.config, run);
  const follow = terminal === null ? [] : [context([code(terminal, 1000)])];
  // The cause stands far above the last lines, which are mostly other processes' complaints about it.
  const why = run.failure === null ? '' : `${stateWords(run)}: ${failureLine(run.failure, run)}\n`;
  if (lines.length === 0)
    return say(`${why}${code(name)} has no log line${isEnd(run.phase) ? '' : ' yet'}.`, ...follow);
  const count = lines.length === 1 ? 'The last line' : `The last ${lines.length} lines`;
  return say(`${why}${count} of ${code(name)}:`, preformatted(lines.join('\n')), ...follow);
}

/** As many of the last lines as fit. */
function lastLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines.toReversed()) {
    const shown = clip(clean(line), 1000);
    size += shown.length + 1;
    if (size > MOST) break;
    kept.unshift(shown);
  }
  return kept;
}
