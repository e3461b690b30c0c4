import { createMask } from './mask.ts';

const MOST = 200;
const mask = createMask([]);

/** A stranger's command line as people may see it: its secrets are hidden before it is cut, so that no half of one is left. */
export function shownCommand(command: string): string {
  return mask(command).slice(0, MOST);
}
