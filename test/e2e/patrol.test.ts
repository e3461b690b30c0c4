import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

const PATIENCE = { timeout: 50_000, interval: 50 };
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 20, workers: { standBys: 2 } });
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
    .replace(/ *launched TIME › .* › training/, 'launched TIME › … › training')
    .replace(/ *(The target server is ready|.*: training has started, .*)\.\n\n/g, '')
    .replace(/pid \d+/g, 'pid N')
    .replace(/by \w+ \(pid/, 'by USER (pid')
    .replace(/step \d{2,}, loss [\d.]+, accuracy [\d.]+/g, 'step N, loss L, accuracy A');
}

test('a training that somebody starts by hand is found, followed and told to its end, each thing once, though workers are killed', async () => {
  const ended = trainByHand('train-by-hand');
  await vi.waitFor(() => expect(theatre.threads()).toHaveLength(1), PATIENCE);
  await theatre.workers.kill();
  await vi.waitFor(() => expect(theatre.threads()[0]?.card).toMatch(/^(Training|Saving)/), PATIENCE);
  await theatre.workers.kill();
  await ended;
  await theatre.until(/^Finished/, /has finished/);
  expect(theatre.threads()).toHaveLength(1);
  const replies = theatre.threads()[0]?.replies ?? [];
  expect(new Set(replies).size).toBe(replies.length);
  expect(reading()).toMatchInlineSnapshot(`
    "🏁 Finished: run.log on trainer (trainer-1)
    step N, loss L, accuracy A
    Last checkpoint HOME/dflash/out/RUN/checkpoints/1 (best so far: 1)
    launched TIME › … › training TIME › checkpointing TIME › finished TIME, TIME after its start
    Started by hand by USER (pid N, bash train.sh), found TIME  Log HOME/dflash/logs/run.log
    [Log]

    trainer-1 (run.log) has finished.
    Trained for TIME; last record: step 39, loss 2.496.
    2 epochs, validation loss 2.595.
    Last checkpoint HOME/dflash/out/RUN/checkpoints/1 (best so far: 1)
    That is what its log says; the exit code can't be seen, since Vigil did not start it."
  `);
});

test('one that fails is told with its cause, and the next one gets a thread of its own', async () => {
  const before = theatre.threads().length;
  await trainByHand('train-oom');
  await theatre.until(/^Failed: run\.log on trainer/, /failed/);
  expect(theatre.threads()).toHaveLength(before + 1);
  expect(reading()).toContain('A rank ran out of GPU memory (rank1, line N of the log)');
  expect(reading()).toContain('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB.');
  expect(reading()).toContain(
    "Its process is gone (torchrun: rank 1 ended with 1); its own exit code can't be seen, since Vigil did not start it.",
  );
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
  await theatre.until(/^Failed, says the log/, /failed/);
  expect(reading()).toContain('That is what the log says; its process is not visible.');
  expect(reading()).toContain('Its process is not visible: all this is what its log says.');
  expect(reading()).not.toContain('exit code');
});
