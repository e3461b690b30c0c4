/** The kill test: two test files share the seeds, so that both cores work. KILLS says how many each takes. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTheatre, type Theatre } from './theatre.ts';

/** Up to this long after the command the kill may come: launch, checks, start, loading, ready, stop. */
const SPAN_MS = 4_500;
const PATIENCE = { timeout: 40_000, interval: 10 };

const SEEDS = Number(process.env.KILLS ?? 4);

export function describeKills(first: number): void {
  const seeds = Array.from({ length: SEEDS }, (_, index) => first + index);
  describe('a worker that is killed -9 at a random moment of a launch', () => {
    let theatre: Theatre;
    let undisturbed: string[];

    beforeAll(async () => {
      theatre = await openTheatre({ speed: 50, workers: { standBys: SEEDS } });
      undisturbed = await launchAndStop(theatre, async () => {});
    });

    afterAll(async () => {
      await theatre.stop();
    });

    test.each(seeds)('leaves the thread as if nothing had happened (seed %i)', async (seed) => {
      const random = generator(seed);
      const isBetween = seed % 4 === 0;
      const replies = await launchAndStop(theatre, () =>
        isBetween ? killWhilePosting(theatre, Math.floor(random() * 5)) : killAfter(theatre, random() * SPAN_MS),
      );
      expect(replies).toEqual(undisturbed);
    });
  });
}

/** One launch to its end; returns what the replies say, without what differs from run to run. */
async function launchAndStop(theatre: Theatre, disturb: () => Promise<void>): Promise<string[]> {
  const { stage } = theatre;
  const known = theatre.threads().length;
  const starts = (await stage.host.starts()).length;
  const disturbance = disturb();
  await theatre.say('/vllm launch kpro5 dflash');
  await vi.waitFor(() => expect(theatre.threads()[known]?.card).toMatch(/^Ready/), PATIENCE);
  await disturbance;
  await theatre.say('/vllm stop last');
  await vi.waitFor(() => expect(theatre.threads()[known]?.card).toMatch(/^Stopped/), PATIENCE);
  await vi.waitFor(() => expect(theatre.threads()[known]?.replies.at(-1)).toMatch(/stopped/i), PATIENCE);
  expect(theatre.threads()).toHaveLength(known + 1);
  expect(await stage.host.starts()).toHaveLength(starts + 1);
  return (theatre.threads()[known]?.replies ?? []).map(withoutNumbers);
}

async function killAfter({ workers }: Theatre, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await workers.kill();
}

/** Kills between Slack's storing a post and its answer. */
async function killWhilePosting({ stage, workers }: Theatre, passed: number): Promise<void> {
  for (let i = 0; i < passed; i++) {
    const one = stage.slack.faults.holdResponse('chat.postMessage');
    await vi.waitFor(() => expect(one.isHeld).toBe(true), PATIENCE);
    one.release();
  }
  const hold = stage.slack.faults.holdResponse('chat.postMessage');
  await vi.waitFor(() => expect(hold.isHeld).toBe(true), PATIENCE);
  await workers.kill();
  hold.release();
}

/** How fast it was beside the record depends on the machine. */
function withoutNumbers(text: string): string {
  return text
    .replace(/\bis ready.*/s, 'is ready')
    .replace(/kpro5-\d+/g, 'NAME')
    .replace(/\d[\d.,]*/g, 'N');
}

/** mulberry32: the same seed, the same moments. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
