import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANNEL } from '../../rehearsal/demo/stage.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { openTheatre, type Theatre, unmeasured } from '../support/theatre.ts';

const LAUNCH = '/vllm launch kpro5 dflash';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50 });
});

afterAll(() => theatre?.stop());

/** The line of the host's log that the newest message names as the cause's. */
function citedLine(): string | undefined {
  const texts = theatre.stage.slack.messages(CHANNEL.id).map(toPlainText);
  const number = texts.map((text) => Number(/line (\d+) of the log/.exec(text)?.[1])).findLast((line) => line > 0) ?? 0;
  return readFileSync(path.join(theatre.stage.host.home, 'dflash.log'), 'utf8').split('\n')[number - 1];
}

test('a good launch is told to its readiness, and a stop to its proof', async () => {
  await theatre.begin('good', LAUNCH);
  await theatre.until(/^Ready/, /ready/);
  expect(theatre.reading()).toMatchInlineSnapshot(`
    "✅ Ready: dflash on kpro5 (kpro5-1)
    Serving at http://127.0.0.1:N/v1 as HOME/models/Qwen3.6-27B
    Verified TIME (vLLM 0.25.1): N tokens/s, first token after N ms, mean acceptance length 2.70.
    Acceptance rate 11 % ▆▄▂▂▁▁▁▁▁▁▁····
    checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › compiling TIME › KV cache TIME › capturing TIME › verifying TIME › ready TIME, TIME after the command
    Asked by you, TIME  port N  GPUs 0 and 1
    [Stop] [Restart] [Log]

    Launched: process PID, log HOME/dflash.log. All 22 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash.log

    NCCL up (world size 2, NCCL 2.28.9), loading weights.

    Weights loaded (TIME), compiling.

    @U0YOU kpro5-1 (dflash) is ready.
    HOME/models/Qwen3.6-27B answers on port N, TIME after the command.
    The listening socket belongs to this run. It completed a prompt with 16 tokens.
    Start-up: loading weights TIME, compiling TIME, sizing the KV cache TIME, capturing CUDA graphs TIME. KV cache: room for 203,152 tokens.
    Measured (vLLM 0.25.1): N tokens/s, first token after N ms, mean acceptance length 2.70.
    Acceptance rate 11 %, by position ▆▄▂▂▁▁▁▁▁▁▁····: 63 % at position 1, 40 % at 2, 0 % at 15.
    This is the recipe's first record on this host.
    ✅ Passed: access, model name, completion, chat, acceptance, speed, first token, configuration, statistics"
  `);
  await theatre.say('/vllm stop kpro5');
  await theatre.until(/^Stopped/, /stopped/);
  expect(theatre.reading()).toMatchInlineSnapshot(`
    "⏹️ Stopped: dflash on kpro5 (kpro5-1)
    • All 4 processes are gone.
    • Exit code 0.
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1: 0 MiB in use).
    checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › compiling TIME › KV cache TIME › capturing TIME › verifying TIME › ready TIME › stopped TIME, TIME after the command
    Asked by you, TIME  Stop asked by you  port N  GPUs 0 and 1
    [Restart] [Log]

    Launched: process PID, log HOME/dflash.log. All 22 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash.log

    NCCL up (world size 2, NCCL 2.28.9), loading weights.

    Weights loaded (TIME), compiling.

    @U0YOU kpro5-1 (dflash) is ready.
    HOME/models/Qwen3.6-27B answers on port N, TIME after the command.
    The listening socket belongs to this run. It completed a prompt with 16 tokens.
    Start-up: loading weights TIME, compiling TIME, sizing the KV cache TIME, capturing CUDA graphs TIME. KV cache: room for 203,152 tokens.
    Measured (vLLM 0.25.1): N tokens/s, first token after N ms, mean acceptance length 2.70.
    Acceptance rate 11 %, by position ▆▄▂▂▁▁▁▁▁▁▁····: 63 % at position 1, 40 % at 2, 0 % at 15.
    This is the recipe's first record on this host.
    ✅ Passed: access, model name, completion, chat, acceptance, speed, first token, configuration, statistics

    Stopping, asked by you.

    @U0YOU kpro5-1 (dflash) is stopped.
    • All 4 processes are gone.
    • Exit code 0.
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1: 0 MiB in use)."
  `);
});

