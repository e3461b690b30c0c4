import { describe, expect, test } from 'vitest';
import { entryOf } from '../../src/history/entry-of.ts';
import type { Verification } from '../../src/verify/verification.ts';
import { OOM, sampleRun, sampleTraining, T0, visits, WELL } from '../report/sample-run.ts';

const END = T0 + 100_000;

const MEASURED: Verification = {
  ...WELL,
  outcome: 'warnings',
  speed: { by: 'forwarding', tokensPerSecond: 41.23456, firstTokenMs: 210.6, tokens: 256, disturbedBy: null },
  acceptance: { rate: 0.6123456, length: 3.44444, curve: [0.91111111, 0.5], drafts: 200, of: 'prompts' },
  version: '0.20.1',
};

describe('what is kept of a run that ended', () => {
  test('is its command, its GPUs, its phases with their times, and what its verification measured', () => {
    const run = sampleRun({
      phase: 'stopped',
      stopBy: 'U0BOB',
      visits: [...visits({ queued: 0, checking: 1, launched: 2, loading: 10, verifying: 40, ready: 41, stopped: 100 })],
      placement: { devices: ['2', '3'], holds: [], freeAt: null },
      verification: MEASURED,
      reading: { ...sampleRun({}).reading, facts: { version: '0.20', nccl: '2.28.9', world_size: 2 } },
    });
    expect(entryOf(run, END)).toEqual({
      version: 1,
      run: 'vigil-kpro5-1a2b',
      name: 'kpro5-3',
      kind: 'serve',
      host: 'kpro5',
      recipe: 'dflash',
      argv: ['vllm', 'serve', 'Qwen/Qwen3-8B', '--port', '8000'],
      devices: ['2', '3'],
      by: 'U0ALICE',
      stoppedBy: 'U0BOB',
      at: T0,
      startedAt: T0 + 2000,
      endedAt: END,
      end: 'stopped',
      isRefused: false,
      outcome: 'warnings',
      phases: [
        { phase: 'queued', ms: 1000 },
        { phase: 'checking', ms: 1000 },
        { phase: 'launched', ms: 8000 },
        { phase: 'loading', ms: 30_000 },
        { phase: 'verifying', ms: 1000 },
        { phase: 'ready', ms: 59_000 },
      ],
      versions: { vllm: '0.20.1', nccl: '2.28.9' },
      exit: null,
      cause: null,
      fingerprint: null,
      numbers: {
        tokensPerSecond: 41.23,
        isDisturbed: false,
        firstTokenMs: 210.6,
        acceptance: { rate: 0.6123, length: 3.4444, curve: [0.9111, 0.5], drafts: 200, of: 'prompts' },
        loss: null,
        step: null,
      },
      thread: null,
    });
  });

  test('has the versions of what was installed, as far as the checks saw it; what runs says more truly what it is', () => {
    const installed = { vllm: '0.19.0', torch: '2.11.0+cu130', driver: '580.159.04' };
    const checks = { findings: [], tookMs: 5, forcedBy: null, versions: installed };
    const reading = { ...sampleRun({}).reading, facts: { nccl: '2.28.9' } };
    const ended = { phase: 'failed', reading, failure: { kind: 'refused', reason: 'x' } } as const;
    expect(entryOf(sampleRun({ ...ended, checks }), END).versions).toEqual({ ...installed, nccl: '2.28.9' });
    const run = sampleRun({ ...ended, checks, verification: MEASURED });
    expect(entryOf(run, END).versions).toMatchObject({ vllm: '0.20.1', torch: '2.11.0+cu130' });
    const older = sampleRun({ ...ended, checks: { findings: [], tookMs: 5, forcedBy: null } });
    expect(entryOf(older, END).versions).toEqual({ nccl: '2.28.9' });
  });

  test('tells of tokens/s whether others disturbed them', () => {
    const speed = MEASURED.speed === null ? null : { ...MEASURED.speed, disturbedBy: 'Others compute.' };
    const run = sampleRun({ phase: 'stopped', verification: { ...MEASURED, speed } });
    expect(entryOf(run, END).numbers).toMatchObject({ tokensPerSecond: 41.23, isDisturbed: true });
    expect(entryOf(sampleRun({ phase: 'stopped' }), END).numbers).toMatchObject({ isDisturbed: null });
  });

  test('holds the cause without its traceback', () => {
    const failure = { kind: 'ended', exit: { code: 1, signal: null, at: T0 }, during: 'loading', cause: OOM, tail: [] };
    const entry = entryOf(
      sampleRun({ phase: 'failed', failure: { ...failure, kind: 'ended', during: 'loading' } }),
      END,
    );
    expect(entry).toMatchObject({ exit: { code: 1, signal: null }, fingerprint: OOM.fingerprint });
    expect(Object.keys(entry.cause ?? {})).toEqual(['category', 'row', 'title', 'message', 'remedy', 'process']);
  });

  test('says why nothing was started, and why a run is lost', () => {
    const refused = sampleRun({
      phase: 'failed',
      started: null,
      failure: { kind: 'refused', reason: 'GPU 0 is in use by pid 12' },
    });
    expect(entryOf(refused, END)).toMatchObject({
      isRefused: true,
      startedAt: null,
      cause: { category: 'refused', title: 'Not started', message: 'GPU 0 is in use by pid 12' },
    });
    const lost = sampleRun({ phase: 'lost', lost: 'The host was started again.' });
    expect(entryOf(lost, END).cause).toMatchObject({ category: 'lost', message: 'The host was started again.' });
  });

  test('of a training is how far it came, with each phase once', () => {
    const record = { step: 400, epoch: 1, loss: 'nan', accuracy: null, tokensPerSecond: null };
    const mark = { record, number: 9, at: T0 };
    const run = sampleTraining({
      phase: 'finished',
      visits: [
        ...([
          { phase: 'training', at: T0 },
          { phase: 'checkpointing', at: T0 + 10 },
        ] as const),
        ...([
          { phase: 'training', at: T0 + 30 },
          { phase: 'finished', at: T0 + 70 },
        ] as const),
      ],
      training: { since: T0, first: mark, last: mark },
    });
    expect(entryOf(run, END)).toMatchObject({
      end: 'finished',
      numbers: { loss: 'nan', step: 400 },
      phases: [
        { phase: 'training', ms: 50 },
        { phase: 'checkpointing', ms: 20 },
      ],
    });
  });

  test('stays small, whatever the command and the log hold', () => {
    const long = 'x'.repeat(50_000);
    const cause = { ...OOM, title: long, message: long, remedy: long, process: long };
    const argv = ['vllm', ...Array.from({ length: 500 }, () => long)];
    const failure = { kind: 'ended', exit: null, during: 'loading', cause, tail: [long] } as const;
    const facts = { version: long, nccl: long };
    const run = sampleRun(
      { phase: 'failed', failure, reading: { ...sampleRun({}).reading, facts } },
      { argv, recipe: long },
    );
    const entry = entryOf(run, END);
    expect(entry.cause?.message).toHaveLength(500);
    expect(JSON.stringify(entry).length).toBeLessThan(6000);
    expect(entry.argv.at(-1)).toBe('… 498 more');
  });

  test('is nothing for a run that lives', () => {
    expect(() => entryOf(sampleRun({}), END)).toThrow('a run that is loading has not ended');
  });
});
