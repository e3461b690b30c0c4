import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { line } from '../../jobs/line.ts';
import type { Config } from '../../src/config/config.ts';
import { observe } from '../../src/flow/write.ts';
import { collide, needsOf } from '../../src/place/needs.ts';
import type { Tools } from '../../src/processor.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore } from '../../src/queue/store.ts';
import { isEnd, type Run } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { fakeHost } from '../support/fake-host.ts';
import { gpu } from '../support/gpus.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';

/** VIGIL_LINE_STEPS lets it run for longer by hand. */
const STEPS = Number(process.env.VIGIL_LINE_STEPS ?? 60);
const FOUR = [gpu(0), gpu(1), gpu(2), gpu(3)];
const WANTS = [1, 2, 3, ['0'], ['GPU-1111'], ['2', '3'], ['1', '2']] as const;

function recipes(): Config['recipes'] {
  const { dflash } = sampleConfig().recipes;
  if (dflash?.kind !== 'serve') throw new Error('the sample has lost its recipe');
  const own = WANTS.map((gpus, index) => {
    // Two of them share a port.
    const address = { kind: 'tcp', host: '127.0.0.1', port: 9000 + (index % 6) } as const;
    return [`r${index}`, { ...dflash, name: `r${index}`, gpus, log: null, address }] as const;
  });
  return Object.fromEntries(own);
}

/** Pseudo-random numbers, the same for a seed (a linear congruential generator, Numerical Recipes). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

test('whatever is launched, queued and ended, with two workers at the line: no device is given twice, and turns come in order', async () => {
  const seed = Number(process.env.VIGIL_LINE_SEED ?? 7);
  const roll = dice(seed);
  const config: Config = { ...sampleConfig(), instance: freshPrefix(), recipes: recipes() };
  const stores = [0, 1].map(() => openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance));
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  let now = 1000;
  const clock = { now: () => now++ };
  const desk = openDesk({ ...store, config, clock });
  const host = fakeHost('kpro5', { gpus: async () => FOUR });
  const workers = stores.map((own): Tools => {
    const queue = { add: async () => {} };
    const hosts = { get: () => host, close: async () => {} };
    const log = pino({ level: 'silent' });
    return { ...own, hosts, chat: new FakeChat(), config, clock, queue, timings: PRODUCTION, log };
  });
  const look = () => Promise.all(workers.map((tools) => line('kpro5', tools, new AbortController().signal)));
  const all: string[] = [];
  const load = async (id: string): Promise<Run> => {
    const entry = await store.journal.load(id);
    if (entry === null) throw new Error(`${id} is lost`);
    return entry.run;
  };
  const runs = () => Promise.all(all.map(load));
  const launch = async (): Promise<void> => {
    const recipe = `r${roll(WANTS.length)}`;
    const mode = { kind: roll(4) === 0 ? 'now' : 'queue' } as const;
    const order = { trigger: `T${now}`, host: 'kpro5', recipe, by: 'U0ALICE', channel: 'C0OPS', mode };
    const answer = await desk.launch(order, roll(3) === 0 ? 'unknown' : FOUR);
    if (answer.kind !== 'accepted') return;
    all.push(answer.request.id);
    await desk.decideHome(answer.request.id, 'C0OPS');
  };
  const end = async (): Promise<void> => {
    const live = (await runs()).filter(({ phase, waiting }) => !isEnd(phase) && (waiting === null || roll(6) === 0));
    const one = live[roll(live.length)];
    if (one === undefined) return;
    const at = clock.now();
    await observe(store.journal, one.request.id, () => [{ kind: 'refused', reason: 'over', at, seen: at }]);
  };
  const check = async (): Promise<void> => {
    const live = (await runs()).filter(({ phase, waiting }) => !isEnd(phase) && waiting === null);
    const holds = live.flatMap(({ placement }) => placement?.holds ?? []);
    expect(new Set(holds).size, `seed ${seed}: ${holds.join(', ')}`).toBe(holds.length);
    const ports = live.map(({ request: { address } }) => (address?.kind === 'tcp' ? address.port : 0));
    expect(new Set(ports).size).toBe(ports.length);
  };

  for (let step = 0; step < STEPS; step++) {
    await Promise.all([roll(2) === 0 ? launch() : end(), look()]);
    await check();
  }
  for (let left = all.length * 2; left > 0 && (await store.journal.live()).length > 0; left--) {
    await end();
    await look();
    await check();
  }
  expect((await store.line.read('kpro5')).line).toEqual([]);
  expect(await store.redis.hlen(store.keys.holds)).toBe(0);
  const turns = (await runs()).filter(({ turnAt }) => turnAt !== null);
  for (const [index, first] of turns.entries()) {
    const later = turns
      .slice(index + 1)
      .filter((other) => collide(needsOf(first.request, FOUR), needsOf(other.request, FOUR)));
    for (const other of later) expect(other.turnAt, `seed ${seed}`).toBeGreaterThan(first.turnAt ?? 0);
  }
  await Promise.all(stores.map((own) => own.close()));
});
