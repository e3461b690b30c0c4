/** Where a process keeps what it loads from the hub, chosen as huggingface_hub does (huggingface_hub/constants.py). */

import { line } from './script.ts';

/** What decides: of the process's own environment first, then of the SSH login's, which it inherits. */
const VARIABLES = ['HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'HF_HOME', 'XDG_CACHE_HOME', 'HOME'] as const;

/** The data lines that `vigil_hub_words` reads; of the environment nothing else is sent. */
export function hubLines(environment: Readonly<Record<string, string>>): string {
  return VARIABLES.map((name) => line(environment[name] ?? '')).join('');
}

/** Name of a model's folder in the cache: `models--org--name`. */
export function hubFolderOf(id: string): string {
  return `models--${id.replaceAll('/', '--')}`;
}

/**
 * `vigil_hub_words` reads the data lines, `vigil_hub_of PID` takes what that process itself has (a prelude may have set it), and
 * `vigil_find_hub` puts the cache's folder into $vigil_hub, whether or not it exists. It needs LIMIT.
 */
export const HUB_CACHE = `
vigil_hub_words() {
  for vigil_key in ${VARIABLES.join(' ')}; do
    vigil_word
    eval "vigil_$vigil_key=\\\${vigil_w:-\\\${$vigil_key-}}"
  done
}
vigil_hub_of() {
  vigil_all=$(vigil_within 1 tr '\\000' '\\n' 2>/dev/null <"/proc/$1/environ" | grep -E '^(${VARIABLES.join('|')})=.')
  set -f; IFS='
'
  for vigil_row in $vigil_all; do eval "vigil_\${vigil_row%%=*}=\\\${vigil_row#*=}"; done
  set +f; unset IFS
}
vigil_find_hub() {
  vigil_hub=\${vigil_HF_HUB_CACHE:-$vigil_HUGGINGFACE_HUB_CACHE}
  [ -n "$vigil_hub" ] || [ -z "$vigil_HF_HOME" ] || vigil_hub=$vigil_HF_HOME/hub
  [ -n "$vigil_hub" ] || vigil_hub=\${vigil_XDG_CACHE_HOME:-$vigil_HOME/.cache}/huggingface/hub
  case $vigil_hub in '~/'*) vigil_hub=$vigil_HOME/\${vigil_hub#'~/'} ;; esac
}
`;
