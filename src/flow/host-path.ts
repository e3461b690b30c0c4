import { posix } from 'node:path';

/** A path of a recipe or of its script, from `/` or `~/` on: others start in the working directory, by default the SSH user's home. */
export function hostPath(path: string, directory: string | null): string {
  return /^(?:\/|~\/)/.test(path) ? path : posix.join(directory ?? '~', path);
}
