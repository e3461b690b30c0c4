/** What is told of a run to whoever asks what is wrong with it: everything that is known, or what shows that it is well. */

import { describe, expect, test } from 'vitest';
import type { Trouble } from '../../src/log/events.ts';
import { emptyReading } from '../../src/log/reading.ts';
import type { Motion } from '../../src/pulse/evidence.ts';
import { NO_WORK } from '../../src/pulse/work.ts';
import { renderExplanation } from '../../src/report/explanation.ts';
import { renderPast } from '../../src/report/past-run.ts';
import type { Run } from '../../src/run/run.ts';
import { PAST } from '../support/past-run.ts';
import { plainMessage } from '../support/plain.ts';
import {
  BEFORE,
  HANG,
  HEALTHY,
  LIVELY,
  OOM,
  sampleRun,
  sampleTraining,
  T0,
  UNUSABLE,
  VIEW,
  visits,
} from './sample-run.ts';

const EXIT = { code: 1, signal: null, at: T0 + 60_000 };
const WAY = visits({ queued: 0, checking: 1, launched: 2, connecting: 5, loading: 9, failed: 60 });
const READY = { phase: 'ready', visits: visits({ queued: 0, loading: 9, ready: 60 }) } as const;
const READINESS = {
  proof: 'socket',
  model: 'Qwen3-8B',
  by: 'forwarding',
  completion: 'It completed a prompt.',
} as const;
const STILL: Motion = {
  ...{ at: T0 + 200_000, overMs: 15_000, moved: [], cores: 0, gpuUse: 0, behind: [], behindCores: null },
  ...{ isRunnable: false, isHalted: false, coming: null, troubles: [], suspects: [] },
};

function told(run: Run, view = VIEW): string {
  return plainMessage(renderExplanation(run, view));
}

function trouble(line: number, type: string, message: string, process: string): Trouble {
  return { line, type, message, process, pid: 1, traceback: null };
}

function failed(change: Partial<Run> = {}): Run {
  const failure = { kind: 'ended', exit: EXIT, during: 'loading', cause: OOM, tail: [] } as const;
  return sampleRun({ phase: 'failed', failure, visits: WAY, ...change });
}

