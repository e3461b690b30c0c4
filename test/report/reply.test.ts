import { expect, test } from 'vitest';
import { renderCard, renderDetails } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import type { Run, RunEventBody } from '../../src/run/run.ts';
import { plainMessage } from '../support/plain.ts';
import { event, HEALTHY, OOM, sampleRun, sampleTraining, T0, VIEW, visits } from './sample-run.ts';

function shown(body: RunEventBody, changes: Partial<Run> = {}): string | null {
  const reply = renderReply(event(body, 60), sampleRun(changes), VIEW);
  return reply === null ? null : `${reply.text}\n---\n${plainMessage(reply)}`;
}

test('the launch names the process and its log', () => {
  expect(shown({ kind: 'launched', started: { ...started(), movedLog: '/root/vllm.log.1' } })).toMatchInlineSnapshot(`
    "kpro5-3 (dflash) is launched on kpro5, process 4242.
    ---
    Launched: process 4242, log /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log. An older log was moved to /root/vllm.log.1.
    ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/.vigil/runs/vigil/kpro5/vigil-kpro5-1a2b/log"
  `);
});

test('ready mentions who asked, and says how long it took', () => {
  const readiness = {
    proof: 'socket',
    model: 'Qwen3-8B',
    by: 'forwarding',
    completion: 'It completed a prompt in 0.8 s.',
  } as const;
  expect(shown({ kind: 'ready', readiness })).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) is ready. It answers on port 8000 of kpro5, 1 min after the command. It serves Qwen3-8B.
    ---
    @U0ALICE kpro5-3 (dflash) is ready.
    Qwen3-8B answers on port 8000, 1 min after the command.
    The listening socket belongs to this run. It completed a prompt in 0.8 s."
  `);
});

test('the launch brings what a terminal needs, for which the card has no room', () => {
  const run = sampleTraining({});
  const reply = renderReply(event({ kind: 'launched', started: started() }, 9), run, VIEW);
  const text = reply === null ? '' : plainMessage(reply);
  expect(text).toContain(`\n${VIEW.hostLine}\nTarget server's log /workspace/dflash/logs/vllm.log`);
  expect(plainMessage(renderCard(run, VIEW))).not.toContain('tail -n 100');
  expect(plainMessage(renderDetails(run, VIEW))).toContain(VIEW.hostLine);
});

test('a lock screen shows first that it is ready, where, and its numbers; of a path the last part is enough', () => {
  const readiness = { proof: 'socket', model: '/root/models/Qwen3-8B', by: 'forwarding', completion: 'Done.' } as const;
  const text = shown({ kind: 'ready', readiness, verification: HEALTHY })?.split('\n')[0];
  expect(text).toBe(
    '<@U0ALICE> kpro5-3 (dflash) is ready. It answers on port 8000 of kpro5, 1 min after the command: 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74). It serves Qwen3-8B.',
  );
  expect(shown({ kind: 'ready', readiness, verification: HEALTHY })).toContain(
    '\n/root/models/Qwen3-8B answers on port 8000, 1 min after the command.\n',
  );
});

test('a failure mentions who asked and shows the telling frames, the remedy and the end', () => {
  expect(
    shown({
      kind: 'failed',
      failure: { kind: 'ended', exit: { code: 1, signal: null, at: T0 }, during: 'loading', cause: OOM, tail: [] },
    }),
  ).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) failed. CUDA out of memory. Free GPU 1, or lower --gpu-memory-utilization.
    ---
    @U0ALICE kpro5-3 (dflash) failed.
    CUDA out of memory (Worker_TP1, line 101 of the log)
    Each GPU holds its share of the weights, and the drafter's.
        Traceback (most recent call last):
          … 1 outer frame left out …
          File "vllm/model_executor/layers/linear.py", line 201, in create_weights
            data=torch.empty(
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB.
    What to do: Free GPU 1, or lower --gpu-memory-utilization.
    The process ended with exit code 1 while it was loading weights; nobody asked for a stop.
    To try again once that is changed: /vllm launch kpro5 dflash"
  `);
});

test('a failure without a cause shows the last lines and says where to read on', () => {
  const exit = { code: 127, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'launched', cause: null, tail: ['one', '<!here> two'] } as const;
  expect(shown({ kind: 'failed', failure })).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) failed. The process ended with exit code 127 before its log showed anything of a server; nobody asked for a stop.
    ---
    @U0ALICE kpro5-3 (dflash) failed.
    The process ended with exit code 127 before its log showed anything of a server; nobody asked for a stop. Exit code 127: the shell did not find the command.
    The log shows no cause. Its last lines:
        one
        <!here> two
    What to do: read the end of the log: /vllm logs kpro5-3
    To try again: /vllm launch kpro5 dflash"
  `);
  expect(shown({ kind: 'failed', failure: { ...failure, tail: [] } })).toContain(
    'The log shows no cause. What to do: read',
  );
});

