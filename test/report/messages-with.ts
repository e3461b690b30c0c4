/** Every message about a run, with the same text of others wherever one has such a text. */

import type { Message } from '../../src/chat.ts';
import type { Cause } from '../../src/diagnosis/cause.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import type { View } from '../../src/report/view.ts';
import type { PulseEvent, RunEventBody } from '../../src/run/run.ts';
import { VERIFY_IDS, type Verification } from '../../src/verify/verification.ts';
import type { Vitals } from '../../src/vitals/vitals.ts';
import { still } from '../pulse/samples.ts';
import { event, FALL, GOOD_DRAFTS, HANG, LIVELY, sampleRun, T0, VIEW } from './sample-run.ts';

export function messagesWith(text: string): Message[] {
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
