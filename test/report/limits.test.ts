/** Whatever a run holds: Slack takes its card, its details, its replies, and what is sent where those were refused. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkBlocks } from '../../rehearsal/slack/blocks.ts';
import type { Message } from '../../src/chat.ts';
import type { Checklist } from '../../src/check/check.ts';
import type { Cause } from '../../src/diagnosis/cause.ts';
import { emptyReading } from '../../src/log/reading.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import { plainMessage, withoutPlan } from '../../src/report/plain.ts';
import { renderReply } from '../../src/report/reply.ts';
import { snippetOf } from '../../src/report/snippet.ts';
import { textsOf } from '../../src/report/texts.ts';
import type { View } from '../../src/report/view.ts';
import type { Failure, PulseEvent, Run, RunEvent, RunEventBody } from '../../src/run/run.ts';
import { PHASES } from '../../src/run/run.ts';
import { VERIFY_IDS, type Verification } from '../../src/verify/verification.ts';
import { still } from '../pulse/samples.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { event, FALL, GOOD_DRAFTS, HANG, LIVELY, OOM, sampleRun, sampleTraining, T0 } from './sample-run.ts';

const CHARACTERS = [
  'a',
  ' ',
  '\n',
  '<',
  '>',
  '&',
  '`',
  '*',
  '_',
  '~',
  '|',
  '@here ',
  ':x:',
  '😀',
  '👩‍👩‍👧',
  'é́́',
  '\u202e',
  '\u0000',
  ': ',
];

/** From nothing to more than any block holds. */
const text = fc
  .tuple(fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 40 }), fc.constantFrom(1, 1, 3, 200))
  .map(([parts, times]) => parts.join('').repeat(times));
const second = fc.integer({ min: 0, max: 100_000 });
const count = fc.integer({ min: 0, max: 30 });

interface Words {
  readonly words: string;
  readonly more: string;
  readonly many: number;
}

const cases = fc.record({
  words: text,
  more: text,
  many: count,
  phase: fc.constantFrom(...PHASES),
  visits: fc.array(fc.record({ phase: fc.constantFrom(...PHASES), at: second.map((at) => T0 + at) }), {
    maxLength: 100,
  }),
  pulse: fc.constantFrom('moving', 'quiet', 'busy', 'stuck', 'out_of_contact'),
  kind: fc.constantFrom('serve', 'train'),
  isStopping: fc.boolean(),
  isWaiting: fc.boolean(),
  isUp: fc.boolean(),
});

type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

test('all that is said of any run keeps every limit of Slack', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const run = runOf(given);
      const view = viewOf(given);
      const happened = eventsOf(given, run);
      const said = [
        renderCard(run, view),
        renderDetails(run, view),
        ...happened.flatMap((one) => renderReply(one, run, view) ?? []),
      ];
      for (const message of said.flatMap((one) => [one, withoutPlan(one), plainMessage(one)]))
        expect(faults(message)).toEqual([]);
      for (const file of happened.flatMap((one) => snippetOf(one, run, view) ?? [])) {
        expect(file.filename).toMatch(/^[\w.-]{1,100}\.log$/);
        expect(file.title.length).toBeLessThanOrEqual(150);
        expect(file.comment.length).toBeLessThanOrEqual(600);
      }
    }),
    { numRuns: fuzzRuns(90) },
  );
});

/** Each broken limit, in words. */
function faults(message: Message): string[] {
  const verdict = checkBlocks(message.blocks, () => 'id');
  const all = message.blocks.flatMap((block) => textsOf(block));
  return [
    ...(verdict.kind === 'taken' ? [] : [`${verdict.error} ${verdict.details.join(', ')}`]),
    ...(message.text === '' || message.text.length > 600 ? ['the sentence'] : []),
    ...(all.join('').length > 12_000 ? ['all texts together'] : []),
    ...(all.every((one) => Buffer.from(one).toString() === one) ? [] : ['half a character']),
  ];
}

