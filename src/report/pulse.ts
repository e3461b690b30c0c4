/** The pulse as it is told in the thread: what was seen, in numbers, whether to worry, and what to do. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { list } from '../list.ts';
import { busyBudget } from '../pulse/budgets.ts';
import { reasonsFor } from '../pulse/reasons.ts';
import { downloadLeft } from '../pulse/time-left.ts';
import { isUnseen } from '../run/request.ts';
import type { PulseEvent, Run, RunEvent } from '../run/run.ts';
import { listed, preformatted, section } from './blocks.ts';
import { culpritWords } from './culprit.ts';
import { duration } from './duration.ts';
import { code, escapeText, markup } from './escape.ts';
import { arrivedWords, movedWords, stillWords, useWords } from './motion-words.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { headed, inChannel, nameOf, say } from './say.ts';
import { trimStack } from './stack.ts';
import { logsLine, slashOf } from './words.ts';

/** What a person should look at is shown in the channel of a training; nobody is mentioned before the end. */
export function renderPulse(event: PulseEvent, run: Run): Message {
  switch (event.pulse) {
    case 'moving':
      return say(`The log moves again, after ${duration(event.silentMs)}.`);
    case 'quiet':
      return say(quiet(event));
    case 'busy':
      return event.isAlarm ? alarm(busyForLong(event), event, run) : say(busy(event, run));
    case 'stuck':
      return alarm(stuck(event), event, run);
    case 'silent':
      return silent(event, run);
    default:
      return event.pulse satisfies never;
  }
}

export function renderStacks({ stacks, culprit }: RunEvent & { kind: 'stacks' }, run: Run): Message {
  const behind = stacks.find(({ pid }) => pid === culprit?.pid);
  const which =
    behind === undefined || culprit === null
      ? 'of the processes that do least'
      : `of rank ${culprit.rank} (pid ${culprit.pid}), which the others wait for${stacks.length === 1 ? '' : ', and of others'}`;
  const head = `Stacks ${which}: where each stands now, innermost call first.`;
  const blocks = alike(stacks).flatMap(([first, ...others]) => [
    section(
      `${others.length === 0 ? 'Process' : 'Processes'} ${list([first, ...others].map(({ pid }) => `${pid}`))}${first.by === 'proc' ? `, by ${code('/proc')} alone (no ${code('py-spy')} that may look)` : ''}`,
    ),
    preformatted(trimStack(first)),
  ]);
  return { ...say(head), blocks: [section(head), ...blocks, section(afterStacks(run))] };
}

type Stacks = (RunEvent & { kind: 'stacks' })['stacks'];

/** Those that stand in the same place together, in the order of the first of each. */
function alike(stacks: Stacks): readonly (readonly [Stacks[number], ...Stacks])[] {
  const groups: [Stacks[number], ...Stacks[number][]][] = [];
  for (const stack of stacks) {
    const same = groups.find(([first]) => first.by === stack.by && trimStack(first) === trimStack(stack));
    if (same === undefined) groups.push([stack]);
    else same.push(stack);
  }
  return groups;
}

function quiet({ phase, silentMs, motion, wasAlarm }: PulseEvent): string {
  const work = motion === null ? '' : movedWords(motion);
  const what = escapeText(work === '' ? 'work is seen' : work);
  return wasAlarm
    ? `It moves again: ${what}. Its log is still silent, for ${duration(silentMs)} now.`
    : `No log line for ${duration(silentMs)} while ${doing(phase)}, but it works: ${what}. ${isLongWay(motion) ? SLOW_HUB : 'Nothing to do.'}`;
}

function isLongWay(motion: PulseEvent['motion']): boolean {
  return motion !== null && (downloadLeft(motion) ?? 0) >= LONG_WAY_MS;
}

/** A download that takes longer is worth a thought (ms). */
const LONG_WAY_MS = 2 * 60 * 60_000;
const SLOW_HUB = `At this speed that takes hours: with ${code('HF_TOKEN')} set it may be faster.`;

function busy({ phase, silentMs, motion, usual }: PulseEvent, run: Run): string {
  const use = motion === null ? '' : ` (${escapeText(useWords(motion))})`;
  const known =
    usual === null
      ? 'That may be work, or waiting.'
      : `Earlier starts were as a rule silent here for up to ${duration(usual.silentMs)}.`;
  return `No log line for ${duration(silentMs)} while ${doing(phase)}: busy${use}. ${known} Nothing to do yet: it becomes an alarm once it has gone on for ${duration(busyBudget({ ...run, phase }))}.`;
}

