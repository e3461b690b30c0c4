/** Whatever a log says: no mention, no link, no way out of a code block, and Slack's limits kept. */

import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import type { Message } from '../../src/chat.ts';
import { recognise } from '../../src/diagnosis/catalog.ts';
import type { Cause } from '../../src/diagnosis/cause.ts';
import { describe } from '../../src/diagnosis/describe.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import type { View } from '../../src/report/view.ts';
import type { PulseEvent, RunEventBody } from '../../src/run/run.ts';
import { VERIFY_IDS, type Verification } from '../../src/verify/verification.ts';
import type { Vitals } from '../../src/vitals/vitals.ts';
import { still } from '../pulse/samples.ts';
import { event, FALL, GOOD_DRAFTS, HANG, LIVELY, sampleRun, T0, VIEW } from './sample-run.ts';

const BAIT =
  '<!channel> <!here> @here @channel @everyone <@U0EVE> <!subteam^S1> <http://evil|click> ``` *bold* `code` \u0007\u202e';
const HOSTILE = [BAIT, `${BAIT}\n`.repeat(800), `x${'😀'.repeat(50_000)}`, '`'.repeat(100_000), '', '\n\n'];

test.each(HOSTILE)('hostile log text %# stays text in every message', (text) => {
  for (const message of messagesWith(text)) {
    for (const parsed of parsedTexts(message)) {
      expect(parsed.replaceAll(/<@U0ALICE>|<!date\^[^>]*>/g, '')).not.toMatch(/[<>]|@(here|channel|everyone)/i);
    }
    expect(limits(message)).toEqual([]);
  }
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
  for (const said of [reply, renderCard(sampleRun({ phase: 'failed', failure }), VIEW)].filter((one) => one !== null)) {
    for (const parsed of parsedTexts(said)) {
      expect(parsed.replaceAll(/<@U0ALICE>|<!date\^[^>]*>/g, '')).not.toMatch(/[<>]|@(here|channel|everyone)/i);
    }
    expect(limits(said)).toEqual([]);
  }
});

function messagesWith(text: string): Message[] {
  const cause: Cause = {
    line: 1,
    type: text,
    process: text,
    category: 'unknown',
    row: 'team',
    title: text,
    why: text,
    message: text,
    remedy: text,
    link: null,
    retry: 'may help',
    fingerprint: '0123456789ab',
    traceback: {
      first: 1,
      last: 2,
      text: ['Traceback (most recent call last):', `  File "${text}", line 1`, ...text.split('\n')],
    },
  };
  const exit = { code: 1, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause, tail: [text] } as const;
  const readiness = { proof: 'inferred', model: text, by: 'curl', completion: text } as const;
  const proof = { proven: true, evidence: [text, text] };
  const stranger = { pid: 7, command: text, user: text, since: T0, run: text };
  const holders = [{ kind: 'process', what: [text], ...stranger }] as const;
  const culprit = { rank: 1, pid: 7, gpu: text, operation: text, count: 1, highest: 2, also: [2, 3] };
  const pulse: PulseEvent = {
    ...{ kind: 'pulse', pulse: 'stuck', phase: 'loading', isAlarm: true, wasAlarm: false, silentMs: 1, stillMs: 1 },
    ...{ culprit, arrived: null, usual: null, motion: still(9, { troubles: [text, text] }) },
  };
  const verification = verificationWith(text);
  const vitals = vitalsWith(text, cause);
  const { hang, fall, errors, death } = vitals;
  const bodies: RunEventBody[] = [
    { kind: 'ready', readiness, verification },
    { kind: 'ready', readiness, verification: { ...verification, outcome: 'warnings' } },
    { kind: 'unusable', verification },
    { kind: 'verified', verification, before: verification },
    { kind: 'verified', verification, before: { ...verification, outcome: 'ready' } },
    ...(hang === null
      ? []
      : ([
          { kind: 'hang', hang },
          { kind: 'hang_over', hang, ms: 1 },
        ] as const)),
    ...(death === null ? [] : ([{ kind: 'engine_dead', death }] as const)),
    ...(fall === null ? [] : ([{ kind: 'acceptance_fell', fall }] as const)),
    ...(errors === null ? [] : ([{ kind: 'errors', errors }] as const)),
    ...vitals.disks.map((disk) => ({ kind: 'disk', disk }) as const),
    { kind: 'turn_lost', taken: { freeAt: T0, holders } },
    { kind: 'failed', failure },
    { kind: 'failed', failure: { ...failure, cause: null } },
    { kind: 'ready', readiness },
    { kind: 'stopping', by: text },
    { kind: 'stopped', proof },
    { kind: 'lost', why: text },
    { kind: 'out_of_contact', why: text },
    { kind: 'notice', text },
    { kind: 'phase', phase: 'loading', note: text },
    pulse,
    { ...pulse, culprit: null },
    { kind: 'stacks', stacks: [{ pid: 7, start: 70, by: 'proc', text }], culprit },
  ];
  const view: View = {
    ...{ requesterName: text, stopperName: text, verifierName: text, hostLine: text },
    before: {
      earlier: { name: text, host: text, at: T0, thread: { channel: text, ts: text }, link: text },
      note: { text, by: text, byName: text, at: T0 },
    },
  };
  const replies = bodies
    .map((body) => renderReply(event(body, 9), sampleRun({}), view))
    .filter((reply) => reply !== null);
  const cards = [
    sampleRun({ phase: 'failed', failure }),
    sampleRun({ phase: 'ready', readiness }),
    sampleRun({ phase: 'ready', readiness, verification, vitals: { ...vitals, death: null } }),
    sampleRun({ phase: 'ready', readiness, verification: { ...verification, outcome: 'warnings' } }),
    sampleRun({ phase: 'ready', readiness, verification, vitals: { ...vitals, death: null, hang: null } }),
    sampleRun({ phase: 'ready', readiness, verification, vitals }),
    sampleRun({ phase: 'verifying', verification }),
    sampleRun({ phase: 'failed', failure, verification, vitals }),
    sampleRun({ phase: 'stopped', stop: proof }),
    sampleRun({ phase: 'lost', lost: text }),
    sampleRun({ pulse: 'stuck', work: { ...NO_WORK, culprit, behindFrom: T0 } }),
    sampleRun({ phase: 'failed', failure, work: { ...NO_WORK, culprit } }),
  ].flatMap((run) => [renderCard(run, view), renderDetails(run, view)]);
  return [...replies, ...cards, renderCard(sampleRun({}), VIEW)];
}

