/** Room on the file systems of paths that a launch writes to. */

import type { Room } from '../../host/preflight.ts';
import type { Script } from '../script.ts';
import { type Field, firstOf, looksOf, SAY } from './fields.ts';
import { EACH, pathLines } from './place.ts';

export function renderRoom(room: readonly string[], directory: string | null): Script {
  return { name: 'room', text: ROOM, input: pathLines(room, directory) };
}

/** By the paths as they were asked for; one that df can't tell of is left out. null when the answer isn't whole. */
export function parseRoom(output: string, room: readonly string[]): ReadonlyMap<string, Room> | null {
  return looksOf(output, room, { key: 'room', read: readRoom });
}

/** df -P -k: `DEVICE BLOCKS USED AVAILABLE CAPACITY MOUNT`, blocks of 1024 bytes; names may hold blanks. */
function readRoom(group: readonly Field[]): Room | null {
  const [path, df] = [firstOf(group, 'path'), firstOf(group, 'df')];
  const [, total, free, mount] = COLUMNS.exec(df?.trim().split('\n').at(-1) ?? '') ?? [];
  if (path === null || mount === undefined) return null;
  const isWritable = firstOf(group, 'writable') === '1';
  return { path, mount, free: Math.max(0, Number(free)) * 1024, total: Number(total) * 1024, isWritable };
}

const COLUMNS = / (\d{1,20}) {1,40}-?\d{1,20} {1,40}(-?\d{1,20}) {1,40}(?:\d{1,4}%|-) {1,40}(\/.{0,4096})/;

const ROOM = `
LC_ALL=C
${SAY}${EACH}
vigil_look() {
  vigil_above=\${1%/}
  while [ ! -d "$vigil_above" ] && [ -n "$vigil_above" ]; do
    case $vigil_above in */*) vigil_above=\${vigil_above%/*} ;; *) vigil_above= ;; esac
  done
  vigil_above=\${vigil_above:-/}
  vigil_say path "$vigil_above"
  if [ -w "$vigil_above" ] && [ -x "$vigil_above" ]; then vigil_say writable 1; fi
  vigil_say df "$(df -P -k "$vigil_above" 2>/dev/null)"
}
vigil_each_path room
`;