function busyForLong({ phase, stillMs, motion }: PulseEvent): string {
  const use = motion === null ? '' : `, ${escapeText(useWords(motion))}`;
  return `busy for ${duration(stillMs)} in ${inPhase(phase)}${use}, nothing read, written or loaded: ${whatUseShows(motion)}.`;
}

/** Ranks that wait for each other in NCCL show full use of their GPUs. */
function whatUseShows(motion: PulseEvent['motion']): string {
  return motion?.gpuUse === 0
    ? 'only CPU is in use, by a slow compiler or by what waits'
    : 'the sign of a rank that waits';
}

function stuck(event: PulseEvent): string {
  const { phase, stillMs, motion, arrived } = event;
  const came = isDownload(event) && arrived !== null ? [`the download stands at ${arrivedWords(arrived)}`] : [];
  const seen = ['no log line', ...came, ...(motion === null ? [] : stillWords(motion))];
  return `stuck for ${duration(stillMs)} in ${inPhase(phase)}: ${escapeText(seen.join(', '))}.`;
}

/** vLLM says nothing of a download: it looks like loading. */
function isDownload({ phase, arrived }: PulseEvent): boolean {
  if (phase === 'downloading') return true;
  return phase === 'loading' && arrived !== null && (arrived.total === null || arrived.bytes < arrived.total);
}

/** The reasons of what it does, whatever the log calls it. */
function reasonsOf(event: PulseEvent) {
  return reasonsFor(isDownload(event) ? 'downloading' : event.phase);
}

function alarm(what: string, event: PulseEvent, run: Run): Message {
  const { culprit, usual, motion } = event;
  const head = `${nameOf(run)}: ${what}`;
  const earlier =
    usual === null
      ? null
      : `In ${starts(usual.starts)} this phase took ${duration(usual.ms)}, as a rule silent for at most ${duration(usual.silentMs)}.`;
  const next = `${code(logsLine(run))} shows its last lines, ${code(`${slashOf(run)} stop ${run.request.name}`)} ends it. Vigil goes on looking, and says when it moves.`;
  const troubles = motion === null || motion.troubles.length === 0 ? [] : [listed(motion.troubles)];
  const more = culprit === null ? `Most often: ${reasonsOf(event)[0]?.why}.` : `${culpritWords(culprit)}.`;
  const blocks = [...troubles, ...why(event), ...(earlier === null ? [] : [section(earlier)]), section(next)];
  return inChannel(run, headed(head, blocks, more));
}

function why(event: PulseEvent): KnownBlock[] {
  const { culprit, isAgain } = event;
  if (culprit !== null) return [section(`*${markup(culpritWords(culprit))}.* ${INNOCENT}`)];
  if (isAgain === true) return [section(AGAIN)];
  const reasons = reasonsOf(event).map(({ why, remedy }) => `${why} → ${remedy}.`);
  return [section(`*Usual reasons in ${inPhase(isDownload(event) ? 'downloading' : event.phase)}:*`), listed(reasons)];
}

const AGAIN = 'It has stood still here before, and went on: the usual reasons stand further up.';
const INNOCENT =
  'The ranks that are ahead wait for it: their 100 % of CPU and GPU is no work, and whatever error follows will be theirs. Look at this rank first: its data, its GPU (`dmesg -T | grep -i xid`), its stack.';

function silent({ phase, silentMs }: PulseEvent, run: Run): Message {
  const process = isUnseen(run)
    ? 'Its process is not visible, so that nobody can tell slow from stuck.'
    : 'The process is alive; what it does could not be seen on the host.';
  const who = run.request.kind === 'train' ? `${nameOf(run)}: no` : 'No';
  const logs = code(logsLine(run));
  const words = `${who} new log line for ${duration(silentMs)}, still ${doing(phase)}. ${process} ${logs} shows its last lines.`;
  return inChannel(run, say(words));
}

function afterStacks(run: Run): string {
  const commands = [`${slashOf(run)} logs ${run.request.name}`, `${slashOf(run)} stop ${run.request.name}`].map((one) =>
    code(one),
  );
  return `*What to do:* ${list(commands, 'or')}. A call into NCCL or \`cuda\` that never returns waits for another rank or its GPU; a read that never returns, for a disk.`;
}

function doing(phase: PulseEvent['phase']): string {
  return escapeText(lower(PHASE_WORDS[phase]));
}

function inPhase(phase: PulseEvent['phase']): string {
  return phase === 'kv_cache' ? 'KV cache' : escapeText(phase.replaceAll('_', ' '));
}

function starts(count: number): string {
  return count === 1 ? 'the one earlier start' : `${count} earlier starts`;
}