/** Every kind of finding, each with all the text that a server, a log or a person could put into it. */
function verificationWith(text: string): Verification {
  const words = {
    found: text,
    expected: text,
    advice: text,
    causes: [text, text, text, text, text, text],
    shape: text,
  };
  const kept = { run: text, at: T0, argv: [text] };
  const speed = { by: 'curl', tokensPerSecond: 1, firstTokenMs: 1, tokens: 1, disturbedBy: text } as const;
  const acceptance = { ...GOOD_DRAFTS, curve: Array.from({ length: 500 }, () => 0.5) };
  return {
    ...{ at: T0, by: text, outcome: 'unusable', version: text, speed, acceptance, recorded: 'better' },
    findings: (['failed', 'warned', 'not_judged', 'passed'] as const).flatMap((as) =>
      VERIFY_IDS.map((id) => ({ id, as, ...words })),
    ),
    record: { speed: { ...kept, value: speed }, acceptance: { ...kept, value: acceptance } },
  };
}

function vitalsWith(text: string, cause: Cause): Vitals {
  const disk = { what: text, mount: text, free: 1, total: 2, fullInMs: 1 };
  return {
    ...LIVELY,
    hang: HANG,
    death: { at: T0, how: 'log', cause },
    disks: [disk, disk, disk, disk, disk, disk, disk, disk],
    errors: { count: 1, of: null, overMs: 1, from: 'log', last: text },
    fall: FALL,
  };
}

/** What Slack parses: the top-level text and every mrkdwn object. */
function parsedTexts(message: Message): string[] {
  return [
    message.text,
    ...message.blocks.flatMap((block) =>
      texts(block)
        .filter((text) => text.type === 'mrkdwn')
        .map(({ text }) => text),
    ),
  ];
}

function texts(block: KnownBlock): { type: string; text: string }[] {
  if (block.type === 'section') return block.text === undefined ? [] : [block.text];
  if (block.type === 'context') return block.elements.flatMap((element) => ('text' in element ? [element] : []));
  if (block.type !== 'rich_text') return [];
  return block.elements.flatMap((element) =>
    element.elements.flatMap((part) => ('text' in part && part.text ? [{ type: 'text', text: part.text }] : [])),
  );
}

/** Each broken limit of Slack's, in words. */
function limits(message: Message): string[] {
  const all = message.blocks.flatMap(texts);
  return [
    message.text.length > 4000 || message.text === '' ? 'text' : null,
    message.blocks.length > 50 ? 'blocks' : null,
    all.some((text) => text.text.length > 3000) ? 'a text over 3,000' : null,
    all.some((text) => text.text.length === 0) ? 'an empty text' : null,
    all.reduce((sum, text) => sum + text.text.length, 0) > 13_000 ? 'all text over 13,000' : null,
    all.every((text) => Buffer.from(text.text).toString() === text.text) ? null : 'a cut surrogate pair',
  ].filter((words) => words !== null);
}
