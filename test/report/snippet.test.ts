import { describe, expect, test } from 'vitest';
import { snippetOf } from '../../src/report/snippet.ts';
import type { RunEventBody } from '../../src/run/run.ts';
import { DEATH, event, LIVELY, OOM, sampleRun, T0 } from './sample-run.ts';

const EXIT = { code: 1, signal: null, at: T0 };
const ENDED = { kind: 'ended', exit: EXIT, during: 'loading', cause: OOM, tail: [] } as const;

function file(body: RunEventBody, run = sampleRun({}), view = {}) {
  return snippetOf(event(body, 9), run, view);
}

describe('the log comes into the thread as a file', () => {
  test('with a failure', () => {
    expect(file({ kind: 'failed', failure: ENDED })).toEqual({
      filename: 'kpro5-3.log',
      title: 'Log of kpro5-3, its end',
      comment: 'The end of the log of kpro5-3 (dflash), which failed.',
      source: 'log',
    });
  });

  test('with the death of an engine, and not a second time with the end that follows it', () => {
    expect(file({ kind: 'engine_dead', death: DEATH })?.comment).toBe(
      'The end of the log of kpro5-3 (dflash), whose engine has died.',
    );
    const dead = sampleRun({ vitals: { ...LIVELY, death: DEATH } });
    expect(file({ kind: 'failed', failure: ENDED }, dead)).toBeNull();
  });

  test('where somebody asks for it, who is named and not mentioned', () => {
    expect(file({ kind: 'log_asked', by: 'U0BOB' }, sampleRun({}), { askerName: 'Bob <@U1>' })?.comment).toBe(
      'The end of the log of kpro5-3 (dflash), asked for by Bob &lt;@U1&gt;.',
    );
  });
});

describe('no file comes', () => {
  test('with a refusal, nor of a run that has no log', () => {
    expect(file({ kind: 'failed', failure: { kind: 'refused', reason: 'Port 8000 is taken.' } })).toBeNull();
    expect(file({ kind: 'log_asked', by: 'U0BOB' }, sampleRun({ started: null }))).toBeNull();
  });

  test('with anything else that happens', () => {
    expect(file({ kind: 'stopped', proof: { proven: true, evidence: [] } })).toBeNull();
    expect(file({ kind: 'lost', why: 'The host is gone.' })).toBeNull();
  });
});

test('a name that is no file name becomes one', () => {
  const run = sampleRun({}, { name: '../../etc/passwd\n\u0000x' });
  expect(file({ kind: 'log_asked', by: 'U0BOB' }, run)?.filename).toBe('..-..-etc-passwd--x.log');
});
