import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { context, preformatted } from '../../report/blocks.ts';
import { clean, clip, code } from '../../report/escape.ts';
import { failureLine } from '../../report/failure.ts';
import { lower } from '../../report/phase-words.ts';
import { runTailLine } from '../../report/terminal.ts';
import { logsLine, stateWords } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import { isEnd } from '../../run/run.ts';
import type { Call } from '../call.ts';
import { type AnyRun, findAnyRun } from '../find-run.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { onlyHistory } from '../past-answer.ts';
import { inChannel, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

/** What a preformatted block may hold, with room for its limit. */
const MOST = 2400;

/** The name of the button that has the log posted as a file; its value is the run's id and the trigger that it posts by: clicked twice it is one file. */
export const LOG_FILE_ACTION = 'log_file';

/** What is true when Redis doesn't answer. */
export const NO_LOG = "Redis does not answer: the log can't be shown now. Try again in a minute.";

export function defineLogs(kind: Kind): Command {
  return defineCommand({
    name: 'logs',
    alsoCalled: ['tail', 'cat', 'output', 'print'],
    group: 'Look',
    summary: `Show the last lines of a ${KINDS[kind].one}, to you alone`,
    usage: 'logs RUN [--file]',
    example: ['logs', 'RUN', '--file'],
    notes: ['Secrets are masked.', 'The answer names the ssh line that follows the log in a terminal.'],
    right: 'see',
    whenClosed: NO_LOG,
    options: { file: { value: null, summary: "Post the log's end as a file in the run's thread, for all" } },
    args: () => z.object({ run: runWord(), file: z.boolean() }),
    run: async ({ run, file }, call) => {
      const found = await findAnyRun(call, run, { kind, right: 'see', verb: 'logs' });
      return file ? fileOf(call, found, call.from.trigger) : lastOf(call, found);
    },
  });
}

/** The last lines, with a button that posts more of them for all. */
export async function lastOf(call: Call, found: AnyRun): Promise<Message> {
  if ('past' in found) throw onlyHistory(found.past, NOT_KEPT, call.config);
  const { run, root } = found;
  const { id, name } = run.request;
  const lines = lastLines(await call.desk.tail(id));
  const terminal = runTailLine(call.config, run);
  const follow = terminal === null ? [] : [context([code(terminal, 1000)])];
  // The cause stands far above the last lines, which are mostly other processes' complaints about it.
  const why = run.failure === null ? '' : `${stateWords(run)}: ${failureLine(run.failure, run)}\n`;
  if (lines.length === 0)
    return say(`${why}${code(name)} has no log line${isEnd(run.phase) ? '' : ' yet'}.`, ...follow);
  const count = lines.length === 1 ? 'The last line' : `The last ${lines.length} lines`;
  const post = root === null ? [] : [fileButton(`${id} ${call.from.trigger}`)];
  return say(`${why}${count} of ${code(name)}:`, preformatted(lines.join('\n')), ...follow, ...post);
}

const NOT_KEPT = 'Its log is not kept here any more.';

/** Asks for the log's end as a file in the thread, once however often Slack brings the request, and says what comes of it. */
export async function fileOf(call: Call, found: AnyRun, trigger: string): Promise<Message> {
  if ('past' in found) throw onlyHistory(found.past, `Nothing was posted: ${lower(NOT_KEPT)}`, call.config);
  const { run, root } = found;
  const { id, name } = run.request;
  const asked = await call.desk.shareLog(id, call.from.user, trigger);
  const where = root === null ? 'its thread' : `its thread ${inChannel(root.channel)}`;
  switch (asked) {
    case 'asked':
      return say(`The end of the log of ${code(name)} is being posted as a file in ${where}, for all to see.`);
    case 'before':
      return say(`The log of ${code(name)} was asked for already: it is posted as a file in ${where}.`);
    case 'nothing':
      return say(`Nothing was posted: ${code(name)} ${whyNone(found)}`);
    default:
      return asked satisfies never;
  }
}

/** mrkdwn. */
function whyNone({ run, root }: RunSummary): string {
  if (root !== null) return `has no log, since its process ${isEnd(run.phase) ? 'never' : 'has not'} started.`;
  return `has no thread yet. ${code(logsLine(run))} shows its last lines to you alone.`;
}

function fileButton(value: string): KnownBlock {
  const text = { type: 'plain_text', text: 'Post it in the thread' } as const;
  return { type: 'actions', elements: [{ type: 'button', action_id: LOG_FILE_ACTION, value, text }] };
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
