/** What a Python has installed, by the names of its dist-info folders. */

import type { Packages } from '../host/preflight.ts';
import { parseVersion, type Version } from './version.ts';
import { code } from './words.ts';

/**
 * As its folder has it; the first one on the path counts. An install that broke off can leave two versions there (`0.19.0 or 0.20.1`, which is no
 * version): nobody knows whose files they are. null where it isn't there.
 */
export function versionTextOf({ distributions }: Packages, name: string): string | null {
  const all = distributions.filter((one) => one.name === name);
  const own = all.filter(({ folder }) => folder === all[0]?.folder);
  return own.length === 0 ? null : [...new Set(own.map(({ version }) => version))].join(' or ');
}

/** null where it isn't there, or its version can't be read. */
export function versionOf(packages: Packages, name: string): Version | null {
  return parseVersion(versionTextOf(packages, name) ?? '');
}

/** `python -m pip` of the very Python, for a command that people copy. */
export function pipOf({ python }: Packages, command: string): string {
  return code(`${python === null ? 'pip' : `${python} -m pip`} ${command}`);
}

/** `vLLM 0.20.1`. */
export function vllmWords(packages: Packages): string {
  return `vLLM ${versionTextOf(packages, 'vllm') ?? 'of unknown version'}`;
}
