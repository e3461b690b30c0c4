/** A launch as a watch sees it, in virtual time: a real log, line by line at the pace at which it was written, and what stands before and after it. */

import { readFileSync } from 'node:fs';
import { observe } from '../../src/flow/write.ts';
import type { Sample } from '../../src/host/sample.ts';
import type { Journal } from '../../src/journal.ts';
import type { Observation } from '../../src/run/observe.ts';
import { openInbox } from '../../src/watch/inbox.ts';
import { openWatchedLog } from '../../src/watch/log.ts';
import { WELL } from '../report/sample-run.ts';
import type { VirtualTime } from './virtual-time.ts';

const LOG = new URL('../corpus/serve/22-tp2-dflash-ready/log.txt', import.meta.url);
/** Before the log, and from its last line to the verdict. */
const CHECKS_MS = 6_000;
const VERIFYING_MS = 35_000;

export interface Timed {
  /** Since the log's first line, ms. */
  readonly at: number;
  readonly text: string;
}

/** The log of a start in a little more than two minutes. Lines without a stamp (bars) lie between their neighbours. */
export function usualLog(): Timed[] {
  const lines = readFileSync(LOG, 'utf8').split('\n');
  const stamps = lines.map((line) => {
    const match = / (\d\d):(\d\d):(\d\d) \[/.exec(line);
    return match === null ? null : match.slice(1).reduce((total, part) => total * 60 + Number(part), 0) * 1000;
  });
  const first = stamps.find((stamp) => stamp !== null) ?? 0;
  let before = first;
  return lines.map((text, index) => {
    const own = stamps[index] ?? null;
    if (own !== null) before = Math.max(before, own);
    const next = stamps.findIndex((stamp, other) => other > index && stamp !== null);
    const [from, to] = [before, next === -1 ? before : Math.max(before, stamps[next] ?? before)];
    const last = stamps.findLastIndex((stamp, other) => other <= index && stamp !== null);
    const share = own !== null || next === -1 ? 0 : (index - Math.max(0, last)) / (next - Math.max(0, last));
    return { at: from + (to - from) * share - first, text: `${text}\n` };
  });
}

/** The same with weights that come slowly: a shard a second, so that there is something new at every moment. */
export function slowLog(): Timed[] {
  const lines = usualLog();
  const isBar = ({ text }: Timed): boolean =>
    text.includes('Loading safetensors checkpoint shards') && !text.includes('/1 ');
  const [first, last] = [lines.findIndex(isBar), lines.findLastIndex(isBar)];
  const bars = Array.from({ length: 90 }, (_, i) => {
    const bar = `Loading safetensors checkpoint shards: ${Math.round(((i + 1) / 90) * 100)}% Completed | ${i + 1}/90 [00:${i}<00:10,  1.00s/it]`;
    return { at: 20_000 + i * 1_000, text: `(Worker_TP0 pid=22262) ${bar}\n` };
  });
  const begin = lines[first]?.at ?? 0;
  const end = lines[last]?.at ?? 0;
  return [
    ...lines.slice(0, first).map(({ at, text }) => ({ at: (at / begin) * 20_000, text })),
    ...bars,
    ...lines.slice(last + 1).map(({ at, text }) => ({ at: 110_000 + (at - end) * 0.35, text })),
  ];
}

/** Plays the launch of a run that was just asked for, from its checks to ready (3 minutes), or to its end after `failsAfter` ms. */
export async function playLaunch(
  id: string,
  {
    journal,
    time,
    lines = usualLog(),
    failsAfter = Number.POSITIVE_INFINITY,
    every = 1_000,
  }: { journal: Journal; time: VirtualTime; lines?: readonly Timed[]; failsAfter?: number; every?: number },
): Promise<void> {
  const begun = time.now();
  const now = (): { at: number; seen: number } => ({ at: time.now(), seen: time.now() });
  const see = async (observation: Observation): Promise<void> => void (await observe(journal, id, () => [observation]));
  await see({ kind: 'checking', ...now() });
  await time.pause(CHECKS_MS);
  await see({ kind: 'attempting', ...now() });
  await see({ kind: 'launched', started: startedAt(time.now()), ...now() });
  const entry = await journal.load(id);
  if (entry === null) throw new Error('the run is not in the journal');
  const inbox = openInbox(journal, entry, await journal.takeWatch(id));
  const log = openWatchedLog({ kind: 'serve', source: 'main', secrets: [], saved: null, history: 0 });
  const state = () => ({ checkpoint: null, tail: log.tail() });
  const start = time.now();
  const end = start + (lines.at(-1)?.at ?? 0);
  let size = 0;
  let next = 0;
  const times = () => ({ clock: { now: time.now(), zoneMinutes: 0 }, seen: time.now() });
  inbox.put(...log.take({ kind: 'opened', generation: GENERATION, size: 0, offset: 0, skipped: 0 }, times()));
  const readOn = (): void => {
    const due = lines.slice(next).filter(({ at }) => start + at <= time.now());
    next += due.length;
    const bytes = Buffer.from(due.map(({ text }) => text).join(''));
    size += bytes.length;
    if (bytes.length > 0) inbox.put(...log.take({ kind: 'bytes', bytes }, times()));
    inbox.put({ kind: 'sample', sample: sampleAt(time.now(), size), ...now() });
  };
  while (time.now() < end + VERIFYING_MS) {
    readOn();
    if (time.now() >= end) inbox.put({ kind: 'answering', ...now() });
    if (time.now() - begun >= failsAfter) {
      inbox.put({ kind: 'exited', exit: { code: 1, signal: null, at: time.now() }, tail: log.tail() ?? [], ...now() });
      await inbox.flush(state);
      return;
    }
    await inbox.flush(state);
    await time.pause(every);
  }
  const readiness = {
    proof: 'socket',
    model: 'Qwen3.6-27B-FP8',
    by: 'forwarding',
    completion: 'It said "4".',
  } as const;
  inbox.put({ kind: 'verified', readiness, verification: { ...WELL, at: time.now() }, ...now() });
  await inbox.flush(state);
}

export const GENERATION = { device: '1', inode: '2', sum: 'a', summed: 0 };
const PROCESS = { pid: 4242, start: 99 };

function startedAt(at: number) {
  return {
    ...{ main: PROCESS, session: 4241, bootId: 'boot-1', init: 1, log: '/root/.vigil/runs/log', movedLog: null },
    ...{ preludeShell: null, warnings: [], at },
  };
}

function sampleAt(at: number, logSize: number): Sample {
  return { at, bootId: 'boot-1', init: 1, alive: true, exit: null, logSize, tree: null };
}
