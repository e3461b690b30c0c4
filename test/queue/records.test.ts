import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/queue/store.ts';
import type { KeptRecord } from '../../src/verify/verification.ts';
import { RECORD, sampleRun, WELL } from '../report/sample-run.ts';
import { askForRun } from '../support/asked-run.ts';

const READINESS = { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' } as const;

let store: Store;
let id: string;

beforeEach(async () => {
  ({ store, id } = await askForRun());
});
afterEach(() => store.close());

/** Writes that the run is ready, and what becomes of the record with it. */
async function becomesReady(fence: number | null, record?: KeptRecord): Promise<string> {
  const from = await store.journal.load(id);
  if (from === null) throw new Error('the run is not in the journal');
  const run = sampleRun({ phase: 'ready', verification: WELL }, { id });
  const ready = { kind: 'ready', readiness: READINESS, verification: WELL, at: 9, seen: 9 } as const;
  const happened = [record === undefined ? ready : { ...ready, record }];
  return store.journal.append({ run, from, fence, happened, checkpoint: null, tail: null, isNews: true });
}

test('what a verification reaches becomes the record with what is told of it', async () => {
  expect(await becomesReady(null, RECORD)).toBe('written');
  expect(await store.records.read('kpro5', 'dflash')).toEqual(RECORD);
  expect(await store.records.read('kpro5', 'other')).toBeNull();
});

test('a verification that reaches nothing better leaves the record as it is', async () => {
  await becomesReady(null, RECORD);
  await becomesReady(null);
  expect(await store.records.read('kpro5', 'dflash')).toEqual(RECORD);
});

test('a watch that was taken over meanwhile sets no record', async () => {
  const old = await store.journal.takeWatch(id);
  await store.journal.takeWatch(id);
  expect(await becomesReady(old, RECORD)).toBe('fenced');
  expect(await store.records.read('kpro5', 'dflash')).toBeNull();
});
