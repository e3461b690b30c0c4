/** One log that is written, cut, rotated and replaced at random while it is followed over connections that break. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { expect } from 'vitest';
import { isHostError } from '../../src/errors.ts';
import type { Host } from '../../src/tools.ts';
import { DeliveredLog } from './delivered-log.ts';
import { pick, record } from './log-acts.ts';
import { RotatedLog } from './rotated-log.ts';
import type { Sshd } from './sshd.ts';

export interface Round {
  readonly host: Host;
  readonly sshd: Sshd;
  readonly seed: number;
  readonly steps: number;
}

export interface Told {
  /** What was done to the log and to those who carry it, in order. */
  readonly done: readonly string[];
  readonly bytes: number;
  readonly losses: number;
  /** null when every generation came as it was. */
  readonly wrong: string | null;
}

/** Ends when the last generation has come whole, or with what is wrong. */
export async function runRound({ host, sshd, seed, steps }: Round): Promise<Told> {
  const folder = join(sshd.folder, `round-${seed}`);
  mkdirSync(folder);
  const random = makeRandom(seed);
  const log = new RotatedLog(join(folder, 'run.log'), random() < 0.6);
  const delivered = new DeliveredLog();
  const stop = new AbortController();
  const following = followOn({ host, folder, log: log.path, delivered, random, signal: stop.signal });
  const done: string[] = [];
  try {
    await expect.poll(() => delivered.position.generation, { timeout: 60_000 }).not.toBeNull();
    for (let step = 0; step < steps; step += 1) {
      const [name, act] = pick(random);
      done.push(name);
      await act({ log, random, sshd, folder });
    }
    log.write(record(random));
    const judge = () => delivered.judge(log.generations);
    await expect
      .poll(judge, { timeout: 60_000, interval: 250 })
      .toBeNull()
      .catch(() => undefined);
    const bytes = log.generations.reduce((sum, { content }) => sum + content.length, 0);
    const wrong = judge();
    const held = log.generations.map(({ inodes, content }) => `${inodes}/${content.length}`);
    const story = `${done}; held ${held.join(' ')}; came ${delivered.story.join(' ')}`;
    return { done, bytes, losses: delivered.losses, wrong: wrong === null ? null : `${wrong} (${story})` };
  } finally {
    stop.abort();
    await following;
    log.close();
  }
}

interface Carrying {
  readonly host: Host;
  readonly folder: string;
  readonly log: string;
  readonly delivered: DeliveredLog;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** As a watch does: from the last position on, whatever ended the one before. */
async function followOn({ host, folder, log, delivered, random, signal }: Carrying): Promise<void> {
  const target = { path: folder, run: 'r', log, real: null, role: 'main' } as const;
  while (!signal.aborted) {
    try {
      for await (const chunk of host.follow({ ...target, from: delivered.position }, signal)) delivered.take(chunk);
    } catch (error) {
      if (!signal.aborted && !isHostError(error)) throw error;
      await moment(random() * 600);
    }
  }
}

/** Mulberry32: a round can be run again by its seed. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