describe('of a failure', () => {
  test('cause, remedy, traceback, what only follows from it, how far it came, note and former run are told', () => {
    const message = OOM.message;
    const troubles = [
      trouble(101, 'torch.OutOfMemoryError', message, 'Worker_TP1'),
      trouble(120, 'torch.OutOfMemoryError', message, 'Worker_TP0'),
      trouble(140, 'RuntimeError', 'Engine core initialization failed. See root cause above.', 'EngineCore'),
    ];
    const run = failed({ reading: { ...emptyReading('serve'), troubles } });
    expect(told(run, { ...VIEW, ...{ before: BEFORE } })).toMatchInlineSnapshot(`
      "❌ Failed, dflash on kpro5 (kpro5-3)
      Your team's note (by Bob, 2026-11-29 07:00 UTC): Copy the good config.json over, then restart.
      CUDA out of memory (Worker_TP1, line 101 of the log)
      Each GPU holds its share of the weights, and the drafter's.
          Traceback (most recent call last):
            … 1 outer frame left out …
            File "vllm/model_executor/layers/linear.py", line 201, in create_weights
              data=torch.empty(
          torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB.
      What to do: Free GPU 1, or lower --gpu-memory-utilization.
      Seen before: kpro5-1 on kpro5, 2026-11-28 07:00 UTC, its thread (https://example.slack.com/archives/C0OPS/p1)
      The process ended with exit code 1 while it was loading weights; nobody asked for a stop.
      To try again once that is changed: /vllm launch kpro5 dflash
      Kind cuda_oom, traceback in lines 34 to 101 of the log, fingerprint 0123456789ab.
      Looks like a cause, and is none:
      • Line 120: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.
      Worker_TP0 failed in the same way, after line 101.
      • Line 140: RuntimeError: Engine core initialization failed. See root cause above.
      It only says that something else failed: line 101 (The GPU ran out of memory).
      All of its traceback:
          Traceback (most recent call last):
            File "/usr/lib/python3.12/dist-packages/vllm/tracing/otel.py", line 178, in sync_wrapper
              return func(*args, **kwargs)
                     ^^^^^^^^^^^^^^^^^^^^^
            File "/usr/lib/python3.12/dist-packages/vllm/model_executor/layers/linear.py", line 201, in create_weights
              data=torch.empty(
                   ^^^^^^^^^^^^
          torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB.
      checking 1 s › launched 3 s › connecting 4 s › loading 51 s › failed 2026-11-30 07:01 UTC, 1 min after the command"
    `);
  });

  test('whoever hears it read out is told what it was and what to do', () => {
    expect(renderExplanation(failed(), VIEW).text).toMatch(
      /^Failed: dflash on kpro5 .*CUDA out of memory.* Free GPU 1/,
    );
    const { text } = renderExplanation(sampleRun({}), VIEW);
    expect(text).toContain('Nothing is wrong so far: loading weights.');
  });

  test('without a cause the last lines are shown', () => {
    const failure = { kind: 'ended', exit: EXIT, during: 'loading', cause: null, tail: ['one', 'two'] } as const;
    expect(told(failed({ failure }))).toContain('The log shows no cause. Its last lines:\n    one\n    two');
  });

  test('a traceback that is shown whole above is not shown twice, and one that is too long not at all', () => {
    const text = [
      'Traceback (most recent call last):',
      '  File "/srv/a.py", line 1, in main',
      '    go()',
      'KeyError: 1',
    ];
    const short = { ...OOM, traceback: { first: 1, last: 4, text } };
    const long = {
      ...OOM,
      traceback: { first: 1, last: 900, text: [...Array(300).fill('  File "/a.py", line 1, in f'), 'E: x'] },
    };
    for (const cause of [short, long]) {
      const failure = { kind: 'ended', exit: EXIT, during: 'loading', cause, tail: [] } as const;
      expect(told(failed({ failure }))).not.toContain('All of its traceback');
    }
  });

  test("of a training whose target's log has the cause no line of its own log is judged by it", () => {
    const troubles = [trouble(7, 'ConnectionError', 'refused', 'rank0')];
    const run = failed({ reading: { ...emptyReading('train'), troubles } });
    expect(told(run)).not.toContain('Looks like a cause');
  });

  test('nothing in it mentions or formats, and all of it fits a message', () => {
    const nasty = '<!channel> <@U0BOB> *x* `y` &'.repeat(40);
    const cause = { ...OOM, message: nasty, title: nasty, why: nasty, remedy: nasty, process: nasty };
    const troubles = Array.from({ length: 20 }, (_, index) => trouble(200 + index, 'E', nasty, nasty));
    const failure = { kind: 'ended', exit: EXIT, during: 'loading', cause, tail: [] } as const;
    const message = renderExplanation(
      failed({
        failure,
        reading: { ...emptyReading('serve'), troubles: [trouble(101, OOM.type ?? '', nasty, 'x'), ...troubles] },
      }),
      VIEW,
    );
    const marked = JSON.stringify(message.blocks.filter((block) => block.type !== 'rich_text'));
    expect(marked).not.toMatch(/<(?:!(?!date)|@)/);
    expect(message.blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(message.blocks).length).toBeLessThan(20_000);
  });
});

