import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/queue/store.ts';
import { newRun } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';

const HOUR = 3_600_000;
let now: number;
let store: Store;

beforeEach(async () => {
  now = 1_900_000_000_000;
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), freshPrefix(), { now: () => now });
  await store.journal.adopt(newRun({ ...sampleRun({}).request, id: 'run', name: 'run', at: now }), 'C0GPU', null);
});

afterEach(() => store.close());

test('what was written down before the clock was set back is old, not to come: nothing waits for that hour once more', async () => {
  const { outbox } = store;
  const fence = await outbox.take('run');
  await outbox.carded('run', fence, 1, { digest: 'a', standing: 'under way' });
  await outbox.file('run', fence, { event: 1, file: 'F1', tries: 1 }, true);
  await outbox.intend('run', fence, '1', 1);
  now -= HOUR;
  const draft = await outbox.read('run');
  expect(draft).toMatchObject({ intentAge: HOUR, cardAge: HOUR, filing: { age: HOUR, shareAge: HOUR } });
});
