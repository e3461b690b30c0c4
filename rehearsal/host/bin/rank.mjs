/** One rank of the trainer, started by torchrun's stand-in: `scripts/train.py` of speculators 0.7 as far as it can be seen. */

import { openDevice, visibleDevices } from '../stand-in/devices.mjs';
import { onOwnerGone } from '../stand-in/owner.mjs';
import { createPace } from '../stand-in/pace.mjs';
import { readScenario, removeServer, startOf, writeServer } from '../stand-in/state.mjs';
import { createBarrier } from '../trainer/barrier.mjs';
import { saveOnInterrupt } from '../trainer/interrupt.mjs';
import { parseTrainOptions } from '../trainer/options.mjs';
import { createConsole } from '../trainer/rich.mjs';
import { setUp } from '../trainer/setup.mjs';
import { train } from '../trainer/training.mjs';

const usualPlan = { stepsPerEpoch: 20, oom: null, hang: null };

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const folder = process.env.REHEARSAL_HOST;
const rank = Number(process.env.RANK);
const scenario = readScenario(folder);
const { plan: ownPlan } = await import(`../scenarios/${scenario.scenario}.mjs`);
const plan = { ...usualPlan, ...ownPlan };
const titles = { title: 'python', gpu: visibleDevices()[rank] ?? rank };

/** What the parts of a training share; only its own step, memory and end change. */
const trainer = {
  rank,
  world: Number(process.env.WORLD_SIZE),
  isFirst: rank === 0,
  log: createConsole(),
  options: parseTrainOptions(process.argv.slice(3)),
  pace: createPace(scenario.speed),
  plan,
  ...createBarrier(),
  step: 0,
  get hasLostRank() {
    const lost = plan.oom ?? plan.hang;
    return lost !== null && trainer.step >= lost.step;
  },
  /** GPU memory as nvidia-smi shows it, and what it says of the GPU's use, in percent. */
  useMemory(mib, utilization) {
    const own = { pid: process.pid, start: startOf(process.pid), ...titles, utilization };
    writeServer(folder, { port: null, mib, processes: [own] });
  },
  exit(code) {
    removeServer(folder, process.pid);
    process.exit(code);
  },
  end() {
    trainer.log.info('Destroyed distributed process group', 'distributed.py:180');
    trainer.exit(0);
  },
};

openDevice(folder);
onOwnerGone(folder, () => trainer.exit(1));
// Something must keep a rank alive that waits for another.
setInterval(() => undefined, 2 ** 30);
await setUp(trainer);
saveOnInterrupt(trainer);
await train(trainer);
trainer.end();
