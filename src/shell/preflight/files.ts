/** Files whose bytes a check compares. */

import type { FileLook } from '../../host/preflight.ts';
import { line, type Script } from '../script.ts';
import { firstOf, groupsOf, readFields, SAY } from './fields.ts';
import { placed } from './place.ts';

/** Of one file, and of all. */
const MOST_BYTES = 1024 * 1024;
const MOST_IN_ALL = 4 * 1024 * 1024;

export function renderFiles(files: readonly string[], directory: string | null): Script {
  const input = [files.length, ...files.map((path) => placed(path, directory))].map(line).join('');
  return { name: 'files', text: FILES, input };
}

/** By the paths as they were asked for; null when the answer isn't whole. */
export function parseFiles(output: string, files: readonly string[]): ReadonlyMap<string, FileLook> | null {
  const fields = readFields(output);
  if (fields === null) return null;
  const looks = [...groupsOf(fields, 'file')].flatMap(([index, group]): [string, FileLook][] => {
    const [asked, path, size] = [files[index], firstOf(group, 'path'), firstOf(group, 'size')];
    if (asked === undefined || path === null) return [];
    if (size !== null) return [[asked, { kind: 'file', path, size: Number(size), text: firstOf(group, 'text') }]];
    const kind = (['missing', 'unreadable', 'folder'] as const).find((known) => known === firstOf(group, 'kind'));
    return kind === undefined ? [] : [[asked, { kind }]];
  });
  return new Map(looks);
}

/** What is neither file nor folder is never opened: a pipe would wait, a device may act. A text has no NUL, so that one can end it. */
const FILES = `
LC_ALL=C
${SAY}
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
vigil_word; vigil_count=$vigil_w vigil_i=0
while [ $vigil_i -lt $vigil_count ]; do
  vigil_path
  vigil_say file $vigil_i
  vigil_look "$vigil_w"
  vigil_i=$((vigil_i + 1))
done
vigil_say told
`;
