import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const TRAIN = '/dflash train trainer drafter';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 60 });
});

afterAll(() => theatre?.stop());

/** The newest thread without what differs from training to training: how far the ranks came in the meantime. */
function reading(): string {
  return theatre
    .reading()
    .replace(/All \d+ processes/g, 'All N processes')
    .replace(/step \d{2,}, loss [\d.]+, accuracy [\d.]+/g, 'step N, loss L, accuracy A');
}

test('a good training is told from its target server’s start to its last checkpoint', async () => {
  await theatre.begin('train-good', TRAIN);
  await theatre.until(/^Finished/, /has finished/);
  expect(reading()).toMatchInlineSnapshot(`
    "🏁 Finished: drafter on trainer (trainer-1)
    step N, loss L, accuracy A
    Last checkpoint HOME/dflash/out/RUN/checkpoints/1 (best so far: 1)
    checking TIME › launched TIME › target starting TIME › target ready TIME › preparing TIME › training TIME › checkpointing TIME › finished TIME, TIME after the command
    Asked by you, TIME  target on port N  GPUs 0, 1, 2 and 3
    [Restart] [Log]

    Launched: process PID, log HOME/dflash/logs/run.log. All 25 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash/logs/run.log
    Target server's log HOME/dflash/logs/vllm.log

    Target server: NCCL up (world size 2, NCCL 2.28.9), loading weights.

    The target server is ready.

    trainer-1 (drafter): training has started, step 0, loss 12.

    @U0YOU trainer-1 (drafter) has finished.
    Trained for TIME; last record: step 39, loss 2.496.
    2 epochs, validation loss 2.595.
    Last checkpoint HOME/dflash/out/RUN/checkpoints/1 (best so far: 1)"
  `);
});

test('a training of which one rank runs out of memory shows that rank’s own traceback', async () => {
  await theatre.begin('train-oom', TRAIN);
  await theatre.until(/^Failed/, /end of the log/);
  expect(reading()).toMatchInlineSnapshot(`
    "❌ Failed: drafter on trainer (trainer-2)
    A rank ran out of GPU memory (rank1, line N of the log)
    What to do: Lower --max-anchors or --total-seq-len (or the batch size of other trainers), shard the model with --fsdp-shard, and keep target and trainer on different GPUs; memory differs from step to step, since packing does. 3.79 GiB were wanted on GPU 1, of whose 47.41 GiB only 1.12 GiB were free.
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 1 has a total capacity of 47.41 GiB of which 1.12 GiB is free. Including non-PyTorc…
    The process ended with exit code 1 (torchrun: rank 1 ended with 1). Restart may help.
    step N, loss L, accuracy A
    checking TIME › launched TIME › target starting TIME › target ready TIME › preparing TIME › training TIME › checkpointing TIME › failed TIME, TIME after the command
    Asked by you, TIME  target on port N  GPUs 0, 1, 2 and 3
    [Restart] [Log] [Explain]

    Launched: process PID, log HOME/dflash/logs/run.log. An older log was moved to HOME/dflash/logs/run.log.TIME. All 25 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash/logs/run.log
    Target server's log HOME/dflash/logs/vllm.log

    Target server: NCCL up (world size 2, NCCL 2.28.9), loading weights.

    The target server is ready.

    trainer-2 (drafter): training has started, step 0, loss 12.

    @U0YOU trainer-2 (drafter) failed.
    A rank ran out of GPU memory (rank1, line N of the log)
    Weights, optimizer and the activations of one packed batch did not fit beside what else is on that GPU.
        Traceback (most recent call last):
          … 1 outer frame left out …
          File "/workspace/speculators/scripts/train.py", line 683, in main
            trainer.run_training()
          File "/workspace/speculators/src/speculators/train/graceful_shutdown.py", line 118, in wrapper
            return fn(self, *args, **kwargs)
          File "/workspace/speculators/src/speculators/train/trainer.py", line 643, in run_training
            self.train_epoch(epoch)
          File "/workspace/speculators/src/speculators/train/trainer.py", line 469, in train_epoch
            loss.backward()
          File "torch/_tensor.py", line 630, in backward
            torch.autograd.backward(
          File "torch/autograd/__init__.py", line 364, in backward
            _engine_run_backward(
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 1 has a total capacity of 47.41 GiB of which 1.12 GiB is free. Including non-PyTorch memory, this process has 46.28 GiB memory in use. Of the allocated memory 40.63 GiB is allocated by PyTorch, and 5.21 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)
    What to do: Lower --max-anchors or --total-seq-len (or the batch size of other trainers), shard the model with --fsdp-shard, and keep target and trainer on different GPUs; memory differs from step to step, since packing does. 3.79 GiB were wanted on GPU 1, of whose 47.41 GiB only 1.12 GiB were free.
    The process ended with exit code 1 (torchrun: rank 1 ended with 1); nobody asked for a stop.
    To try again, which may help: /dflash train trainer drafter

    The end of the log of trainer-2 (drafter), which failed.
    [file trainer-2.log, N KB]"
  `);
});

