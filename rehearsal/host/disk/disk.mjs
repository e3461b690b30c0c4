/** The host's disk when all is well: two models, the virtual environment, and nothing that another scenario left. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeDrafter } from './drafter.mjs';
import { writePackages } from './packages.mjs';
import { writeTarget } from './target.mjs';

/** Homes whose disk is good and that nobody has changed since. */
const good = new Set();

/**
 * Makes it good again where a scenario has changed it: a launch of a moment ago must not miss its program meanwhile. `trainer`: the folder below
 * `home` in which people train; the models lie there by a link.
 */
export function restoreDisk({ home, python, trainer }) {
  if (good.has(home)) return;
  writeGoodDisk({ home, python, trainer });
  good.add(home);
}

export function markChanged(home) {
  good.delete(home);
}

function writeGoodDisk({ home, python, trainer }) {
  const models = join(home, 'models');
  for (const path of [models, join(home, '.cache')]) rmSync(path, { recursive: true, force: true });
  writeTarget(join(models, 'Qwen3.6-27B'));
  writeDrafter(join(models, 'Qwen3.6-27B-DFlash'));
  const link = join(home, trainer, 'models');
  mkdirSync(join(home, trainer), { recursive: true });
  rmSync(link, { force: true, recursive: true });
  symlinkSync(models, link);
  writePackages(home, { python });
}
