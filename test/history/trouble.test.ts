import { describe, expect, test } from 'vitest';
import type { Checklist } from '../../src/check/check.ts';
import { troubleOf } from '../../src/history/trouble.ts';
import type { Exit } from '../../src/host/launch.ts';
import type { Failure, Run } from '../../src/run/run.ts';
import type { Finding, Verification } from '../../src/verify/verification.ts';
import { NO_MEMORY } from '../../src/vitals/memory.ts';
import type { Hang, Vitals } from '../../src/vitals/vitals.ts';
import { OOM, sampleRun, sampleTraining, T0, WELL } from '../report/sample-run.ts';

const exit = (code: number | null, signal: number | null = null): Exit => ({ code, signal, at: T0 });

function failed(failure: Partial<Failure & { kind: 'ended' }>, more: Partial<Run> = {}): Run {
  const whole: Failure = { kind: 'ended', exit: exit(1), during: 'loading', cause: null, tail: [], ...failure };
  return sampleRun({ phase: 'failed', failure: whole, ...more });
}

function refusedBy(...checks: string[]): Run {
  const findings = checks.map((check) => ({
    ...({ check, label: check, verdict: 'refused', found: '', needed: null, advice: null, isFinal: false } as const),
  }));
  const list: Checklist = { findings, tookMs: 5, forcedBy: null };
  return sampleRun({ phase: 'failed', failure: { kind: 'refused', reason: 'no', checks: list } });
}

const HANG: Hang = {
  ...({ what: 'engine', forMs: 60_000, running: 2, waiting: 0, health: 'ok', generatedTokens: 10 } as const),
  ...{ cores: 1, gpuUse: 100, saysThatItWaits: false },
};

const VITALS: Vitals = {
  ...{ beat: null, load: null, hang: null, death: null, disks: [], errors: null, fall: null },
  memory: NO_MEMORY,
};

const WARNED: Finding = {
  ...({ id: 'acceptance', as: 'warned', found: 'Mean acceptance length 1.18.', expected: null } as const),
  ...{ advice: null, causes: [], shape: 'flat' },
};
const LOW: Verification = { ...WELL, outcome: 'warnings', findings: [WARNED] };

describe('what is wrong with a run', () => {
  test('is its cause, whatever else was seen of it', () => {
    expect(troubleOf(failed({ cause: OOM }, { verification: LOW }))).toBe(OOM.fingerprint);
  });

  test('is nothing where all is well, and where a person stopped what was well', () => {
    expect(troubleOf(sampleRun({ phase: 'ready', verification: WELL, vitals: VITALS }))).toBeNull();
    expect(troubleOf(sampleRun({ phase: 'stopped', verification: WELL, stopBy: 'U0ALICE' }))).toBeNull();
    expect(troubleOf(sampleRun({ phase: 'lost', lost: 'rebooted' }))).toBeNull();
  });

  test('is how it ended and where, if nothing says why', () => {
    const killed = troubleOf(failed({ exit: exit(null, 9), during: 'ready' }));
    expect(killed).toMatch(/^[\da-f]{12}$/);
    expect(troubleOf(failed({ exit: { ...exit(null, 9), at: 5 }, during: 'ready' }, { restarts: 3 }))).toBe(killed);
    expect(troubleOf(failed({ exit: exit(null, 9), during: 'loading' }))).not.toBe(killed);
    expect(troubleOf(failed({ exit: exit(1), during: 'ready' }))).not.toBe(killed);
    expect(troubleOf(failed({ exit: null, during: 'ready' }))).not.toBe(killed);
  });

  test('of a cause that an older Vigil saved without a name is how it ended', () => {
    expect(troubleOf(failed({ cause: { ...OOM, fingerprint: '' } }))).toBe(troubleOf(failed({})));
  });

  test('is which checks refused it, in whatever order, and nothing for a refusal by anything else', () => {
    expect(troubleOf(refusedBy('port', 'gpu-memory'))).toBe(troubleOf(refusedBy('gpu-memory', 'port', 'port')));
    expect(troubleOf(refusedBy('port'))).not.toBe(troubleOf(refusedBy('gpu-memory')));
    expect(
      troubleOf(sampleRun({ phase: 'failed', failure: { kind: 'refused', reason: 'GPU 0 is taken' } })),
    ).toBeNull();
  });

  test('is the hang that stands, also when somebody stopped it for that, or it was killed', () => {
    const vitals = { ...VITALS, hang: HANG };
    const hanging = troubleOf(sampleRun({ phase: 'ready', verification: WELL, vitals }));
    expect(hanging).toMatch(/^[\da-f]{12}$/);
    expect(troubleOf(sampleRun({ phase: 'stopped', stopBy: 'U0ALICE', vitals }))).toBe(hanging);
    expect(troubleOf(failed({ exit: exit(null, 9), during: 'ready' }, { vitals }))).toBe(hanging);
    const deaf: Vitals = { ...vitals, hang: { ...HANG, what: 'server' } };
    expect(troubleOf(sampleRun({ phase: 'ready', vitals: deaf }))).not.toBe(hanging);
  });

  test('is what killed the engine, where that is known', () => {
    const death = { at: T0, how: 'log', cause: OOM } as const;
    expect(troubleOf(sampleRun({ phase: 'ready', vitals: { ...VITALS, death } }))).toBe(OOM.fingerprint);
    const unknown = troubleOf(sampleRun({ phase: 'ready', vitals: { ...VITALS, death: { ...death, cause: null } } }));
    expect(unknown).toMatch(/^[\da-f]{12}$/);
  });

  test('is what the verification warned of, also once it was stopped; days later it explains no crash and no loss', () => {
    const live = troubleOf(sampleRun({ phase: 'ready', verification: LOW, vitals: VITALS }));
    expect(live).toMatch(/^[\da-f]{12}$/);
    expect(troubleOf(sampleRun({ phase: 'stopped', verification: LOW, stopBy: 'U0ALICE' }))).toBe(live);
    expect(troubleOf(failed({ during: 'ready' }, { verification: LOW }))).not.toBe(live);
    expect(troubleOf(sampleRun({ phase: 'lost', lost: 'rebooted', verification: LOW }))).toBeNull();
  });

  test('of a training is what its target server died of, unless its script ended it', () => {
    const target = {
      ...{ pids: [], answered: T0, deadLooks: 2, reading: sampleTraining({}).reading },
      down: { at: T0, evidence: 'process', isAsked: false, cause: OOM } as const,
    };
    expect(troubleOf(sampleTraining({ target }))).toBe(OOM.fingerprint);
    expect(troubleOf(sampleTraining({ target: { ...target, down: { ...target.down, isAsked: true } } }))).toBeNull();
  });
});
