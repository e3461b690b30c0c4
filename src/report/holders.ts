/** Who has what somebody else wants: rows for an offer, sentences for a card and a thread. */

import { list } from '../list.ts';
import type { Holder, RunHolder, Taken } from '../run/holder.ts';
import { clip, code, escapeText } from './escape.ts';
import { clock, time } from './words.ts';

const MOST_ROWS = 10;

/** One line a holder, as mrkdwn. `namesOf`: people's names by their ids, as far as they are known; nobody is named without. */
export function holderRows(holders: readonly Holder[], namesOf: ReadonlyMap<string, string>): string {
  const rows = holders.slice(0, MOST_ROWS).map((holder) => `• ${whatOf(holder)}${whoHas(holder, namesOf)}`);
  const left = holders.length - rows.length;
  return [...rows, ...(left === 0 ? [] : [`… and ${left} more`])].join('\n');
}

/** `kpro5-4` (*dflash*), Bob: of a launch that waits. */
export function runWords(
  { name, recipe, by }: Pick<RunHolder, 'name' | 'recipe' | 'by'>,
  namesOf: ReadonlyMap<string, string>,
): string {
  const who = namesOf.get(by);
  return `${code(name)} (*${escapeText(recipe)}*)${who === undefined ? '' : `, ${who}`}`;
}

/** `GPU 0 and GPU 1, held by kpro5-3 (dflash) since …`: for a sentence. */
export function heldBy(holder: Holder): string {
  const what = escapeText(list(holder.what));
  if (holder.kind === 'run' && what === '') return `the end of ${runWords(holder, new Map())}`;
  const start = `${what}, `;
  if (holder.kind === 'run') return `${start}held by ${runWords(holder, new Map())} since ${time(holder.since)}`;
  return holder.kind === 'process'
    ? `${start}used by ${processWords(holder)}`
    : `${start}of which ${memoryWords(holder)}`;
}

/** The same as a whole sentence of plain words with names in backticks, without times: where Slack's own can't stand. */
export function holderSentence(holder: Holder): string {
  const what = `${list(holder.what)} ${holder.what.length === 1 ? 'is' : 'are'}`;
  if (holder.kind === 'run') return `${what} held by \`${holder.name}\` (${holder.recipe}).`;
  if (holder.kind === 'memory') return `${what} in use: ${memoryWords(holder)}.`;
  const user = holder.user === null ? '' : `, user ${holder.user}`;
  return `${what} used by pid ${holder.pid} (\`${clip(holder.command, 80)}\`${user}).`;
}

/** What somebody got hold of between a look and the start, one sentence each, as mrkdwn. `moment`: when it was seen free. */
export function takenWords({ freeAt, holders }: Taken, moment: string): string {
  const sentences = holders.slice(0, MOST_ROWS).map((holder) => {
    const what = escapeText(list(holder.what));
    const are = holder.what.length === 1 ? 'is' : 'are';
    const before =
      freeAt === null ? `${what} ${are}` : `${what} ${were(holder)} free ${moment} (${clock(freeAt)}) and ${are} now`;
    if (holder.kind === 'memory') return `${before} in use: ${memoryWords(holder)}.`;
    if (holder.kind === 'run') return `${before} held by ${runWords(holder, new Map())} since ${clock(holder.since)}.`;
    return `${before} used by ${processWords(holder)}.`;
  });
  return sentences.join('\n');
}

function were({ what }: Holder): string {
  return what.length === 1 ? 'was' : 'were';
}

function whatOf({ what }: Holder): string {
  return what.length === 0 ? '' : `${escapeText(list(what))}: `;
}

function whoHas(holder: Holder, namesOf: ReadonlyMap<string, string>): string {
  if (holder.kind === 'run')
    return `${runWords(holder, namesOf)}${namesOf.has(holder.by) ? ',' : ''} since ${time(holder.since)}`;
  return holder.kind === 'process' ? processWords(holder) : memoryWords(holder);
}

/** A stranger's process: where the host hides whose it is, the pid is all there is. */
function processWords({ pid, command, user, since, run }: Holder & { kind: 'process' }): string {
  const words = [
    code(command, 80),
    ...(user === null ? [] : [`user ${escapeText(clip(user, 40))}`]),
    ...(since === null ? [] : [`since ${clock(since)}`]),
    ...(run === null ? [] : [`a process of Vigil's run ${code(run)}`]),
  ];
  return `pid ${pid} (${words.join(', ')})`;
}

function memoryWords({ usedMib, totalMib }: Holder & { kind: 'memory' }): string {
  const of = totalMib === null ? '' : ` of ${gib(totalMib)}`;
  return `${gib(usedMib)}${of} GiB are taken by what nvidia-smi doesn't name`;
}

function gib(mib: number): string {
  return (mib / 1024).toFixed(1);
}
