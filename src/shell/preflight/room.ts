/** Room on the file systems of paths that a launch writes to. */

import type { Room } from '../../host/preflight.ts';
import { line, type Script } from '../script.ts';
import { type Field, firstOf, groupsOf, readFields, SAY } from './fields.ts';
import { placed } from './place.ts';

export function renderRoom(room: readonly string[], directory: string | null): Script {
  const input = [room.length, ...room.map((path) => placed(path, directory))].map(line).join('');
  return { name: 'room', text: ROOM, input };
}

/** By the paths as they were asked for; one that df can't tell of is left out. null when the answer isn't whole. */
export function parseRoom(output: string, room: readonly string[]): ReadonlyMap<string, Room> | null {
  const fields = readFields(output);
  if (fields === null) return null;
  const looks = [...groupsOf(fields, 'room')].flatMap(([index, group]): [string, Room][] => {
    const [asked, look] = [room[index], readRoom(group)];
    return asked === undefined || look === null ? [] : [[asked, look]];
  });
  return new Map(looks);
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
${SAY}
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
vigil_word; vigil_count=$vigil_w vigil_i=0
while [ $vigil_i -lt $vigil_count ]; do
  vigil_path
  vigil_say room $vigil_i
  vigil_look "$vigil_w"
  vigil_i=$((vigil_i + 1))
done
vigil_say told
`;
