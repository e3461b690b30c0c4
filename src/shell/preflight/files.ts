/** Files whose bytes a check compares. */

import type { FileLook } from '../../host/preflight.ts';
import type { Script } from '../script.ts';
import { type Field, firstOf, looksOf, SAY } from './fields.ts';
import { EACH, pathLines } from './place.ts';

/** Of one file, and of all. */
const MOST_BYTES = 1024 * 1024;
const MOST_IN_ALL = 4 * 1024 * 1024;

export function renderFiles(files: readonly string[], directory: string | null): Script {
  return { name: 'files', text: FILES, input: pathLines(files, directory) };
}

/** By the paths as they were asked for; null when the answer isn't whole. */
export function parseFiles(output: string, files: readonly string[]): ReadonlyMap<string, FileLook> | null {
  return looksOf(output, files, { key: 'file', read: readFile });
}

function readFile(group: readonly Field[]): FileLook | null {
  const [path, size] = [firstOf(group, 'path'), firstOf(group, 'size')];
  if (path === null) return null;
  if (size !== null) return { kind: 'file', path, size: Number(size), text: firstOf(group, 'text') };
  const kind = (['missing', 'unreadable', 'folder'] as const).find((known) => known === firstOf(group, 'kind'));
  return kind === undefined ? null : { kind };
}

/** What is neither file nor folder is never opened: a pipe would wait, a device may act. A text has no NUL, so that one can end it. */
const FILES = `
LC_ALL=C
${SAY}${EACH}
vigil_look() {
  vigil_say path "$1"
  if [ -d "$1" ]; then vigil_say kind folder; return; fi
  if [ ! -e "$1" ]; then vigil_say kind missing; return; fi
  if [ ! -f "$1" ] || [ ! -r "$1" ]; then vigil_say kind unreadable; return; fi
  vigil_size "$1"
  vigil_say size "$vigil_bytes"
  if [ "$vigil_bytes" -gt ${MOST_BYTES} ] || [ "$vigil_bytes" -gt "$vigil_left" ]; then return; fi
  vigil_left=$((vigil_left - vigil_bytes))
  printf 'text '
  head -c ${MOST_BYTES} -- "$1" 2>/dev/null | tr '\\000' '?'
  printf '\\0'
}
vigil_left=${MOST_IN_ALL}
vigil_each_path file
`;
