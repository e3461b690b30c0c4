/** Paths that a recipe names: where they lead, and how a probe goes through them. */

import { line } from '../script.ts';

/** As `vigil_path` takes it: what doesn't begin with `/` or `~/` starts in the launch's working directory, by default the home folder. */
export function placed(path: string, directory: string | null): string {
  if (directory === null || /^(?:\/|~\/|~$)/.test(path)) return path === '~' ? '~/' : path;
  return `${directory.replace(/\/$/, '')}/${path}`;
}

/** The data lines that `vigil_each_path` reads. */
export function pathLines(paths: readonly string[], directory: string | null): string {
  return [paths.length, ...paths.map((path) => placed(path, directory))].map(line).join('');
}

/** `vigil_each_path KEY` (after SAY) prints KEY with each path's number, lets `vigil_look PATH` tell of it, and prints `told` at the end. */
export const EACH = `
vigil_each_path() {
  vigil_word; vigil_count=$vigil_w vigil_i=0
  while [ $vigil_i -lt $vigil_count ]; do
    vigil_path
    vigil_say "$1" $vigil_i
    vigil_look "$vigil_w"
    vigil_i=$((vigil_i + 1))
  done
  vigil_say told
}
`;