test('a launch that runs out of memory shows the first failing worker’s own traceback and what to do', async () => {
  await theatre.begin('oom', LAUNCH);
  await theatre.until(/^Failed/, /end of the log/);
  expect(theatre.reading()).toMatchInlineSnapshot(`
    "❌ Failed: dflash on kpro5 (kpro5-2)
    The GPU ran out of memory, and another process holds much of it (Worker_TP1, line N of the log)
    What to do: See on the host what process PID is (ps -fp 3381): it holds 20.67 GiB of GPU 1. End it if it is left over, or choose other GPUs in CUDA_VISIBLE_DEVICES. 170.00 MiB were wanted on GPU 1, of whose 47.41 GiB only 121.31 MiB were free.
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 170.00 MiB. GPU 1 has a total capacity of 47.41 GiB of which 121.31 MiB is free. Process 3381 has…
    The process ended with exit code 1 while it was loading weights. Restart may help.
    checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › failed TIME, TIME after the command
    Asked by you, TIME  port N  GPUs 0 and 1
    [Restart] [Log] [Explain]

    Launched: process PID, log HOME/dflash.log. An older log was moved to HOME/dflash.log.TIME. All 22 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash.log

    NCCL up (world size 2, NCCL 2.28.9), loading weights.

    @U0YOU kpro5-2 (dflash) failed.
    The GPU ran out of memory, and another process holds much of it (Worker_TP1, line N of the log)
    Somebody else is on the same GPU: a server that was not ended whole, the target server beside the trainer, or another user.
        Traceback (most recent call last):
          … 5 outer frames left out …
          File "vllm/model_executor/models/qwen3.py", line 204, in __init__
            self.mlp = Qwen3MLP(
          File "vllm/model_executor/models/qwen2.py", line 93, in __init__
            self.gate_up_proj = MergedColumnParallelLinear(
          File "vllm/model_executor/layers/linear.py", line 478, in __init__
            self.quant_method.create_weights(
          File "vllm/model_executor/layers/linear.py", line 201, in create_weights
            data=torch.empty(
          … 1 frame left out …
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 170.00 MiB. GPU 1 has a total capacity of 47.41 GiB of which 121.31 MiB is free. Process 3381 has 20.67 GiB memory in use. Including non-PyTorch memory, this process has 26.61 GiB memory in use. Of the allocated memory 26.08 GiB is allocated by PyTorch, and 35.84 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation. See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)
    What to do: See on the host what process PID is (ps -fp 3381): it holds 20.67 GiB of GPU 1. End it if it is left over, or choose other GPUs in CUDA_VISIBLE_DEVICES. 170.00 MiB were wanted on GPU 1, of whose 47.41 GiB only 121.31 MiB were free.
    The process ended with exit code 1 while it was loading weights; nobody asked for a stop.
    To try again, which may help: /vllm launch kpro5 dflash

    The end of the log of kpro5-2 (dflash), which failed.
    [file kpro5-2.log, N KB]"
  `);
  expect(citedLine()).toMatch(/^\(Worker_TP1 .*torch\.OutOfMemoryError: CUDA out of memory/);
});

test('a server that dies after it was ready has crashed, though it exits with 0', async () => {
  await theatre.begin('crash-after-ready', LAUNCH);
  await theatre.until(/^Failed/, /exit code 0/);
  expect(unmeasured(theatre.reading())).toMatchInlineSnapshot(`
    "❌ Failed: dflash on kpro5 (kpro5-3)
    A CUDA kernel read or wrote where it may not (Worker_TP0, line N of the log)
    What to do: Launch again. If it comes back, set CUDA_LAUNCH_BLOCKING=1 in the environment: then the frame shown is the right one (kernels run asynchronously). Another --attention-backend, --enforce-eager or another version avoids most; if it is always the same GPU, test that GPU (dmesg -T | grep Xid).
        torch.AcceleratorError: CUDA error: an illegal memory access was encountered …
    Its engine died, then its process ended with exit code 0 (vLLM ends tidily when its engine dies). Restart may help.
    checking TIME › launched TIME › configuring TIME › connecting TIME › loading TIME › compiling TIME › KV cache TIME › capturing TIME › verifying TIME › ready TIME › failed TIME, TIME after the command
    Asked by you, TIME  port N  GPUs 0 and 1
    [Restart] [Log] [Explain]

    Launched: process PID, log HOME/dflash.log. An older log was moved to HOME/dflash.log.TIME. All 22 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash.log

    NCCL up (world size 2, NCCL 2.28.9), loading weights.

    Weights loaded (TIME), compiling.

    @U0YOU kpro5-3 (dflash) is ready.
    HOME/models/Qwen3.6-27B answers on port N, TIME after the command.
    The listening socket belongs to this run. It completed a prompt with 16 tokens.
    Start-up: loading weights TIME, compiling TIME, sizing the KV cache TIME, capturing CUDA graphs TIME. KV cache: room for 203,152 tokens.

    @U0YOU kpro5-3 (dflash): its engine has died.
    A CUDA kernel read or wrote where it may not (Worker_TP0, line N of the log)
    A bug in a kernel, or sizes that it was not made for; the frame shown is not to be trusted, since kernels run asynchronously.
        Traceback (most recent call last):
          File "vllm/v1/executor/multiproc_executor.py", line 942, in worker_busy_loop
            output = func(*args, **kwargs)
          … 1 frame left out …
          File "vllm/v1/worker/gpu_worker.py", line 797, in execute_model
            output = self.model_runner.execute_model(scheduler_output,
          File "vllm/v1/worker/gpu_model_runner.py", line 3961, in execute_model
            ) = self._bookkeeping_sync(scheduler_output, sampler_output,
          File "vllm/v1/worker/gpu_model_runner.py", line 6842, in _to_list
            self.transfer_event.synchronize()
          File "torch/cuda/streams.py", line 231, in synchronize
            super().synchronize()
        torch.AcceleratorError: CUDA error: an illegal memory access was encountered
        CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
        For debugging consider passing CUDA_LAUNCH_BLOCKING=1
        Compile with \`TORCH_USE_CUDA_DSA\` to enable device-side assertions.
    What to do: Launch again. If it comes back, set CUDA_LAUNCH_BLOCKING=1 in the environment: then the frame shown is the right one (kernels run asynchronously). Another --attention-backend, --enforce-eager or another version avoids most; if it is always the same GPU, test that GPU (dmesg -T | grep Xid).
    It answers nobody; its process ends by itself as a rule. To start it again: /vllm restart kpro5-3

    The end of the log of kpro5-3 (dflash), whose engine has died.
    [file kpro5-3.log, N KB]

    Its engine died, then its process ended with exit code 0 (vLLM ends tidily when its engine dies); nobody asked for a stop.
    To try again, which may help: /vllm launch kpro5 dflash"
  `);
  expect(citedLine()).toMatch(/^\(Worker_TP0 .*CUDA error: an illegal memory access was encountered/);
});