test('names in a remedy and a title are code, and nothing is hidden in them', () => {
  const cause = {
    ...OOM,
    title: 'A script without a `__main__` guard',
    remedy: 'Run `dmesg -T`. It said `<!here>` and `',
  };
  const exit = { code: 1, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause, tail: [] } as const;
  const reply = JSON.stringify(renderReply(event({ kind: 'failed', failure }, 9), sampleRun({}), VIEW));
  expect(reply).toContain('*A script without a `__main__` guard*');
  expect(reply).toContain('Run `dmesg -T`. It said `&lt;!here&gt;` and ˋ');
});

test('a refusal says that nothing was started', () => {
  const failure = { kind: 'refused', reason: 'Port 8000 on kpro5 is taken by pid 77.' } as const;
  expect(shown({ kind: 'failed', failure }, { started: null })).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) was not started. Port 8000 on kpro5 is taken by pid 77.
    ---
    @U0ALICE kpro5-3 (dflash) was not started.
    Port 8000 on kpro5 is taken by pid 77.
    To try again: /vllm launch kpro5 dflash"
  `);
});

test('a stop says by whom, without a mention, and its end mentions who asked for the run', () => {
  expect(shown({ kind: 'stopping', by: 'U0BOB' }, { stopBy: 'U0BOB' })).toMatchInlineSnapshot(`
    "kpro5-3 (dflash): Stopping, asked by Bob.
    ---
    Stopping, asked by Bob."
  `);
  expect(
    shown({ kind: 'stopped', proof: { proven: true, evidence: ['All 5 processes are gone.'] } }),
  ).toMatchInlineSnapshot(`
    "<@U0ALICE> kpro5-3 (dflash) is stopped. All 5 processes are gone.
    ---
    @U0ALICE kpro5-3 (dflash) is stopped.
    • All 5 processes are gone."
  `);
  expect(shown({ kind: 'stopped', proof: { proven: false, evidence: ['nvidia-smi is missing.'] } })).toContain(
    "can't be proved here",
  );
});

test.each([
  [{ kind: 'lost', why: 'The host was restarted.' }, '<@U0ALICE> kpro5-3 (dflash) is lost. The host was restarted.'],
  [{ kind: 'back_in_contact', silentMs: 125_000 }, 'kpro5-3 (dflash): Back in contact after 2 min 5 s.'],
  [
    { kind: 'log_gap', source: 'main', why: 'cut' },
    'kpro5-3 (dflash): The log was cut to nothing and begun anew (copytruncate, or a second start?): what was written right before may be missing here. It is read from its new start.',
  ],
  [
    { kind: 'log_gap', source: 'target', why: 'replaced' },
    "kpro5-3 (dflash): Another file stands in the place of the target server's log, and the one before can't be found beside it: what came between may be missing here. The new one is read from its start.",
  ],
  [
    { kind: 'silence', silentMs: 300_000, phase: 'loading' },
    'kpro5-3 (dflash): No new log line for 5 min, still loading weights. The process is alive. `/vllm logs kpro5-3` shows its last lines.',
  ],
  [{ kind: 'notice', text: 'The host has no bash.' }, 'kpro5-3 (dflash): The host has no bash.'],
] as const)('%j is told in one sentence that names the run', (body, expected) => {
  expect(renderReply(event(body, 60), sampleRun({}), VIEW)?.text).toBe(expected);
});

test('the same event says the same however far the run has come since', () => {
  const body = { kind: 'phase', phase: 'loading', note: 'world size 2' } as const;
  const early = shown(body, { phase: 'loading', visits: visits({ queued: 0, loading: 5 }) });
  const late = shown(body, { phase: 'ready', visits: visits({ queued: 0, loading: 5, compiling: 9, ready: 30 }) });
  expect(late).toBe(early);
});

function started() {
  const run = sampleRun({});
  if (run.started === null) throw new Error('the sample run has started');
  return run.started;
}
