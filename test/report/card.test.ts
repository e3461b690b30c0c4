import { expect, test } from 'vitest';
import { renderCard } from '../../src/report/card.ts';
import type { Run } from '../../src/run/run.ts';
import { plainMessage } from '../support/plain.ts';
import { OOM, sampleRun, T0, VIEW, visits } from './sample-run.ts';

const LOADING = { queued: 0, checking: 0.4, launched: 2, configuring: 9, connecting: 12, loading: 15 };

function shown(changes: Partial<Run>): string {
  const card = renderCard(sampleRun(changes), VIEW);
  return `${card.text}\n---\n${plainMessage(card)}`;
}

test('a loading run shows its progress, its journey, its log and its buttons', () => {
  const progress = { phase: 'loading', done: 12, total: 15 } as const;
  expect(shown({ phase: 'loading', visits: visits(LOADING), progress })).toMatchInlineSnapshot(`
    "Loading weights 12/15: dflash on kpro5 (kpro5-3).
    ---
    ⏳ Loading weights 12/15: dflash on kpro5 (kpro5-3)
    queued 0.4 s › checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading since 2026-11-30 07:00 UTC
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    Log /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    [Stop] [Restart]"
  `);
});

test('a ready run says where it serves and how that is known', () => {
  const readiness = {
    proof: 'socket',
    model: 'Qwen3-8B',
    by: 'forwarding',
    completion: 'It completed a prompt in 0.8 s.',
  } as const;
  const seen = visits({ ...LOADING, compiling: 30, capturing: 90, verifying: 100, ready: 102 });
  expect(shown({ phase: 'ready', visits: seen, readiness })).toMatchInlineSnapshot(`
    "Ready: dflash on kpro5 (kpro5-3). Qwen3-8B answers on port 8000.
    ---
    ✅ Ready: dflash on kpro5 (kpro5-3)
    Serving at http://0.0.0.0:8000/v1 as Qwen3-8B
    The listening socket belongs to this run. It completed a prompt in 0.8 s.
    queued 0.4 s › checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 15 s › compiling 1 min › capturing 10 s › verifying 2 s › ready 2026-11-30 07:01 UTC, 1 min 42 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    Log /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    [Stop] [Restart]"
  `);
});

test('a readiness that could only be inferred is said to be not proved ours', () => {
  const readiness = { proof: 'inferred', model: null, by: 'curl', completion: 'It completed a prompt.' } as const;
  expect(shown({ phase: 'ready', readiness })).toContain('Not proved ours');
});

test('a failed run shows cause, exception line, remedy and end, and no Stop', () => {
  const exit = { code: 1, signal: null, at: T0 + 40_000 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: OOM, tail: [] } as const;
  expect(shown({ phase: 'failed', visits: visits({ ...LOADING, failed: 40 }), failure })).toMatchInlineSnapshot(`
    "Failed: dflash on kpro5 (kpro5-3). CUDA out of memory.
    ---
    ❌ Failed: dflash on kpro5 (kpro5-3)
    CUDA out of memory (Worker_TP1, line 101 of the log)
    What to do: Free GPU 1, or lower --gpu-memory-utilization.
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 1 has a total capacity of 44.39 GiB of which 171.31 MiB is free.
    The process ended with exit code 1 while it was loading weights; nobody asked for a stop.
    To try again once that is changed: /vllm launch kpro5 dflash
    queued 0.4 s › checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 25 s › failed 2026-11-30 07:00 UTC, 40 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    Log /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    [Restart]"
  `);
});