function runOf(given: Case): Run {
  const { words, more, many, phase, visits, pulse, kind, isStopping, isWaiting, isUp } = given;
  const facts = {
    nccl: words,
    world_size: more,
    checkpoint: words,
    best_checkpoint: more,
    kv_cache_tokens: 5,
    epochs: 3,
  };
  const failure = failureOf(given);
  const mark = { record: { step: many, epoch: 1, loss: words, accuracy: 1, tokensPerSecond: 1 }, number: 1, at: T0 };
  const culprit = { rank: 1, pid: 7, gpu: words, operation: more, count: 1, highest: 2, also: [2, 3] };
  const changes: Partial<Run> = {
    ...{ phase, pulse, checks: checksOf(given), restarts: many, gapAt: T0, lost: words },
    visits: visits.toSorted((one, other) => one.at - other.at),
    placement: { devices: Array.from({ length: many }, () => words), holds: [], freeAt: null },
    reading: { ...emptyReading(kind), facts },
    progress: { phase: phase === 'loading' ? 'loading' : 'training', done: many, total: 30 },
    work: {
      ...NO_WORK,
      ...{
        culprit,
        behindFrom: T0,
        alarm: 'stuck',
        motion: still(9, { troubles: Array.from({ length: many }, () => words) }),
      },
      habits: [{ phase, starts: many, ms: 1, laterMs: many * 1e9, silentMs: 1 }],
      arrived: { bytes: many, total: 30 },
    },
    waiting: isWaiting
      ? { ahead: Array.from({ length: many }, () => words), count: 2, holders: holdersOf(given), why: null, after: [] }
      : null,
    stopBy: isStopping ? 'U0BOB' : null,
    stop: { proven: false, evidence: Array.from({ length: many }, () => words) },
    failure: phase === 'failed' ? failure : null,
    worthless: [words],
    training: kind === 'train' && isUp ? { since: T0, first: mark, last: mark } : null,
    readiness: isUp ? { proof: 'inferred', model: words, by: 'curl', completion: more } : null,
    verification: isUp ? verificationOf(given) : null,
    vitals: isUp ? vitalsOf(given) : null,
    restartedAs: { run: words, name: more },
  };
  const request = { recipe: words, name: `${more}-1`, argv: [words, more] };
  const run = kind === 'train' ? sampleTraining(changes, request) : sampleRun(changes, request);
  return run.started === null ? run : { ...run, started: { ...run.started, log: words, warnings: [words, more] } };
}

function viewOf({ words, more }: Words): View {
  return {
    ...{ requesterName: words, stopperName: more, verifierName: words, askerName: more, hostLine: words },
    before: {
      earlier: { name: words, host: more, at: T0, thread: { channel: words, ts: more }, link: words },
      note: { text: words, by: more, byName: words, at: T0 },
    },
  };
}

function eventsOf(given: Case, run: Run): RunEvent[] {
  const { words, more, many, phase } = given;
  const stacks = Array.from({ length: many % 5 }, () => ({ pid: 7, start: 70, by: 'proc', text: words }) as const);
  const pulse: PulseEvent = {
    ...{ kind: 'pulse', pulse: 'stuck', phase, isAlarm: true, wasAlarm: false, silentMs: 1, stillMs: 1 },
    ...{ culprit: null, arrived: null, usual: null, motion: still(9, { troubles: [words, more] }) },
  };
  const record = { step: many, epoch: 1, loss: words, accuracy: null, tokensPerSecond: null };
  const verification = verificationOf(given);
  const down = { at: T0, evidence: 'process', isAsked: false, cause: causeOf(given) } as const;
  const bodies: RunEventBody[] = [
    { kind: 'checked', checks: checksOf(given) },
    { kind: 'turn', waitedMs: 1, devices: [words, more] },
    { kind: 'turn_lost', taken: { freeAt: T0, holders: holdersOf(given) } },
    ...(run.started === null ? [] : [{ kind: 'launched', started: { ...run.started, movedLog: more } } as const]),
    ...PHASES.map((one) => ({ kind: 'phase', phase: one, note: words }) as const),
    { kind: 'target_phase', phase: 'loading', note: words },
    { kind: 'target_down', down },
    { kind: 'trouble', cause: causeOf(given) },
    { kind: 'training', record },
    { kind: 'finished', exit: null, record },
    { kind: 'ready', readiness: { proof: 'inferred', model: words, by: 'curl', completion: more }, verification },
    { kind: 'verified', verification, before: verification },
    { kind: 'unusable', verification },
    { kind: 'hang', hang: HANG },
    { kind: 'engine_dead', death: { at: T0, how: 'log', cause: causeOf(given) } },
    { kind: 'acceptance_fell', fall: FALL },
    { kind: 'disk', disk: { what: words, mount: more, free: 1, total: 2, fullInMs: 1 } },
    { kind: 'errors', errors: { count: 1, of: null, overMs: 1, from: 'log', last: words } },
    { kind: 'failed', failure: failureOf(given) },
    { kind: 'failed', failure: { kind: 'refused', reason: words, checks: checksOf(given) } },
    { kind: 'failed', failure: { kind: 'refused', reason: words, taken: { freeAt: null, holders: holdersOf(given) } } },
    { kind: 'stopping', by: words, confirmed: Array.from({ length: many }, (_, index) => index) },
    { kind: 'stopped', proof: { proven: true, evidence: Array.from({ length: many }, () => words) } },
    { kind: 'restarted', as: { run: words, name: more } },
    { kind: 'lost', why: words },
    { kind: 'out_of_contact', why: words },
    { kind: 'notice', text: words },
    { kind: 'log_asked', by: words },
    pulse,
    { kind: 'stacks', stacks, culprit: null },
  ];
  return bodies.map((body) => event(body, 9));
}

