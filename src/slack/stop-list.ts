/** What a stop of something that was started by hand would end, shown to whoever asks for it: only what they confirm is ended. */

import { createHash } from 'node:crypto';
import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { UsageError } from '../errors.ts';
import type { ListedProcess } from '../questions.ts';
import { context, message, section } from '../report/blocks.ts';
import { clip, code, escapeText } from '../report/escape.ts';
import { time } from '../report/words.ts';
import type { Request } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { askHost } from './ask.ts';
import type { Call } from './call.ts';
import { Refused } from './refusals.ts';

/** The button's name; its value is the run's id and what stands for the list. */
export const STOP_FOUND_ACTION = 'stop_found';

/** Rows that a person can be expected to read, and characters that one message can hold beside its frame. */
const MOST_ROWS = 40;
const MOST_TEXT = 9000;
const MOST_SECTION = 2500;

/** The list as it is now. Throws UsageError where the host can't be asked, or nothing can be seen. */
export async function processesOf(call: Call, { request }: Run): Promise<readonly ListedProcess[]> {
  const answer = await askHost(call, { kind: 'processes', host: request.host, run: request.id });
  if (answer.kind === 'failed') throw new UsageError(`${answer.reason} Nothing was ended.`);
  if (answer.told.length === 0) throw new Refused('found', unseen(request));
  return answer.told;
}

/** Stands for exactly these processes: another pid, or another process with the same pid, makes another one. */
export function digestOf(processes: readonly ListedProcess[]): string {
  const pids = processes.map(({ pid, start }) => `${pid}:${start}`).sort();
  return createHash('sha256').update(pids.join(' ')).digest('hex').slice(0, 16);
}

/** Shows the list with its button. `isChanged`: another list was shown before. Throws UsageError for a list that nobody could check. */
export function confirmation({ request }: Run, processes: readonly ListedProcess[], isChanged: boolean): Message {
  const rows = rowsOf(processes);
  const text = rows.join('\n');
  if (rows.length > MOST_ROWS || text.length > MOST_TEXT)
    throw new Refused('found', tooMany(request, processes.length));
  const { id, name, recipe, host } = request;
  const what = `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*)`;
  const head = isChanged
    ? `*Nothing was ended*: the processes of ${what} have changed since the list that you confirmed. This is the list now:`
    : `${what} was started by hand. To stop it, confirm what is ended: exactly ${counted(processes.length)}, nothing else.`;
  return message(head, [section(head), ...sections(rows), context([how(request)]), button(id, processes)]);
}

/** Those that differ in nothing but their number stand in one row. */
function rowsOf(processes: readonly ListedProcess[]): readonly string[] {
  const alike = new Map<string, ListedProcess[]>();
  for (const one of processes) {
    const key = `${one.user} ${one.command}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].map((group) => {
    const pids = `${group.length === 1 ? 'pid' : 'pids'} ${group.map(({ pid }) => pid).join(', ')}`;
    const [first] = group;
    const since = first?.since == null ? [] : [`since ${time(first.since)}`];
    const user = first?.user == null ? [] : [`of ${escapeText(first.user)}`];
    return `• ${[pids, ...user, ...since].join(' ')}: ${code(first?.command ?? '', 120)}`;
  });
}

function sections(rows: readonly string[]): readonly KnownBlock[] {
  const texts: string[] = [];
  for (const row of rows) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + row.length < MOST_SECTION) texts.splice(-1, 1, `${last}\n${row}`);
    else texts.push(row);
  }
  return texts.map(section);
}

function how({ kind, stopGrace }: Request): string {
  const first = kind === 'serve' ? 'The server itself is asked to end (TERM)' : 'All of them are asked to end (TERM)';
  return `${first}; what is left of the list after ${stopGrace} s is ended by force. A process that starts later is on no list and left alone.`;
}

function button(id: string, processes: readonly ListedProcess[]): KnownBlock {
  const text = clip(`End ${counted(processes.length)}`, 75);
  const value = `${id} ${digestOf(processes)}`;
  return {
    type: 'actions',
    elements: [
      {
        ...{ type: 'button', action_id: STOP_FOUND_ACTION, value, style: 'danger' },
        text: { type: 'plain_text', text },
      },
    ],
  };
}

function counted(number: number): string {
  return number === 1 ? 'this process' : `these ${number} processes`;
}

/** How a person ends it: a signal to a script alone would leave its ranks on the GPUs. */
function unseen({ name, host, log }: Request): string {
  const writer =
    log === null ? 'Look there for what writes its log' : `\`fuser -v ${log}\` there tells who writes its log`;
  return `Refused: ${name} was started by hand on ${host}, and no process of it can be seen, so there is none to confirm. ${writer}; end that by Ctrl-C in its terminal or by \`kill\`.`;
}

function tooMany({ name, host, found }: Request, number: number): string {
  const group = found?.process?.group;
  const way = group === undefined || group < 2 ? '' : ` or by \`kill -INT -- -${group}\``;
  return `Refused: ${name} was started by hand on ${host} and has ${number} processes, too many to be confirmed one by one. End it there by Ctrl-C in its terminal${way}.`;
}
