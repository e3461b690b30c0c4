import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 50_000, interval: 50 };
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 20, hasStandBy: true });
});

afterAll(() => theatre?.stop());

/** Somebody on the host trains, in their own shell; Vigil is told nothing. */
async function trainByHand(scenario: string): Promise<Promise<void>> {
  const { host } = theatre.stage;
  await host.setScenario(scenario);
  return host.trainByHand(await findFreePort());
}

/** The newest thread without what differs from training to training: how far it was when the patrol came by, too. */
function reading(): string {
  return theatre
    .reading()
    .replace(/out\/\d{4}-\d{6}/g, 'out/RUN')
    .replace(/ *launched TIME › .* › training/, 'launched TIME › … › training')
    .replace(/ *(The target server is ready|.*: training has started, .*)\.\n\n/g, '')
    .replace(/pid \d+/g, 'pid N')
    .replace(/by \w+ \(pid/, 'by USER (pid')
    .replace(/line \d+ of/g, 'line N of')
    .replace(/step \d{2,}, loss [\d.]+, accuracy [\d.]+/g, 'step N, loss L, accuracy A');
}

test('a training that somebody starts by hand is found, followed and told to its end, each thing once, though workers are killed', async () => {
  const ended = trainByHand('train-by-hand');
  await vi.waitFor(() => expect(theatre.threads()).toHaveLength(1), PATIENCE);
  await theatre.workers.kill();
  await vi.waitFor(() => expect(theatre.threads()[0]?.card).toMatch(/^(Training|Saving)/), PATIENCE);
  await theatre.workers.kill();
  await ended;
  await vi.waitFor(() => expect(theatre.threads()[0]?.card).toMatch(/^Finished/), PATIENCE);
  await vi.waitFor(() => expect(theatre.threads()[0]?.replies.at(-1)).toMatch(/has finished/), PATIENCE);
  expect(theatre.threads()).toHaveLength(1);
  const replies = theatre.threads()[0]?.replies ?? [];
  expect(new Set(replies).size).toBe(replies.length);
  expect(reading()).toMatchInlineSnapshot(`
    "🏁 Finished: run.log on trainer (trainer-1)
    step N, loss L, accuracy A
    Last checkpoint HOME/dflash/out/RUN/checkpoints/1 (best so far: 1)
    launched TIME › … › training TIME › checkpointing TIME › finished TIME, TIME after its start
    Started by hand by USER (pid N, bash train.sh), found TIME
    Log HOME/dflash/logs/run.log
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash/logs/run.log

    trainer-1 (run.log) has finished.
    Trained for TIME; last record: step 39, loss 2.496.
    2 epochs, validation loss 2.595.
    Last checkpoint HOME/dflash/out/RUN/checkpoints/1 (best so far: 1)"
  `);
});

test('one that fails is told with its cause, and the next one gets a thread of its own', async () => {
  await trainByHand('train-oom');
  await vi.waitFor(() => expect(theatre.threads().at(-1)?.card).toMatch(/^Failed/), PATIENCE);
  await vi.waitFor(() => expect(theatre.threads().at(-1)?.replies.at(-1)).toMatch(/failed/), PATIENCE);
  expect(theatre.threads()).toHaveLength(2);
  expect(reading()).toMatchInlineSnapshot(`
    "❌ Failed: run.log on trainer (trainer-2)
    A rank ran out of GPU memory (rank1, line N of the log)
    What to do: Lower --max-anchors or --total-seq-len (or the batch size of other trainers), shard the model with --fsdp-shard, and keep target and trainer on different GPUs; memory differs from step to step, since packing does. 3.79 GiB were wanted on GPU 1, of whose 47.41 GiB only 1.12 GiB were free.
        torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 1 has a total capacity of 47.41 GiB of which 1.12 GiB is free. Including non-PyTorch memory, this process has 46.28 GiB memory in use. Of the allocated memory 40.63 GiB is a…
    Its process is gone (torchrun: rank 1 ended with 1); its own exit code can't be seen, since Vigil did not start it.
    step N, loss L, accuracy A
    launched TIME › … › training TIME › checkpointing TIME › failed TIME, TIME after its start
    Started by hand by USER (pid N, bash train.sh), found TIME
    Log HOME/dflash/logs/run.log
    ssh -p PORT rehearsal@127.0.0.1 tail -n 100 -F HOME/dflash/logs/run.log

    trainer-2 (run.log) failed.
    A rank ran out of GPU memory (rank1, line N of the log)
        Traceback (most recent call last):
          File "/workspace/speculators/scripts/train.py", line 694, in <module>
            main(TrainConfig.resolve())
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
    Its process is gone (torchrun: rank 1 ended with 1); its own exit code can't be seen, since Vigil did not start it."
  `);
});

test('of one whose process nobody sees no verdict goes further than its log', async () => {
  const before = theatre.threads().length;
  const folder = join(theatre.stage.host.home, 'elsewhere', 'logs');
  await mkdir(folder, { recursive: true });
  const write = (...lines: string[]) => appendFile(join(folder, 'run.log'), `${lines.join('\n')}\n`);
  let step = 0;
  const record = () =>
    `[09:05:06] INFO     train/loss=9.1, train/full_acc=0.004, epoch=0, lr=1.00e-04, global_step=${step++}      trainer.py:498`;
  await write('[09:05:00] INFO     Training epoch 1/3 started       trainer.py:642');
  await vi.waitFor(
    async () => {
      await write(record());
      expect(theatre.threads()).toHaveLength(before + 1);
    },
    { ...PATIENCE, interval: 1000 },
  );
  await write(
    record(),
    '[rank0]: Traceback (most recent call last):',
    '[rank0]:   File "/w/train.py", line 9, in <module>',
  );
  await write(
    '[rank0]:     main()',
    '[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB.',
  );
  await vi.waitFor(() => expect(theatre.threads().at(-1)?.card).toMatch(/^Failed, says the log/), PATIENCE);
  await vi.waitFor(() => expect(theatre.threads().at(-1)?.replies.at(-1)).toMatch(/failed/), PATIENCE);
  expect(reading()).toContain('That is what the log says; its process is not visible.');
  expect(reading()).toContain('Its process is not visible: all this is what its log says.');
  expect(reading()).not.toContain('exit code');
});
