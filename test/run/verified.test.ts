import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { RECORD, sampleRun, WELL } from '../report/sample-run.ts';

const READINESS = { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' } as const;

function verified(run: Run, by: string | null, more: Partial<Observation & { kind: 'verified' }> = {}) {
  const seen: Observation = {
    ...{ kind: 'verified', readiness: READINESS, at: 9, seen: 9 },
    verification: { ...WELL, by },
    ...more,
  };
  return stepAll(run, [seen]);
}

describe('a verification', () => {
  it('after the start makes a server ready, once', () => {
    const first = verified(sampleRun({ phase: 'verifying' }), null);
    expect([first.run.phase, first.happened.map(({ kind }) => kind)]).toEqual(['ready', ['ready']]);
    expect(verified(first.run, null).happened).toEqual([]);
  });

  it('that somebody asked for is told of a server that is ready', () => {
    const { run, happened } = verified(sampleRun({ phase: 'ready', verification: WELL }), 'U0ALICE');
    expect(happened).toMatchObject([{ kind: 'verified', before: WELL }]);
    expect(run.verification?.by).toBe('U0ALICE');
  });

  it.each(['loading', 'failed', 'stopped', 'lost'] as const)(
    'that somebody asked for says nothing of a server that is %s by then',
    (phase) => {
      const run = sampleRun({ phase, readiness: READINESS, verification: WELL });
      expect(verified(run, 'U0ALICE')).toEqual({ run, happened: [] });
    },
  );

  it('says nothing of a server that is being stopped by then', () => {
    for (const by of ['U0ALICE', null]) {
      const run = sampleRun({ phase: 'ready', verification: WELL, stopBy: 'U0BOB' });
      expect(verified(run, by)).toEqual({ run, happened: [] });
    }
  });

  it('is told once a question, however often that is answered', () => {
    const question = 'question-1';
    const once = verified(sampleRun({ phase: 'ready', verification: WELL }), 'U0ALICE', { question });
    expect(verified(once.run, 'U0ALICE', { question })).toEqual({ run: once.run, happened: [] });
    expect(verified(once.run, 'U0ALICE', { question: 'question-2' }).happened).toHaveLength(1);
  });

  it.each([
    ['after the start', 'verifying', null],
    ['that somebody asked for', 'ready', 'U0ALICE'],
  ] as const)('%s tells what becomes of the record', (_, phase, by) => {
    const run = sampleRun({ phase, verification: WELL });
    expect(verified(run, by, { record: RECORD }).happened).toMatchObject([{ record: RECORD }]);
    expect(verified(run, by).happened[0]).not.toHaveProperty('record');
  });
});
