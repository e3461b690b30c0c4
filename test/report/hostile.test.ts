/** Whatever a log, a host or a person says: no mention, link, format or character of theirs takes effect, and Slack's limits are kept. */

import fc from 'fast-check';
import { expect, describe as group, test } from 'vitest';
import { recognise } from '../../src/diagnosis/catalog.ts';
import { describe } from '../../src/diagnosis/describe.ts';
import { renderCard } from '../../src/report/card.ts';
import { plainMessage } from '../../src/report/plain.ts';
import { renderReply } from '../../src/report/reply.ts';
import { faults, foreign } from '../support/foreign-text.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { messagesWith } from './messages-with.ts';
import { event, sampleRun, T0, VIEW } from './sample-run.ts';

const BAIT =
  '<!channel> <!here> @here @channel @everyone <@U0EVE> <!subteam^S1> <http://evil|click> ``` *bold* `code` \u0007\u202e';
const HOSTILE = [BAIT, `${BAIT}\n`.repeat(800), `x${'😀'.repeat(50_000)}`, '`'.repeat(100_000), '', '\n\n'];

test.each(HOSTILE)('hostile log text %# stays text in every message', (text) => {
  for (const message of messagesWith(text)) expect(faults(message)).toEqual([]);
});

test.each([
  `${BAIT.replaceAll(':', ' ')}: command not found`,
  `bash: line 1: ${BAIT.replaceAll(':', ' ')}: Permission denied`,
  `vllm serve: error: argument --x: Value ${BAIT} cannot be converted to <function loads at 0x1>.`,
  `vllm: error: unrecognized arguments: ${BAIT}`,
])('what a remedy takes from the log %j stays text', (message) => {
  const trouble = { line: 1, type: null, process: null, pid: null, message, traceback: null };
  const setting = { kind: 'serve', wasReady: false, isTarget: false, facts: {}, teamRows: [] } as const;
  const cause = describe(recognise(trouble, 'serve'), setting);
  expect(cause.remedy).toContain('@channel');
  const failure = {
    kind: 'ended',
    exit: { code: 127, signal: null, at: T0 },
    during: 'launched',
    cause,
    tail: [],
  } as const;
  const reply = renderReply(event({ kind: 'failed', failure }, 9), sampleRun({}), VIEW);
  const card = renderCard(sampleRun({ phase: 'failed', failure }), VIEW);
  for (const said of [reply, card].filter((one) => one !== null)) expect(faults(said)).toEqual([]);
});

test('no mark of others takes effect in any message, also where it is cut, simplified or sent alone', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(foreign, fc.nat(60), (text, times) => {
      for (const message of messagesWith(text.repeat(times === 60 ? 200 : 1))) {
        expect(faults(message)).toEqual([]);
        expect(faults(plainMessage(message))).toEqual([]);
      }
    }),
    { numRuns: fuzzRuns(60) },
  );
});

group('the faults that are looked for', () => {
  test.each([
    ['x *⟦b⟧* x', "bold of others: '⟦b⟧'"],
    ['*ours x ⟦b⟧* x', "bold of others: 'ours x ⟦b⟧'"],
    ['_⟦i⟧_', "italic of others: '⟦i⟧'"],
    [':evil_smile:', "emoji: 'evil_smile'"],
    ['a\n&gt; b', "quote: ' b'"],
    ['<@U0EVE>', 'a mention of U0EVE'],
    ['@here', 'a mention of '],
    ['<https://evil.example|x>', 'a link to https://evil.example'],
    ['<!date^1^{date}^https://evil.example|x>', "a token that is not ours: '!date^1^{date}^https://evil.example|x'"],
    ['a\u202eb', 'a character that acts unseen'],
    ['a\ud83d', 'half a surrogate pair'],
    ['&l…', 'half an entity'],
  ])('are found in %j', (text, fault) => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }] as const;
    expect(faults({ text: 'x', blocks })).toContain(fault);
  });
});