describe('of a live run with something wrong', () => {
  test('what shows that it is stuck, and the usual reasons', () => {
    const work = { ...NO_WORK, before: 'stuck', motion: STILL, alarm: 'stuck' } as const;
    const run = sampleRun({ phase: 'connecting', pulse: 'stuck', heard: T0 + 10_000, seenAt: T0 + 200_000, work });
    expect(told(run)).toContain(
      'stuck for 3 min 10 s in connecting: no log line, nothing read or written, GPU memory unchanged, 0.0 CPU cores, GPU at 0 %.\nUsual reasons in connecting:',
    );
  });

  test('silence that nobody can look into is no well-being', () => {
    const run = sampleRun({ heard: T0 + 10_000, seenAt: T0 + 400_000, work: { ...NO_WORK, alarm: 'silent' } });
    expect(told(run)).toContain('The process is alive; what it does could not be seen on the host.');
    expect(told(run)).not.toContain('Nothing is wrong');
  });

  test('what its verification found, with every likely cause', () => {
    const answer = told(sampleRun({ ...READY, verification: UNUSABLE, vitals: LIVELY }));
    expect(answer).toContain('the drafts are worth nothing.');
    expect(answer).toContain('• It is the drafter of another model.');
  });

  test('a hang with its evidence', () => {
    expect(told(sampleRun({ ...READY, verification: HEALTHY, vitals: { ...LIVELY, hang: HANG } }))).toContain(
      'Not one token since: its counter stands at 12,345.',
    );
  });

  test('a host that is out of contact', () => {
    expect(told(sampleRun({ pulse: 'out_of_contact' }))).toContain('No contact since 2026-11-30 07:01 UTC.');
  });

  test('a target server that died under its training, with its own cause', () => {
    const down = { at: T0, evidence: 'process', isAsked: false, cause: OOM } as const;
    const target = { reading: emptyReading('serve'), pids: [], answered: T0, deadLooks: 3, down };
    const answer = told(sampleTraining({ target }));
    expect(answer).toContain(
      'Target server: down (CUDA out of memory)\nIts processes are gone. The training waits for it in vain.',
    );
    expect(answer).toContain('What to do: Free GPU 1');
  });

  test('a target server that died without a word says what comes of that, and what to do', () => {
    const down = { at: T0, evidence: 'process', isAsked: false, cause: null } as const;
    const target = { reading: emptyReading('serve'), pids: [], answered: T0, deadLooks: 3, down };
    const answer = told(sampleTraining({ target }));
    expect(answer).toContain('Its processes are gone. The training waits for it in vain.');
    expect(answer).toContain('What to do: Stop the training, find out why the server died');
  });
});

describe('of a run that is well', () => {
  test.each([
    [
      'ready',
      sampleRun({ ...READY, verification: HEALTHY, vitals: LIVELY, readiness: READINESS }),
      'Nothing is wrong with it: Qwen3-8B answers on port 8000.\nVerified 2026-11-30 07:01 UTC: ready.\n3 running',
    ],
    [
      'loading',
      sampleRun({ progress: { phase: 'loading', done: 3, total: 15 } }),
      'Nothing is wrong so far: loading weights 3/15.\n20 % done\nIts log moved last at 2026-11-30 07:01:00 UTC',
    ],
    ['finished', sampleTraining({ phase: 'finished' }), 'Nothing went wrong: it came to its end.'],
    [
      'stopped',
      sampleRun({ phase: 'stopped', stopBy: 'U0BOB', stop: { proven: true, evidence: ['All 9 processes are gone.'] } }),
      'Nothing went wrong: it was stopped, asked by Bob.\nAll 9 processes are gone.',
    ],
    ['being stopped', sampleRun({ stopBy: 'U0BOB' }), 'it is being stopped, as somebody asked.'],
    ['not verified', sampleRun({ isToldUnverified: true }, { address: null }), 'as far as can be seen.\nNot verified:'],
  ])('%s: one line says so, and what shows it', (_, run, expected) => {
    expect(told(run)).toContain(expected);
  });

  test('a stop that is not proved is not well', () => {
    const stop = { proven: false, isGone: false, evidence: ['pid 12 of root is left.'] };
    expect(told(sampleRun({ phase: 'stopped', stop }))).not.toContain('Nothing went wrong');
  });
});

test('of a run that only the history has, what it has is told, and that it is all', () => {
  expect(plainMessage(renderPast(PAST, null, BEFORE.note))).toMatchInlineSnapshot(`
    "kpro5-1 (dflash on kpro5) ended so long ago that only the history has it:
    • kpro5-1 dflash on kpro5, 2026-11-30 07:01 UTC: failed after 51 s: CUDA out of memory
    Your team's note (by Bob, 2026-11-29 07:00 UTC): Copy the good config.json over, then restart.
    CUDA out of memory (cuda_oom, Worker_TP1)
        CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.
    What to do: Free GPU 1, or lower --gpu-memory-utilization.
    queued 9 s › loading 51 s"
  `);
});