test('of a long exception the card shows the first line, cut, after what to do', () => {
  const exit = { code: 1, signal: null, at: T0 };
  const cause = { ...OOM, message: `CUDA error: ${'x'.repeat(400)}\nCompile with TORCH_USE_CUDA_DSA` };
  const failure = { kind: 'ended', exit, during: 'loading', cause, tail: [] } as const;
  const lines = shown({ phase: 'failed', failure }).split('\n');
  const exception = lines.findIndex((line) => line.startsWith('    torch.OutOfMemoryError'));
  expect(lines[exception]?.trim()).toHaveLength(250);
  expect(lines[exception - 1]).toMatch(/^What to do: /);
  expect(lines[exception + 1]).toMatch(/^The process ended/);
  expect(lines).toContain('To try again once that is changed: /vllm launch kpro5 dflash');
});

test('without a cause the card shows the last lines and where to read on', () => {
  const exit = { code: 126, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'verifying', cause: null, tail: ['the last line'] } as const;
  const card = shown({ phase: 'failed', failure });
  expect(card).toContain('Exit code 126: the shell found the command, but it may not be run.');
  expect(card).toContain(
    '    the last line\nWhat to do: read the end of the log: /vllm logs kpro5-3, or the ssh line below.',
  );
});

test('a phase that comes twice in a row is told once', () => {
  const twice = [
    { phase: 'configuring', at: T0 },
    { phase: 'configuring', at: T0 + 600 },
    { phase: 'loading', at: T0 + 1100 },
  ] as const;
  expect(shown({ phase: 'loading', visits: twice })).toContain('\nconfiguring 1.1 s › loading since');
});

test('a run that was refused is not started, and says why', () => {
  const failure = { kind: 'refused', reason: 'Port 8000 on kpro5 is taken by pid 77 (python).' } as const;
  expect(shown({ phase: 'failed', started: null, failure }).split('\n')[0]).toBe(
    'Not started: dflash on kpro5 (kpro5-3). Port 8000 on kpro5 is taken by pid 77 (python).',
  );
});

test('a killed process is explained', () => {
  const exit = { code: null, signal: 9, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: null, tail: ['last line'] } as const;
  expect(shown({ phase: 'failed', failure })).toContain("the kernel's out-of-memory killer or a kill -9");
});

test('a stopped run shows what proves it', () => {
  const stop = { proven: true, evidence: ['All 5 processes are gone.', 'Port 8000 is closed.'] };
  const stopped = { phase: 'stopped', visits: visits({ ...LOADING, stopped: 50 }), stopBy: 'U0BOB', stop } as const;
  expect(shown(stopped)).toMatchInlineSnapshot(`
    "Stopped: dflash on kpro5 (kpro5-3).
    ---
    ⏹️ Stopped: dflash on kpro5 (kpro5-3)
    • All 5 processes are gone.
    • Port 8000 is closed.
    queued 0.4 s › checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 35 s › stopped 2026-11-30 07:00 UTC, 50 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    Log /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    [Restart]"
  `);
});

test('a lost run says why', () => {
  expect(
    shown({ phase: 'lost', visits: visits({ ...LOADING, lost: 50 }), lost: 'The host was restarted.' }),
  ).toMatchInlineSnapshot(`
    "Lost: dflash on kpro5 (kpro5-3). The host was restarted.
    ---
    ❓ Lost: dflash on kpro5 (kpro5-3)
    The host was restarted.
    What to do: look at dmesg -T and uptime on the host, then launch again when it is as it should be.
    To try again: /vllm launch kpro5 dflash
    queued 0.4 s › checking 1.6 s › launched 7 s › configuring 3 s › connecting 3 s › loading 35 s › lost 2026-11-30 07:00 UTC, 50 s after the command
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  GPUs 0 and 1
    Log /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log
    [Restart]"
  `);
});

test('a run out of contact keeps what was last seen', () => {
  expect(shown({ phase: 'loading', pulse: 'out_of_contact' }).split('\n')[0]).toBe(
    'Out of contact, last seen: loading weights: dflash on kpro5 (kpro5-3).',
  );
});

test('a run that is being stopped offers no second Stop', () => {
  expect(shown({ phase: 'loading', stopBy: 'U0BOB' })).not.toContain('[Stop]');
});