test('a target server that dies under its trainer is told while the trainer goes on, and a stop reaches ranks with sessions of their own', async () => {
  await theatre.begin('train-target-dies', TRAIN);
  await theatre.until(/^Training, but its target server is down/, /the target server is down/);
  await theatre.say('/dflash stop trainer');
  await theatre.until(/^Stopped/, /stopped/);
  expect(reading()).toMatchInlineSnapshot(`
    "⏹️ Stopped: drafter on trainer (trainer-3)
    • All N processes are gone.
    • Ended by signal 15 (TERM).
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1, 2, 3: 0 MiB in use).
    step N, loss L, accuracy A
    Last checkpoint HOME/dflash/out/RUN/checkpoints/interrupted
    checking TIME › launched TIME › target starting TIME › target ready TIME › preparing TIME › training TIME › checkpointing TIME › stopped TIME, TIME after the command
    Asked by you, TIME  Stop asked by you  target on port N  GPUs 0, 1, 2 and 3
    [Restart] [Log] [Explain]

    Launched: process PID, log HOME/dflash/logs/run.log. An older log was moved to HOME/dflash/logs/run.log.TIME. All 25 checks passed in TIME.
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash/logs/run.log
    Target server's log HOME/dflash/logs/vllm.log

    Target server: NCCL up (world size 2, NCCL 2.28.9), loading weights.

    The target server is ready.

    trainer-3 (drafter): training has started, step 0, loss 12.

    @U0YOU trainer-3 (drafter): the target server is down.
    Its process is gone. The training goes on without it: what it learns from now on is worth nothing.
    What to do: Stop the training, find out why the server died (its log shows no reason: look at dmesg -T on the host), then start it again.

    Stopping, asked by you.

    @U0YOU trainer-3 (drafter) is stopped.
    • All N processes are gone.
    • Ended by signal 15 (TERM).
    • Port N is closed.
    • No GPU is held by it (GPU 0, 1, 2, 3: 0 MiB in use)."
  `);
});

test('a training is refused where a server computes on its GPUs, though another host’s name was given for it', async () => {
  await theatre.begin('good', '/vllm launch kpro5 dflash');
  await theatre.until(/^Ready/, /ready/);
  const threads = theatre.threads().length;
  await theatre.say('/dflash train trainer drafter');
  await vi.waitFor(() => expect(theatre.whisper()).toContain('needs what is in use'), { timeout: 50_000 });
  expect(theatre.whisper()).toMatch(
    /• GPU 0: pid \d+ \(VLLM::Worker_TP0, .*, a process of Vigil's run demo-\w+-kpro5-\w+\)\n• GPU 1: pid/,
  );
  expect(theatre.threads()).toHaveLength(threads);
  expect((await theatre.stage.host.starts()).filter(({ command }) => command === 'torchrun')).toHaveLength(3);
});
