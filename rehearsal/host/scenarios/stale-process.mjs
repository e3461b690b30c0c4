/** Workers of a dead server still hold both GPUs, and its log is in the way and still open in them. Without them it starts well. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLeftovers } from '../disk/leftovers.mjs';

export { run } from './good.mjs';

/** No other card to go to. */
export const gpus = 2;

const held = { gpus: [0, 1], mib: 44_182 };
const lastWords = `(APIServer pid=22107) INFO 05-14 09:20:15 [utils.py:299] version 0.25.1
(Worker_TP0 pid=22262) INFO 05-14 09:21:40 [gpu_worker.py:619] CUDA graph pool memory: 0.29 GiB (actual), 0.31 GiB (estimated), difference: 0.02 GiB (6.9%).
(APIServer pid=22107) INFO:     Application startup complete.
`;

export async function prepare({ folder, home }) {
  const log = join(home, 'dflash.log');
  writeFileSync(log, lastWords);
  await startLeftovers(folder, { ...held, log });
}
