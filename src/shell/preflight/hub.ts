/** Models of the hub: what the cache that the process would use holds of them, and whether there is a token to fetch the rest. */

import type { HubId, HubLook } from '../../host/preflight.ts';
import { HUB_CACHE, hubFolderOf, hubLines } from '../hub-cache.ts';
import { LIMIT } from '../limit.ts';
import { line, type Script } from '../script.ts';
import { type Field, firstOf, groupsOf, readFields } from './fields.ts';
import { MODEL, readModel, readPartial } from './model-folder.ts';

/** Of the process's environment the cache's folders are sent, and only whether it has a token: the host has no need of its value here. */
export function renderHub(hub: readonly HubId[], environment: Readonly<Record<string, string>>): Script {
  const hasToken = TOKENS.some((name) => (environment[name] ?? '') !== '');
  const input = [
    hubLines(environment),
    line(environment.HF_TOKEN_PATH ?? ''),
    line(hasToken ? 1 : 0),
    line(hub.length),
    ...hub.map(({ id, revision }) => line(hubFolderOf(id)) + line(revision)),
  ];
  return { name: 'hub', text: HUB, input: input.join('') };
}

const TOKENS = ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'] as const;

/** By id; null when the answer isn't whole. */
export function parseHub(output: string, hub: readonly HubId[]): ReadonlyMap<string, HubLook> | null {
  const fields = readFields(output);
  if (fields === null) return null;
  const cache = firstOf(fields, 'cache') ?? '';
  const token = (['environment', 'file'] as const).find((known) => known === firstOf(fields, 'token')) ?? null;
  const looks = [...groupsOf(fields, 'hub')].flatMap(([index, group]): [string, HubLook][] => {
    const asked = hub[index];
    return asked === undefined ? [] : [[asked.id, { cache, ...readOne(group), token }]];
  });
  return new Map(looks);
}

function readOne(group: readonly Field[]): Pick<HubLook, 'snapshot' | 'partial'> {
  const snapshot = readModel(group);
  return {
    snapshot: snapshot?.kind === 'missing' ? null : snapshot,
    partial: readPartial(firstOf(group, 'blobs') ?? '', Number(firstOf(group, 'at') ?? 0)),
  };
}

/** A revision is a branch or tag, whose file in refs names a commit, or a commit itself. Where the token lies: huggingface_hub/constants.py. */
const HUB = `
LC_ALL=C
${LIMIT}${HUB_CACHE}${MODEL}
vigil_hub_words
vigil_word; vigil_token=\${vigil_w:-\${HF_TOKEN_PATH-}}
vigil_word; vigil_has=$vigil_w
vigil_find_hub
case $vigil_hub in /*) ;; *) vigil_hub=$HOME/$vigil_hub ;; esac
vigil_say cache "$vigil_hub"
[ -n "$vigil_token" ] || vigil_token=\${vigil_HF_HOME:-\${vigil_XDG_CACHE_HOME:-$vigil_HOME/.cache}/huggingface}/token
case $vigil_token in '~/'*) vigil_token=$vigil_HOME/\${vigil_token#'~/'} ;; esac
if [ "$vigil_has" = 1 ] || [ -n "\${HF_TOKEN-}\${HUGGING_FACE_HUB_TOKEN-}" ]; then vigil_say token environment
elif [ -f "$vigil_token" ] && [ -s "$vigil_token" ] && [ -r "$vigil_token" ]; then vigil_say token file
fi
vigil_snapshot() {
  vigil_commit=$2
  if [ -f "$1/refs/$2" ]; then
    vigil_commit=
    { IFS= read -r vigil_commit <"$1/refs/$2"; } 2>/dev/null
  fi
  case $vigil_commit in '' | */*) vigil_commit=none ;; esac
  cd / 2>/dev/null
  vigil_model "$1/snapshots/$vigil_commit" $vigil_share
  vigil_say at "$(date +%s)"
  printf 'blobs '
  if cd -- "$1/blobs" 2>/dev/null; then
    set --
    for vigil_file in *.incomplete; do [ ! -f "$vigil_file" ] || set -- "$@" "$vigil_file"; done
    vigil_sizes "$@"
  fi
  printf '\\0'
}
vigil_word; vigil_count=$vigil_w vigil_i=0
vigil_budget_for "$vigil_count"
while [ $vigil_i -lt $vigil_count ]; do
  vigil_word; vigil_folder=$vigil_hub/$vigil_w
  vigil_word
  vigil_say hub $vigil_i
  vigil_snapshot "$vigil_folder" "$vigil_w"
  vigil_i=$((vigil_i + 1))
done
vigil_say told
`;
