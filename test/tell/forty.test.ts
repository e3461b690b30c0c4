/** Forty cards share the workspace's budget, at production's pace: in virtual time, against the stand-in and a real Redis. */

import { afterEach, expect, test } from 'vitest';
import { playLaunch, slowLog } from '../support/launch-story.ts';
import { openPacedReports, type PacedReports } from '../support/paced-reports.ts';

const MINUTE = 60_000;
let world: PacedReports;

afterEach(() => world?.close());

test('40 launches at once in one channel all stay true, and an end among them is seen within seconds', async () => {
  world = await openPacedReports();
  const { stage, time, sent } = world;
  const { outbox, journal } = stage.store;
  const runs: string[] = [];
  for (let i = 0; i < 40; i++) runs.push(await world.launch());
  const begun = time.now();
  let longest = 0;
  const watcher = async (): Promise<void> => {
    const seen = new Map(runs.map((id) => [id, new Map<number, number>()]));
    while (time.now() < begun + 5 * MINUTE) {
      for (const id of runs) {
        const draft = await outbox.read(id);
        if (draft === null) continue;
        const revs = seen.get(id);
        for (let rev = draft.cardRev + 1; rev <= draft.entry.rev; rev++)
          if (!revs?.has(rev)) revs?.set(rev, time.now());
        const oldest = revs?.get(draft.cardRev + 1);
        if (draft.cardRev < draft.entry.rev && oldest !== undefined) longest = Math.max(longest, time.now() - oldest);
      }
      await time.pause(5_000);
    }
  };
  const stories = runs.map(
    (id, i) => () =>
      playLaunch(id, { journal, time, lines: slowLog(), every: 5_000, ...(i === 7 ? { failsAfter: 100_000 } : {}) }),
  );
  await world.play(runs, [...stories, watcher], 10 * MINUTE);
  const failed = runs[7] ?? '';
  const card = sent.find(({ run, what, text }) => run === failed && what === 'edit' && text.startsWith('Failed'));
  const told = sent.find(({ run, what, text }) => run === failed && what === 'post' && text.includes('failed'));
  expect(card?.at).toBeLessThan(100_000 + 5_000);
  expect(told?.at).toBeLessThan(100_000 + 5_000);
  expect(longest).toBeLessThan(2 * MINUTE);
  expect(stage.slack.calls().filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  const edits = sent.filter(({ what }) => what === 'edit').map(({ at }) => at);
  const most = Math.max(...edits.map((from) => edits.filter((at) => at >= from && at < from + MINUTE).length));
  expect(most).toBeLessThanOrEqual(40);
}, 120_000);
