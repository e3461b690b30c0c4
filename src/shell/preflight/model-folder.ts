/** A model's folder: what its weights, its index and its configuration hold, told without reading the weights themselves. */

import type { ModelLook, PartialFile, Weight } from '../../host/preflight.ts';
import { allOf, type Field, firstOf, SAY } from './fields.ts';
import { readIndex } from './index-file.ts';
import { readSizes, SIZES, type Sized } from './sizes.ts';

/** Names of files, and weights whose headers are read, at most. */
const MOST_NAMES = 500;
/** Bytes of a header's end, and of all headers of one question together. */
const MOST_HEADER = 256 * 1024;
const MOST_HEADERS = 4 * 1024 * 1024;
/** What safetensors itself takes no longer for a header is 100 MB; far above that the eight bytes are something else. */
const NO_HEADER = 512 * 1024 * 1024;
const MOST_CONFIG = 1024 * 1024;
/** An index that is longer is read for its file names on the host. */
const MOST_INDEX = 2 * 1024 * 1024;

/** From the fields that `vigil_model` printed; null when something is missing. */
export function readModel(fields: readonly Field[]): ModelLook | null {
  const kind = (['missing', 'unreadable', 'file'] as const).find((known) => known === firstOf(fields, 'kind'));
  if (kind !== undefined) return { kind };
  const [path, now] = [firstOf(fields, 'path'), firstOf(fields, 'now')];
  if (path === null || now === null || firstOf(fields, 'kind') !== 'model') return null;
  const sizes = new Map(readSizes(firstOf(fields, 'sizes') ?? '').map((sized) => [sized.name, sized.size]));
  return {
    kind: 'model',
    path,
    weights: readWeights(fields, sizes),
    index: readIndex(fields),
    config: firstOf(fields, 'config'),
    partial: readPartial(firstOf(fields, 'partial') ?? '', Number(now)),
    names: allOf(fields, 'name'),
  };
}

/** What is left of downloads, from `vigil_sizes`. `now`: host time, s. */
export function readPartial(text: string, now: number): readonly PartialFile[] {
  const ageOf = ({ modified }: Sized) => Math.max(0, now - modified);
  return readSizes(text).map((sized) => ({ name: sized.name, size: sized.size, age: ageOf(sized) }));
}

function readWeights(fields: readonly Field[], sizes: ReadonlyMap<string, number>): readonly Weight[] {
  const weights: Weight[] = [];
  let bytes: readonly number[] = [];
  let header = '';
  for (const { key, value } of fields) {
    if (key === 'first') bytes = value.split(' ').filter(Boolean).map(Number);
    if (key === 'header') header = value;
    if (key !== 'weight') continue;
    const first = Buffer.from(bytes).toString('latin1');
    const headerLength = value.endsWith('.safetensors') ? headerLengthOf(bytes) : null;
    weights.push({ name: value, size: sizes.get(value) ?? null, first, headerLength, header: jsonOf(header, bytes) });
    bytes = [];
    header = '';
  }
  return weights;
}

function headerLengthOf(bytes: readonly number[]): number | null {
  if (bytes.length < 8) return null;
  const length = bytes.slice(0, 8).reduceRight((sum, byte) => sum * 256 + byte, 0);
  return length > NO_HEADER ? null : length;
}

/** A header that is told whole has the bytes of its length before it, but for those that are NUL. */
function jsonOf(header: string, bytes: readonly number[]): string {
  if (!header.startsWith('whole ')) return header.slice('end '.length);
  const length = Buffer.from(bytes.slice(0, 8).filter((byte) => byte !== 0)).toString('utf8');
  return header.slice('whole '.length + length.length);
}

/**
 * `vigil_model FOLDER BUDGET` prints all of a model but `told`; a folder's headers take at most BUDGET bytes. Three forks a file of weights, and
 * one for all sizes. A header is told only where it begins as one ({ = 123); NULs are left out, so that one can end it.
 */
