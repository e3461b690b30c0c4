import { expect, test } from 'vitest';
import { renderCard } from '../../src/report/card.ts';
import type { Run } from '../../src/run/run.ts';
import { verifyFingerprint } from '../../src/verify/trouble.ts';
import {
  BEFORE,
  DEATH,
  DISK,
  HANG,
  HEALTHY,
  IDLE,
  LIVELY,
  OOM,
  sampleRun,
  UNUSABLE,
  VIEW,
  visits,
  WARNED,
} from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';
import { setUp } from './set-up.ts';

const ROOT = { channel: 'C0OPS', ts: '9.000001' };
const UP = {
  phase: 'ready',
  visits: visits({ queued: 0, ready: 102 }),
  verification: HEALTHY,
  vitals: LIVELY,
} as const;

function withServers(...all: readonly Partial<Run>[]) {
  const world = setUp();
  all.forEach((changes, index) => {
    const request = { id: `r${index}`, name: `kpro5-${index + 1}` };
    world.desk.summaries.push({ run: sampleRun(changes, request), root: ROOT });
  });
  return world;
}

test('the whole fleet is one line a server, what needs a person first', async () => {
  const { type } = withServers(
    UP,
    { ...UP, vitals: { ...LIVELY, load: IDLE } },
    { phase: 'loading', progress: { phase: 'loading', done: 3, total: 15 } },
    { ...UP, verification: WARNED, vitals: { ...LIVELY, disks: [DISK] } },
    { ...UP, verification: UNUSABLE },
    { ...UP, pulse: 'out_of_contact' },
    { ...UP, vitals: { ...LIVELY, hang: HANG } },
    { ...UP, vitals: { ...LIVELY, death: DEATH } },
  );
  expect(await type('status')).toMatchInlineSnapshot(`
    "8 live servers, 3 of them need a person now:
    ⛔ kpro5-5 dflash on kpro5: not usable (drafts are not accepted), up since 2026-11-30 07:01 UTC, 3 running, 812 tokens/s, KV cache 41 %, by Alice
    🚨 kpro5-7 dflash on kpro5: hangs (requests wait, nothing is generated), up since 2026-11-30 07:01 UTC, by Alice
    🚨 kpro5-8 dflash on kpro5: engine dead, up since 2026-11-30 07:01 UTC, by Alice
    ⚠️ kpro5-4 dflash on kpro5: ready with warnings (disk, acceptance and configuration), up since 2026-11-30 07:01 UTC, 3 running, 812 tokens/s, KV cache 41 %, by Alice
    📡 kpro5-6 dflash on kpro5: out of contact, last seen ready since 2026-11-30 07:01 UTC, by Alice
    ✅ kpro5-1 dflash on kpro5: ready since 2026-11-30 07:01 UTC, 3 running, 812 tokens/s, KV cache 41 %, by Alice
    ✅ kpro5-2 dflash on kpro5: ready since 2026-11-30 07:01 UTC, idle, by Alice
    ⏳ kpro5-3 dflash on kpro5: loading weights 3/15 since 2026-11-30 07:00 UTC, by Alice"
  `);
});

test('what needs a person is never among those that are left out', async () => {
  const many = Array.from({ length: 45 }, () => UP);
  const answer = await withServers(...many, { ...UP, verification: UNUSABLE }).type('status');
  expect(answer.split('\n')[0]).toBe('46 live servers, 1 of them needs a person now:');
  expect(answer.split('\n')[1]).toContain('kpro5-46');
  expect(answer).toContain('… and 6 more');
});

test('a single server that needs a person is announced so', async () => {
  const answer = await withServers({ ...UP, vitals: { ...LIVELY, hang: HANG } }).type('status');
  expect(answer).toContain('One live server, and it needs a person now:\n🚨 kpro5-1');
});

test('all about one hides nothing that its card shows, and holds every cause', async () => {
  const changes = { ...UP, verification: { ...UNUSABLE, by: 'U0BOB' } };
  const answer = await withServers(changes).type('status kpro5-1');
  const card = plainMessage(renderCard(sampleRun(changes, { name: 'kpro5-1' }), { ...VIEW, verifierName: 'Bob' }));
  const [buttons, cut] = [/^\[Stop\]/, /^Likely cause: |^Acceptance rate /];
  const lines = card.split('\n').filter((line) => !buttons.test(line) && !cut.test(line));
  const said = answer.toLowerCase();
  expect(lines.filter((line) => !said.includes(line.replace(/\.$/, '').toLowerCase()))).toEqual([]);
  expect(answer).toContain('• It is the drafter of another model.');
  expect(answer).toContain('Open its thread (https://example.slack.com/');
});

test('all about one that had its trouble before shows the team’s note and the earlier thread', async () => {
  const exit = { code: 1, signal: null, at: 0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  const { type, desk } = withServers({ phase: 'failed', failure });
  desk.earlier = BEFORE.earlier;
  if (BEFORE.note !== null) desk.notes.set(OOM.fingerprint, BEFORE.note);
  const answer = await type('status kpro5-1');
  expect(answer).toContain("Your team's note (by Bob, 2026-11-29 07:00 UTC): Copy the good config.json over");
  expect(answer).toMatch(/Seen before: kpro5-1 on kpro5, 2026-11-28 07:00 UTC, its thread \(https:/);
});

test('an earlier run is named to those alone who may see its host', async () => {
  const exit = { code: 1, signal: null, at: 0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  const { type, desk } = withServers({ phase: 'failed', failure });
  desk.earlier = BEFORE.earlier === null ? null : { ...BEFORE.earlier, name: 'kpro6-1', host: 'kpro6' };
  expect(await type('status kpro5-1')).not.toContain('kpro6');
  expect(await type('status kpro5-1', { user: 'U0CAROL' })).toContain('Seen before: kpro6-1 on kpro6');
});

test('all about one that was stopped shows the team’s note against what was wrong with it, beside its verification', async () => {
  const { type, desk } = withServers({ ...UP, phase: 'stopped', verification: UNUSABLE });
  const trouble = verifyFingerprint(UNUSABLE);
  if (BEFORE.note !== null && trouble !== null) desk.notes.set(trouble, BEFORE.note);
  expect(await type('status kpro5-1')).toMatch(
    /Stopped.*Your team's note \(by Bob.*Acceptance: Mean acceptance length 1\.18/s,
  );
});
