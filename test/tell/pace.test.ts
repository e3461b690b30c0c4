/** How often Slack is called, at production's pace: in virtual time, against the stand-in and a real Redis. */

import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { refusalOf } from '../../src/rights.ts';
import { openChat } from '../../src/slack/chat.ts';
import { GATE } from '../support/gate.ts';
import { playLaunch, slowLog, usualLog } from '../support/launch-story.ts';
import { openPacedReports, type PacedReports } from '../support/paced-reports.ts';
import { CHANNEL } from '../support/report-stage.ts';

const MINUTE = 60_000;
let world: PacedReports;

afterEach(() => world?.close());

/** ms between one edit of a card and the next, with when the later one came. */
function gaps(run: string): { at: number; gap: number; text: string }[] {
  const edits = world.sent.filter((one) => one.run === run && (one.what === 'edit' || one.event === 'root'));
  return edits.slice(1).map(({ at, text }, index) => ({ at, text, gap: at - (edits[index]?.at ?? 0) }));
}

describe('a launch of three minutes', () => {
  test.each([
    ['as most are', usualLog],
    ['with something new at every moment', slowLog],
  ])('%s takes fewer than 25 calls of Slack in all', async (_, log) => {
    world = await openPacedReports();
    const { stage, time } = world;
    const { slack, tools } = stage;
    // The bot's own: who asks, and whether it may write there. Then the worker's look at the right.
    const bot = openChat({
      token: slack.botToken,
      apiUrl: slack.apiUrl,
      timeoutMs: 5_000,
      gate: GATE,
      log: pino({ level: 'silent' }),
    });
    await bot.person('U0ALICE');
    await bot.isMember(CHANNEL);
    const id = await world.launch();
    await refusalOf(tools, { user: 'U0ALICE', host: 'kpro5', verb: 'launch' });
    await world.play([id], [() => playLaunch(id, { journal: tools.journal, time, lines: log() })], 10 * MINUTE);
    const last = world.sent.findLast(({ what }) => what === 'edit');
    expect(last?.text).toMatch(/^Ready/);
    expect(last?.at).toBeGreaterThan(165_000);
    expect(last?.at).toBeLessThan(200_000);
    expect(slack.calls().length).toBeLessThan(25);
    const [ready, ...others] = gaps(id).reverse();
    expect(ready?.text).toMatch(/^Ready/);
    for (const { at, gap } of others) expect(gap).toBeGreaterThanOrEqual(at < 2 * MINUTE ? 10_000 : 30_000);
  });
});
