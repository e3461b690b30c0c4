import { createMask } from '../log/mask.ts';

const mask = createMask([]);

/** A command line of somebody's process, as people may see it: `--api-key x` and the like are hidden. */
export function maskCommand(command: string): string {
  return mask(command);
}