function causeOf({ words, more, many }: Words): Cause {
  const lines = Array.from({ length: many }, () => `  File "${words}", line 1, in ${more}`);
  const traceback = { first: 1, last: 2, text: ['Traceback (most recent call last):', ...lines, ...words.split('\n')] };
  return { ...OOM, type: words, process: more, title: words, why: more, message: words, remedy: more, traceback };
}

function failureOf(given: Words): Failure {
  const { words, many } = given;
  const tail = Array.from({ length: many }, () => words);
  const cause = many % 2 === 0 ? causeOf(given) : null;
  return { kind: 'ended', exit: { code: 1, signal: null, at: T0 }, during: 'loading', cause, tail };
}

function checksOf({ words, more, many }: Words): Checklist {
  const verdicts = ['refused', 'warning', 'unknown', 'passed'] as const;
  const findings = Array.from({ length: many }, (_, index) => ({
    ...{ check: `${index}`, label: `${words.slice(0, 60)} ${index}`, verdict: verdicts[index % 4] ?? 'passed' },
    ...{ found: words, needed: more, advice: words, isFinal: index % 2 === 0 },
  }));
  return { tookMs: 800, forcedBy: many % 3 === 0 ? 'U0BOB' : null, findings };
}

function holdersOf({ words, more, many }: Words) {
  const holder = { kind: 'process', what: [words], pid: 7, command: more, user: words, since: T0, run: more } as const;
  return Array.from({ length: many }, () => holder);
}

function verificationOf({ words, more, many }: Words): Verification {
  const kept = { run: words, at: T0, argv: [more] };
  const speed = { by: 'curl', tokensPerSecond: 1, firstTokenMs: 1, tokens: 1, disturbedBy: words } as const;
  const acceptance = { ...GOOD_DRAFTS, curve: Array.from({ length: many * 20 }, () => 0.5) };
  const judged = {
    found: words,
    expected: more,
    advice: words,
    causes: Array.from({ length: many }, () => more),
    shape: words,
  };
  return {
    ...{ at: T0, by: more, outcome: 'warnings', version: words, speed, acceptance, recorded: 'better' },
    findings: (['failed', 'warned', 'not_judged', 'passed'] as const).flatMap((as) =>
      VERIFY_IDS.map((id) => ({ id, as, ...judged })),
    ),
    record: { speed: { ...kept, value: speed }, acceptance: { ...kept, value: acceptance } },
  };
}

function vitalsOf(given: Words) {
  const { words, more, many } = given;
  return {
    ...LIVELY,
    hang: many % 2 === 0 ? HANG : null,
    death: many % 3 === 0 ? ({ at: T0, how: 'log', cause: causeOf(given) } as const) : null,
    disks: Array.from({ length: many }, () => ({ what: words, mount: more, free: 1, total: 2, fullInMs: 1 })),
    errors: { count: 1, of: null, overMs: 1, from: 'log', last: words } as const,
    fall: FALL,
  };
}
