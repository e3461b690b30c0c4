/**
 * FOLLOW_ROUNDS=200 FOLLOW_SEED=1 npx vitest run test/ssh/follow-rounds.test.ts runs so many rounds on each kind of host and prints their counts.
 */

import { describe, expect, test } from 'vitest';
import { hostKinds } from '../support/follower.ts';
import { openLab } from '../support/lab.ts';
import { runRound, type Told } from '../support/log-round.ts';

const ROUNDS = Number(process.env.FOLLOW_ROUNDS ?? 3);
const SEED = Number(process.env.FOLLOW_SEED ?? 1);
const AT_ONCE = 6;

describe.each(hostKinds())('on a host with %s', async (_, config) => {
  const { sshd, host } = await openLab({ config });

  test('every generation of a log comes byte for byte, or its loss is told', { timeout: ROUNDS * 60_000 }, async () => {
    const told: Told[] = [];
    const wrong: string[] = [];
    const seeds = Array.from({ length: ROUNDS }, (_, index) => SEED + index);
    const work = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const one = await runRound({ host, sshd, seed, steps: 8 });
        told.push(one);
        if (one.wrong !== null) wrong.push(`seed ${seed}: ${one.wrong}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(wrong).toEqual([]);
    if (process.env.FOLLOW_ROUNDS !== undefined) console.info(summed(told));
  });
});

function summed(told: readonly Told[]): string {
  const done: Record<string, number> = {};
  for (const name of told.flatMap((one) => one.done)) done[name] = (done[name] ?? 0) + 1;
  const [bytes, losses] = [told.map((one) => one.bytes), told.map((one) => one.losses)].map((counts) =>
    counts.reduce((sum, count) => sum + count, 0),
  );
  return JSON.stringify({ rounds: told.length, bytes, losses, ...done });
}
