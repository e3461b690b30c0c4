/** vLLM's own version: the one that stands on the host's disk. */
import { join } from 'node:path';
import { vllmVersion } from '../disk/packages.mjs';

export function installedVersion(folder) {
  return vllmVersion(join(folder, 'home'));
}
