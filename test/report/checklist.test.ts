import { describe, expect, test } from 'vitest';
import type { Checklist, Finding, Verdict } from '../../src/check/check.ts';
import { renderCard } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import type { RunEventBody } from '../../src/run/run.ts';
import { plainMessage } from '../support/plain.ts';
import { event, sampleRun, VIEW } from './sample-run.ts';

function finding(label: string, verdict: Verdict, change: Partial<Finding> = {}): Finding {
  const check = label.toLowerCase().replaceAll(' ', '-');
  return { check, label, verdict, found: `${label} as it is`, needed: null, advice: null, isFinal: false, ...change };
}

function checklist(findings: readonly Finding[], forcedBy: string | null = null): Checklist {
  return { findings, tookMs: 640, forcedBy };
}

const WELL = checklist([finding('Port', 'passed'), finding('GPUs', 'passed')]);
const WARNED = checklist([finding('Port', 'passed'), finding('Disk', 'warning', { needed: '5 GiB' })]);
const REFUSED = checklist([
  finding('Port', 'passed'),
  finding('Disk', 'warning'),
  finding('Expected values', 'refused', { found: '`sliding_window` is `null`', needed: '`2048`', advice: 'Mend it.' }),
  finding('Expected values', 'refused', { found: '`block_size` is `8`', needed: '`16`', advice: 'Mend it.' }),
]);

/** The reply to an event, as a person reads it. */
function reply(body: RunEventBody, run = sampleRun({})): string | null {
  const message = renderReply(event(body, 60), run, VIEW);
  return message === null ? null : plainMessage(message);
}

describe('what the checks before a start found', () => {
  test('is said in passing by the launch where all is well', () => {
    const run = sampleRun({ checks: WELL });
    expect(reply({ kind: 'checked', checks: WELL }, run)).toBeNull();
    if (run.started === null) throw new Error('the sample has not started');
    expect(reply({ kind: 'launched', started: run.started }, run)).toContain('All 2 checks passed in 0.6 s.');
  });

  test('stands in the thread before the launch where something is to be known', () => {
    expect(reply({ kind: 'checked', checks: WARNED })).toMatchInlineSnapshot(`
      "2 checks in 0.6 s: 1 warns.
      ⚠️ Disk: Disk as it is
      Needed: 5 GiB
      ✅ Passed: Port"
    `);
  });

  test('is told once, with the end, where it refuses the launch: the card shows what refuses it, the reply all of it', () => {
    expect(reply({ kind: 'checked', checks: REFUSED })).toBeNull();
    const failure = { kind: 'refused', reason: '1 of 3 checks refuses it: Expected values.', checks: REFUSED } as const;
    const run = sampleRun({ phase: 'failed', started: null, failure });
    expect(reply({ kind: 'failed', failure }, run)).toMatchInlineSnapshot(`
      "@U0ALICE kpro5-3 (dflash) was not started.
      1 of 3 checks refuses it: Expected values.
      ❌ Expected values:
      • sliding_window is null
      Needed: 2048
      • block_size is 8
      Needed: 16
      → Mend it.
      ⚠️ Disk: Disk as it is
      ✅ Passed: Port
      Once that is put right: /vllm launch kpro5 dflash. Whoever has the right force on kpro5 can start it all the same: /vllm launch kpro5 dflash --force"
    `);
    const card = plainMessage(renderCard(run, VIEW));
    expect(card).toContain('Needed: 2048');
    expect(card).not.toContain('Disk');
  });

  test('names what --force overrode, and offers no --force where the start would fail at once', () => {
    expect(reply({ kind: 'checked', checks: { ...REFUSED, forcedBy: 'U0ALICE' } })).toContain(
      'starts although its checks refuse it',
    );
    const checks = checklist([finding('Port', 'refused', { isFinal: true })]);
    const failure = { kind: 'refused', reason: '1 of 1 check refuses it: Port.', checks } as const;
    const run = sampleRun({ phase: 'failed', started: null, failure });
    expect(reply({ kind: 'failed', failure }, run)).not.toContain('--force');
  });
});
