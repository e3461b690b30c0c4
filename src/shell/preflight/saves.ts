/** What stands at a training's save path. */

import type { Checkpoint, SaveLook } from '../../host/preflight.ts';
import type { Script } from '../script.ts';
import { allOf, type Field, firstOf, looksOf, SAY } from './fields.ts';
import { EACH, pathLines } from './place.ts';
import { readSizes, SIZES } from './sizes.ts';

/** Checkpoints of one save path, and names in one. */
const MOST = 200;
const MOST_NAMES = 500;

export function renderSaves(saves: readonly string[], directory: string | null): Script {
  return { name: 'saves', text: SAVES, input: pathLines(saves, directory) };
}

/** By the paths as they were asked for; null when the answer isn't whole. */
export function parseSaves(output: string, saves: readonly string[]): ReadonlyMap<string, SaveLook> | null {
  return looksOf(output, saves, { key: 'save', read: readSave });
}

function readSave(group: readonly Field[]): SaveLook {
  const kind = firstOf(group, 'kind');
  if (kind === 'missing' || kind === 'file') return { kind };
  const now = Number(firstOf(group, 'now') ?? 0);
  const checkpoints = allOf(group, 'checkpoint').map((text) => readCheckpoint(text, now));
  return { kind: 'folder', checkpoints, isWritable: firstOf(group, 'writable') === '1' };
}

/** The first row is the folder's own; its time counts for one that is empty. */
function readCheckpoint(text: string, now: number): Checkpoint {
  const end = text.indexOf('\n');
  const name = text.slice(0, end);
  const rows = readSizes(text.slice(end + 1));
  const files = rows.filter((row) => row.name !== name);
  const latest = Math.max(...(files.length > 0 ? files : rows).map(({ modified }) => modified), 0);
  return {
    name,
    names: files.map((file) => file.name.slice(name.length + 1)),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    age: Math.max(0, now - latest),
  };
}

/** Links are passed over: what trainers link (`epoch1_step200 -> 1`) stands there as a folder, too. */
const SAVES = `
LC_ALL=C
${SAY}${EACH}${SIZES}
vigil_is_checkpoint() {
  case $1 in
    interrupted) return 0 ;;
    epoch_*_step_*)
      vigil_step=\${1##*_step_} vigil_epoch=\${1#epoch_}
      case $vigil_step\${vigil_epoch%%_*} in *[!0-9]*) return 1 ;; esac
      return 0 ;;
    *[!0-9]*) return 1 ;;
  esac
}
vigil_checkpoint() {
  printf 'checkpoint %s\\n' "$1"
  set -- "$1" "$1"/* "$1"/*/*
  vigil_folder=$1 vigil_n=0
  vigil_kept=$#
  while [ $vigil_kept -gt 0 ]; do
    vigil_kept=$((vigil_kept - 1))
    vigil_file=$1
    shift
    { [ -f "$vigil_file" ] || [ "$vigil_file" = "$vigil_folder" ]; } || continue
    vigil_n=$((vigil_n + 1))
    [ $vigil_n -gt ${MOST_NAMES} ] || set -- "$@" "$vigil_file"
  done
  vigil_sizes "$@"
  printf '\\0'
}
vigil_look() {
  if [ ! -d "$1" ]; then
    if [ -e "$1" ]; then vigil_say kind file; else vigil_say kind missing; fi
    return
  fi
  vigil_say kind folder
  vigil_say now "$(date +%s)"
  if [ -w "$1" ] && [ -x "$1" ]; then vigil_say writable 1; fi
  cd -- "$1" 2>/dev/null || return 0
  vigil_found=0
  for vigil_name in *; do
    [ -d "$vigil_name" ] && [ ! -L "$vigil_name" ] && vigil_is_checkpoint "$vigil_name" || continue
    vigil_found=$((vigil_found + 1))
    [ $vigil_found -le ${MOST} ] || break
    vigil_checkpoint "$vigil_name"
  done
}
vigil_each_path save
`;
