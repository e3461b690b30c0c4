/** The versions that a preflight came to know, for the history: of the Python that runs the launch, and of the driver. */

import type { PreflightFacts } from '../host/preflight.ts';
import { doubtOfPython } from './doubt.ts';
import { versionTextOf } from './installed.ts';
import type { Subject } from './subject.ts';

/** What failures and slow servers are most often traced back to; those that a recipe asks for come on top. */
const NAMES = ['vllm', 'torch', 'transformers', 'flash-attn', 'flashinfer-python', 'speculators'];
const MOST = 16;
const MOST_LENGTH = 60;

/** By the package's name, and `driver`; none of a Python that may be another one than will run. */
export function knownVersions(
  { packages, driver }: Pick<PreflightFacts, 'packages' | 'driver'>,
  { recipe, servers }: Pick<Subject, 'recipe' | 'servers'>,
): Readonly<Record<string, string>> {
  const known = new Map<string, string>();
  if (driver.kind === 'told' && driver.value !== null) known.set('driver', driver.value.version);
  if (packages.kind === 'told' && doubtOfPython({ recipe, servers }, packages.value.python) === null) {
    for (const name of [...NAMES, ...Object.keys(recipe.versions)]) {
      const version = versionTextOf(packages.value, name);
      if (version !== null) known.set(name, version);
    }
  }
  return Object.fromEntries([...known].slice(0, MOST).map(([name, version]) => [name, version.slice(0, MOST_LENGTH)]));
}
