/** How a rank takes SIGTERM while it trains (speculators' graceful_shutdown.py): it saves what it has and ends with 0. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPace } from '../stand-in/pace.mjs';
import { saveCheckpoint } from './checkpoints.mjs';

/** The signal comes again while the stack unwinds (from torchrun, after a group's): that one is not heard, however late a busy machine brings it. */
const unwindSeconds = 1;
/** Real time: who signals a rank alone brings no second one. */
const longestUnwindMs = 10_000;

export function saveOnInterrupt(trainer) {
  let isInterrupted = false;
  const interrupt = (name) => {
    if (isInterrupted) return;
    isInterrupted = true;
    void save(trainer, name);
  };
  for (const name of ['SIGTERM', 'SIGINT']) process.on(name, interrupt);
}

async function save(trainer, name) {
  const { log, isFirst, options } = trainer;
  log.warning(
    `Received ${name} — interrupting training to save checkpoint. Send again to force immediate exit.`,
    'graceful_shutdown.py:90',
  );
  trainer.pace.halt();
  await sleep((unwindSeconds * 1000) / trainer.pace.speed);
  await Promise.race([trainer.closing, sleep(longestUnwindMs)]);
  // From here on a second signal ends it at once.
  for (const each of ['SIGTERM', 'SIGINT']) process.removeAllListeners(each);
  log.warning(
    'Training interrupted — attempting to save checkpoint (timeout=120s, send Ctrl+C again to force exit)...',
    'graceful_shutdown.py:122',
  );
  const path = `${options.savePath}/interrupted`;
  if (isFirst) log.info(`Saving checkpoint to ${path}`, 'trainer.py:594');
  // Saving is a collective: with a dead rank it waits until it is killed.
  if (trainer.hasLostRank) return setInterval(() => undefined, 2 ** 30);
  const pace = createPace(trainer.pace.speed);
  const { savePath, positions } = options;
  const state = { epoch: 0, local_step: trainer.step, global_step: trainer.step };
  if (isFirst) await saveCheckpoint({ savePath, name: 'interrupted', pace, state, positions });
  else await pace.wait(6);
  if (isFirst) log.info(`Interrupt checkpoint saved to '${path}'`, 'graceful_shutdown.py:139');
  return trainer.end();
}
