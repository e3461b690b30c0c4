/** The drafter's config.json still holds guesses: the server starts without a complaint and accepts about 1 % of the drafts. */
import { join } from 'node:path';
import { guessed, writeDrafterConfig } from '../disk/drafter.mjs';

export { run } from './good.mjs';

export function prepare({ home }) {
  writeDrafterConfig(join(home, 'models', 'Qwen3.6-27B-DFlash'), guessed);
}
