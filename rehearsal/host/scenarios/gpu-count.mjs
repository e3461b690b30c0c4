/** The server splits over twice two GPUs, and its own CUDA_VISIBLE_DEVICES shows it two: vLLM notices in its workers, and only there. */
import { failOutOfBounds, hasRoom } from '../startup/replicas.mjs';
import { run as runWell } from './good.mjs';

/** What the recipe of the demo says more. */
export const before = ['env', 'CUDA_VISIBLE_DEVICES=0,1'];
export const flags = ['--data-parallel-size', '2'];
export const devices = ['0', '1', '2', '3'];

export function run(server) {
  return hasRoom(server) ? runWell(server) : failOutOfBounds(server);
}
