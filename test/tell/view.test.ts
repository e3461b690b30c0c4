import { expect, test } from 'vitest';
import type { Archive } from '../../src/journal.ts';
import { viewOf } from '../../src/tell/view.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { OOM, sampleRun, T0 } from '../report/sample-run.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { sampleConfig } from '../support/sample-config.ts';

const FAILED = sampleRun({
  phase: 'failed',
  failure: { kind: 'ended', exit: null, during: 'loading', cause: OOM, tail: [] },
});
const THREAD = { channel: 'C0OPS', ts: '9.000001' };
const EARLIER = { name: 'kpro5-1', host: 'kpro5', at: T0 - 1000, thread: THREAD };
const NOTE = { text: 'lower it', by: 'U0BOB', at: T0 - 500 };

type Seen = Awaited<ReturnType<Archive['seen']>>;

/** What a message is given, where that is known of troubles; `asked`: what the archive was asked. */
function sources(known: Seen, link: () => Promise<string | null> = async () => 'https://slack/x') {
  const asked: unknown[][] = [];
  const never = async () => {
    throw new Error('a message changes no archive');
  };
  const archive: Archive = {
    seen: async (...words) => {
      asked.push(words);
      return known;
    },
    ...{ list: never, find: never, note: never, catchUp: never, takePruning: never, prune: never },
  };
  const chat = Object.assign(new FakeChat(), { permalink: link });
  chat.people.set('U0BOB', { kind: 'member', name: 'Bob' });
  const names = { read: async () => null, write: async () => {} };
  return { asked, chat, archive, names, config: sampleConfig(), timings: { ...PRODUCTION, link: 20 } };
}

test('of a run that is well nobody is asked, and nothing is told', async () => {
  const world = sources({ earlier: EARLIER, note: NOTE });
  expect(await viewOf(sampleRun({ phase: 'ready' }), world)).not.toHaveProperty('before');
  expect(world.asked).toEqual([]);
});

test('of a trouble the earlier run is told with the way to its thread, and the note with who wrote it', async () => {
  const world = sources({ earlier: EARLIER, note: NOTE });
  expect((await viewOf(FAILED, world)).before).toEqual({
    earlier: { ...EARLIER, link: 'https://slack/x' },
    note: { ...NOTE, byName: 'Bob' },
  });
  expect(world.asked).toMatchObject([[OOM.fingerprint, FAILED.request.id, { 0: 'kpro5' }]]);
});

test('a channel is told of runs on the same host, and on others only where all may see them', async () => {
  const world = sources({ earlier: null, note: null });
  const [kpro5] = Object.values(world.config.hosts);
  if (kpro5 === undefined) throw new Error('the sample has no host');
  const host = (name: string, see: 'anyone' | readonly string[]) => ({
    ...kpro5,
    name,
    rights: { ...kpro5.rights, see },
  });
  const hosts = {
    kpro5: host('kpro5', ['U0ALICE']),
    kpro6: host('kpro6', 'anyone'),
    kpro7: host('kpro7', ['U0ALICE']),
  };
  await viewOf(FAILED, { ...world, config: { ...world.config, hosts } });
  expect(world.asked).toEqual([[OOM.fingerprint, FAILED.request.id, ['kpro5', 'kpro6']]]);
});

test('a trouble that nobody had before is told as always', async () => {
  expect(await viewOf(FAILED, sources({ earlier: null, note: null }))).not.toHaveProperty('before');
});

test.each<[string, () => Promise<string | null>]>([
  ['gives no link', async () => null],
  ['refuses', async () => Promise.reject(new Error('no'))],
  ['takes too long', () => new Promise(() => {})],
])('where Slack %s, the message goes without the link', async (_, link) => {
  const { before } = await viewOf(FAILED, sources({ earlier: EARLIER, note: null }, link));
  expect(before).toEqual({ earlier: { ...EARLIER, link: null }, note: null });
});

test('an earlier run without a thread has no link', async () => {
  const { before } = await viewOf(FAILED, sources({ earlier: { ...EARLIER, thread: null }, note: null }));
  expect(before?.earlier).toMatchObject({ thread: null, link: null });
});

test('a name is asked of Slack once for all messages, and an id stands for one that does not come', async () => {
  const world = sources({ earlier: null, note: null });
  const known = new Map<string, string>();
  const names = {
    read: async (user: string) => known.get(user) ?? null,
    // A minute without a name is over at once.
    write: async (user: string, name: string | null) =>
      void (name === null ? known.delete(user) : known.set(user, name)),
  };
  let asked = 0;
  const person = async () => {
    asked += 1;
    if (asked === 1) throw new Error('Slack is away');
    return { kind: 'member', name: 'alice' } as const;
  };
  const all = { ...world, names, chat: Object.assign(new FakeChat(), { person }) };
  const told = [];
  for (let i = 0; i < 3; i++) told.push((await viewOf(sampleRun({ phase: 'loading' }), all)).requesterName);
  expect(told).toEqual(['U0ALICE', 'alice', 'alice']);
  expect(asked).toBe(2);
  const silent = { ...world, chat: Object.assign(new FakeChat(), { person: () => new Promise<never>(() => {}) }) };
  expect((await viewOf(sampleRun({ phase: 'loading' }), silent)).requesterName).toBe('U0ALICE');
});
