/** What stands against a server that is ready, as card and thread tell it: a dead engine, a full disk, errors, drafts that are refused. */

import type { KnownBlock } from '@slack/types';
import { count, grouped, size } from '../check/words.ts';
import { isFound } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { lengthWords } from '../verify/figures.ts';
import type { Disk, EngineDeath, ErrorRate, Fall } from '../vitals/vitals.ts';
import { noteBlocks, seenBlocks } from './before.ts';
import { section } from './blocks.ts';
import { acceptanceWords } from './curve.ts';
import { duration } from './duration.ts';
import { clip, code, escapeText } from './escape.ts';
import { causeBlocks, type Telling } from './failure.ts';
import { rounded } from './motion-words.ts';

const HOUR_MS = 3_600_000;

/** A dead engine: how that is known, why, and what comes next. */
export function deathBlocks(death: EngineDeath, telling: Telling): KnownBlock[] {
  const { run, before } = telling;
  const logs = code(`/vllm logs ${run.request.name}`);
  if (death.cause !== null) return [...causeBlocks(death.cause, telling), section(afterDeath(run))];
  return [
    ...noteBlocks(before),
    section(`The log shows no cause. *What to do:* read its end: ${logs}`),
    ...seenBlocks(before),
    section(`${HOW[death.how]} ${afterDeath(run)}`),
  ];
}

const HOW: Readonly<Record<EngineDeath['how'], string>> = {
  health: '`/health` answers 503: its engine is dead.',
  log: 'Its log says that its engine is dead.',
};

function afterDeath(run: Run): string {
  const { name } = run.request;
  const next = isFound(run)
    ? `To end it: ${code(`/vllm stop ${name}`)}`
    : `To start it again: ${code(`/vllm restart ${name}`)}`;
  return `It answers nobody; its process ends by itself as a rule. ${next}`;
}

/** One sentence without markup. */
export function deathWords({ cause }: EngineDeath): string {
  return cause === null ? 'Its log shows no cause.' : `${clip(cause.title, 200)}.`;
}

export function diskBlock(disk: Disk): KnownBlock {
  const todo = `free space on ${code(disk.mount, 200)}. On a full disk the log stops, and whatever writes there fails.`;
  return section(`⚠️ *Disk*: ${escapeText(diskWords(disk))}\n*What to do:* ${todo}`);
}

/** One sentence without markup. */
export function diskWords({ what, mount, free, total, fullInMs }: Disk): string {
  const soon = fullInMs === null ? '' : `, full in about ${duration(roughly(fullInMs))} at the pace of the last hours`;
  return `${size(free)} of ${size(total)} left on ${clip(mount, 200)} (${clip(what, 100)})${soon}.`;
}

function roughly(ms: number): number {
  return ms < HOUR_MS ? rounded(ms) : Math.round(ms / HOUR_MS) * HOUR_MS;
}

export function errorsBlock(errors: ErrorRate, run: Run): KnownBlock {
  const last = errors.last === null ? '' : `\nThe newest: ${code(errors.last, 300)}`;
  const logs = code(`/vllm logs ${run.request.name}`);
  return section(`⚠️ *Server errors*: ${errorsWords(errors)}${last}\n*What to do:* ${logs} shows what it said of them.`);
}

/** One sentence without markup. */
export function errorsWords({ count: errors, of, overMs, from }: ErrorRate): string {
  if (from === 'log') return `${count(errors, 'error')} of the server's own in its log in ${duration(overMs)}.`;
  const all = of === null ? count(errors, 'answer') : `${grouped(errors)} of ${count(of, 'answer')}`;
  return `${all} in ${duration(overMs)} ${of === null && errors === 1 ? 'was an error' : 'were errors'} of its own (5xx).`;
}

export function fallBlock({ before, after, floor }: Fall, run: Run): KnownBlock {
  const lines = [
    '⚠️ *Acceptance fell*, on what clients ask for.',
    `Before: ${acceptanceWords(before)}`,
    `Now: ${acceptanceWords(after)}`,
    floor === null ? null : `The recipe's floor is a mean acceptance length of ${lengthWords(floor)}.`,
    `*What to do:* ${code(`/vllm verify ${run.request.name}`)} asks it the fixed prompts. If those do as well as before, clients ask for something else by now (another language, thinking switched on); if not, it is the server or its drafter.`,
  ];
  return section(lines.filter((line) => line !== null).join('\n'));
}

/** One sentence without markup. */
export function fallWords({ before, after }: Fall): string {
  return `Mean acceptance length fell from ${lengthWords(before.length)} to ${lengthWords(after.length)}.`;
}