export const MODEL = `${SAY}${SIZES}
vigil_weight() {
  set -- "$1" $(od -An -v -tu1 -N64 -- "$1" 2>/dev/null)
  vigil_of=$1
  shift
  vigil_say first "$*"
  case $vigil_of in *.safetensors) ;; *) return ;; esac
  [ $# -gt 8 ] && [ "$9" = 123 ] && [ "$5$6$7$8" = 0000 ] || return
  vigil_length=$(($1 + $2 * 256 + $3 * 65536 + $4 * 16777216))
  [ $vigil_length -le ${NO_HEADER} ] || return
  if [ $vigil_length -le $vigil_keep ]; then
    printf 'header whole '
    head -c $((vigil_length + 8)) -- "$vigil_of" 2>/dev/null | tr -d '\\000'
  else
    printf 'header end '
    head -c $((vigil_length + 8)) -- "$vigil_of" 2>/dev/null | tail -c $vigil_keep | tr -d '\\000'
  fi
  printf '\\0'
}
vigil_text() {
  [ -f "$2" ] && [ -r "$2" ] || return 0
  printf '%s ' "$1"
  head -c ${MOST_CONFIG} -- "$2" 2>/dev/null | tr -d '\\000'
  printf '\\0'
}
vigil_index() {
  [ -f "$1" ] && [ -r "$1" ] || return 0
  vigil_size "$1"
  if [ "$vigil_bytes" -le ${MOST_INDEX} ]; then
    printf 'index '
    tr -d '\\000' <"$1"
  else
    vigil_say index-end "$(tail -c 64 -- "$1" | tr -d '\\000 \\011\\012\\015')"
    printf 'index-names '
    tr ',{}' '\\n\\n\\n' <"$1" | sed -n 's/^.*:[[:space:]]*"\\([^"]*\\)"[[:space:]]*$/\\1/p' | sort -u | head -n 2000 | tr -d '\\000'
  fi
  printf '\\0'
}
vigil_model() {
  if [ ! -d "$1" ]; then
    if [ -e "$1" ]; then vigil_say kind file; else vigil_say kind missing; fi
    return
  fi
  if [ ! -r "$1" ] || ! cd -P -- "$1" 2>/dev/null; then vigil_say kind unreadable; return; fi
  vigil_budget=$2 vigil_named=0 vigil_shards=0
  vigil_say kind model
  vigil_say path "$PWD"
  vigil_say now "$(date +%s)"
  set --
  for vigil_file in * .[!.]*; do
    if [ -d "$vigil_file" ]; then continue; fi
    [ -e "$vigil_file" ] || [ -L "$vigil_file" ] || continue
    vigil_named=$((vigil_named + 1))
    [ $vigil_named -le ${MOST_NAMES} ] || break
    vigil_say name "$vigil_file"
    case $vigil_file in
      *.safetensors) vigil_shards=$((vigil_shards + 1)) ;;
      *.bin | *.pt | *.pth | *.gguf) ;;
      *) continue ;;
    esac
    set -- "$@" "./$vigil_file"
  done
  vigil_keep=${MOST_HEADER}
  [ $((vigil_keep * vigil_shards)) -le $vigil_budget ] || vigil_keep=$((vigil_budget / vigil_shards))
  for vigil_file in "$@"; do
    if [ -f "$vigil_file" ] && [ -r "$vigil_file" ]; then vigil_weight "$vigil_file"; fi
    vigil_say weight "\${vigil_file#./}"
  done
  printf 'sizes '; vigil_sizes "$@"; printf '\\0'
  vigil_index model.safetensors.index.json
  vigil_text config config.json
  set --
  for vigil_file in *.incomplete *.part *.tmp *.aria2 .cache/huggingface/download/*.incomplete \\
    .cache/huggingface/download/*/*.incomplete; do
    [ ! -f "$vigil_file" ] || set -- "$@" "./$vigil_file"
  done
  printf 'partial '; vigil_sizes "$@"; printf '\\0'
}
vigil_budget_for() { vigil_share=${MOST_HEADERS}; [ "$1" -lt 2 ] || vigil_share=$((vigil_share / $1)); }
`;
