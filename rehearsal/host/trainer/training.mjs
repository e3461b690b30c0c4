/** The epochs: steps with their records, checkpoints, validation. Rank 0 speaks; the others keep step with it. */
import { markEpoch, saveCheckpoint } from './checkpoints.mjs';
import { hang } from './hang.mjs';
import { renderTrainRecord, renderValRecord, valLossAt } from './metrics.mjs';
import { renderBar } from './rich.mjs';
import { fetchSample } from './samples.mjs';
import { logRankException } from './torch.mjs';

const stepSeconds = 1.35;
/** Spawned workers, the target's first answers, compiling: the first batch takes its time. */
const firstSeconds = 8;
const validationSteps = 5;
const trainingMib = 38_920;

const oomFrames = [
  ['/workspace/speculators/scripts/train.py', 694, '<module>', 'main(TrainConfig.resolve())'],
  ['/workspace/speculators/scripts/train.py', 683, 'main', 'trainer.run_training()'],
  [
    '/workspace/speculators/src/speculators/train/graceful_shutdown.py',
    118,
    'wrapper',
    'return fn(self, *args, **kwargs)',
  ],
  ['/workspace/speculators/src/speculators/train/trainer.py', 643, 'run_training', 'self.train_epoch(epoch)'],
  ['/workspace/speculators/src/speculators/train/trainer.py', 469, 'train_epoch', 'loss.backward()'],
  ['torch/_tensor.py', 630, 'backward', 'torch.autograd.backward('],
  ['torch/autograd/__init__.py', 364, 'backward', '_engine_run_backward('],
];

export async function train(trainer) {
  for (let epoch = 0; epoch < trainer.options.epochs; epoch += 1) {
    await runEpoch(trainer, epoch);
    await keepCheckpoint(trainer, epoch);
    await validate(trainer, epoch);
    await gather(trainer);
  }
}

async function runEpoch(trainer, epoch) {
  const { isFirst, log, options, plan } = trainer;
  const title = `${epoch + 1}/${options.epochs}`;
  if (isFirst) log.info(`Training epoch ${title} started`, 'trainer.py:642');
  const began = performance.now();
  for (let at = 0; at < plan.stepsPerEpoch; at += 1) {
    trainer.step = epoch * plan.stepsPerEpoch + at;
    await runStep(trainer, epoch);
    await gather(trainer);
  }
  if (!isFirst) return;
  const seconds = ((performance.now() - began) / 1000) * trainer.pace.speed;
  process.stderr.write(renderBar({ title: `Epoch ${epoch}`, total: plan.stepsPerEpoch, seconds, width: log.width }));
  log.info(`Training epoch ${title} completed`, 'trainer.py:644');
}

async function runStep(trainer, epoch) {
  const { isFirst, log, options, pace, plan, rank, step } = trainer;
  const began = performance.now();
  const sample = 100 + step * trainer.world + rank;
  const isFed = await fetchSample({ endpoint: options.endpoint, model: options.verifier, sample, pace });
  if (step === 0) await pace.work(firstSeconds);
  if (plan.hang !== null && step >= plan.hang.step) {
    trainer.useMemory(trainingMib, rank === plan.hang.rank ? 0 : 100);
    return hang(trainer);
  }
  trainer.useMemory(trainingMib);
  const fetchMs = (performance.now() - began) * pace.speed;
  await pace.work(stepSeconds);
  if (plan.oom !== null && step >= plan.oom.step) return lose(trainer);
  if (!isFirst) return;
  const timing = { fetchMs, forwardMs: 408.2, backwardMs: 824.9, optimizerMs: 39.7 };
  const totalSteps = options.epochs * plan.stepsPerEpoch;
  const { positions } = options;
  log.info(renderTrainRecord({ step, epoch, positions, totalSteps, timing, isEmpty: !isFed }), 'trainer.py:498');
}

/** The gradients' all-reduce. Whoever was interrupted meanwhile goes no further. */
async function gather({ meet, pace }) {
  await meet();
  await pace.wait(0);
}

/** One rank's memory is out; the others wait for it in a collective that never comes back. */
async function lose({ plan, rank, exit }) {
  if (rank !== plan.oom.rank) return;
  const exception =
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.79 GiB. GPU 1 has a total capacity of 47.41 GiB of which 1.12 GiB is free. ' +
    'Including non-PyTorch memory, this process has 46.28 GiB memory in use. Of the allocated memory 40.63 GiB is allocated by PyTorch, and 5.21 GiB is reserved by PyTorch but unallocated. ' +
    'If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  ' +
    'See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)';
  logRankException(rank, { frames: oomFrames, exception });
  return exit(1);
}

async function keepCheckpoint({ isFirst, log, options, pace, step }, epoch) {
  if (!isFirst) return;
  const { savePath, positions } = options;
  const path = `${savePath}/${epoch}`;
  log.info(`Saving checkpoint to ${path}`, 'trainer.py:594');
  const state = { epoch, local_step: 0, global_step: step + 1 };
  await saveCheckpoint({ savePath, name: String(epoch), pace, state, positions });
  log.info(`Checkpoint saved to ${path}`, 'trainer.py:612');
}

async function validate({ isFirst, log, options, pace, step }, epoch) {
  const title = `${epoch + 1}/${options.epochs}`;
  if (isFirst) log.info(`Validation epoch ${title} started`, 'trainer.py:659');
  await pace.work(validationSteps * stepSeconds);
  if (!isFirst) return;
  const seconds = validationSteps * stepSeconds;
  process.stderr.write(renderBar({ title: `Epoch ${epoch}`, total: validationSteps, seconds, width: log.width }));
  log.info(renderValRecord({ step, epoch, positions: options.positions }), 'trainer.py:576');
  log.info(`Validation epoch ${title} completed`, 'trainer.py:661');
  const valLoss = valLossAt(step);
  log.info(`Updated checkpoint_best -> ${epoch} (loss_epoch=${valLoss.toFixed(6)})`, 'trainer.py:632');
  markEpoch({ savePath: options.savePath, epoch, valLoss });
}
