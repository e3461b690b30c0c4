import type { Phase } from '../run/run.ts';

/** What a run is doing, as the first words of a sentence. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  queued: 'Queued',
  checking: 'Checking the host',
  launched: 'Process started',
  configuring: 'Reading its configuration',
  connecting: 'Connecting the GPUs',
  downloading: 'Downloading weights',
  loading: 'Loading weights',
  compiling: 'Compiling',
  kv_cache: 'Sizing the KV cache',
  capturing: 'Capturing CUDA graphs',
  verifying: 'Verifying',
  ready: 'Ready',
  target_starting: 'Starting the target server',
  target_ready: 'Target server ready',
  preparing: 'Preparing the training',
  training: 'Training',
  checkpointing: 'Saving a checkpoint',
  finished: 'Finished',
  failed: 'Failed',
  stopped: 'Stopped',
  lost: 'Lost',
};

/** The first letter small, for the middle of a sentence. */
export function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** The first letter large, for the start of one. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
