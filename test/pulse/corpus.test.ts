/** The corpus, minute by minute: lines come when their stamps say, and between them only CPU and GPU are seen in use, which proves nothing. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLogReader } from '../../src/log/reader.ts';
import { saysOnlyThatItWaits } from '../../src/log/waiting-lines.ts';
import type { Evidence } from '../../src/pulse/evidence.ts';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { newRun, stepAll } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';
import { replay } from './replay.ts';
import { evidence, look, worker } from './samples.ts';

const CORPUS = join(import.meta.dirname, '../corpus/serve');
const STAMP = /\b(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

function seen(at: number): Evidence {
  const gpus = [{ uuid: 'GPU-0', index: '0', usedMib: 9000, utilization: 100 }];
  return evidence(at, [worker(1182, { cpuTicks: at / 10 }), worker(1183)], look(at, { gpus }));
}

/** What a log says at each of its moments, counted from its first stamp on; the end of it is left out once it is up. */
function moments(name: string): Observation[] {
  const reader = openLogReader({ kind: 'serve', secrets: [], resume: null, tail: 40 });
  const lines = readFileSync(join(CORPUS, name, 'log.txt'), 'latin1').split(/(?<=\n)/);
  const groups = new Map<number, string>();
  let last = 0;
  for (const line of lines) {
    const [month = 0, day = 0, ...time] = (STAMP.exec(line) ?? []).slice(1).map(Number);
    if (time.length > 0) last = Math.max(last, Date.UTC(2026, month - 1, day, ...(time as [number, number, number])));
    groups.set(last, (groups.get(last) ?? '') + line);
  }
  const first = Math.min(...[...groups.keys()].filter((at) => at > 0));
  return [...groups].map(([stamp, text]) => {
    const at = Math.max(0, stamp - first) + SECOND;
    const { events, lines } = reader.feed(Buffer.from(text, 'latin1'));
    const saysOnly = events.length === 0 && saysOnlyThatItWaits(text, lines);
    const clock = { now: at, zoneMinutes: 0 };
    return { kind: 'log', source: 'main', events, saysOnlyThatItWaits: saysOnly, clock, isOld: false, at, seen: at };
  });
}

function launched(): Run {
  const sampled = sampleRun({});
  if (sampled.started === null) throw new Error('the sample run has started');
  const started = { ...sampled.started, at: 0 };
  return stepAll(newRun({ ...sampled.request, at: 0 }), [{ kind: 'launched', started, at: 0, seen: 0 }]).run;
}

function told(name: string, more: number): readonly string[] {
  const all = moments(name);
  const up = all.findIndex((one) => one.kind === 'log' && one.events.some(({ kind }) => kind === 'ready'));
  const later = up < 0 ? all : all.slice(0, up);
  const forMs = (later.at(-1)?.at ?? 0) + more;
  return replay({ from: launched(), phase: 'loading', everyMs: 15_000, forMs, seen, later }).told;
}

describe('a start that is', () => {
  const cases = readdirSync(CORPUS).map((name) => {
    const label = JSON.parse(readFileSync(join(CORPUS, name, 'expected.json'), 'utf8')) as { verdict: string };
    return [name, label.verdict] as const;
  });

  test.each(cases.filter(([, verdict]) => verdict !== 'failed'))('well, %s (%s), calls nobody', (name) => {
    expect(told(name, 0).filter((one) => one.endsWith('!'))).toEqual([]);
  });

  test.each(['23-nccl-then-silence', '24-loading-mid-bar'])('hung, %s, calls somebody in a few minutes', (name) => {
    expect(told(name, 5 * MINUTE).at(-1)).toBe('busy!');
  });
});
