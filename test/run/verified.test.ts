import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/run/observe.ts';
import type { Run } from '../../src/run/run.ts';
import { stepAll } from '../../src/run/step.ts';
import { sampleRun, WELL } from '../report/sample-run.ts';

const READINESS = { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' } as const;

function verified(run: Run, by: string | null) {
  const seen: Observation = {
    ...{ kind: 'verified', readiness: READINESS, at: 9, seen: 9 },
    verification: { ...WELL, by },
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
});
