/** What a run folder says about its run, for a Vigil that doesn't know it any more. */

import type { Recalled, RunFolder } from '../host/launch.ts';
import { READ_STAT } from './process.ts';
import { parseStarted } from './record.ts';
import { line, type Script } from './script.ts';

export function renderRecall(folder: RunFolder): Script {
  return { name: 'recall', text: RECALL, input: line(folder.path) };
}

/** null when the answer isn't whole. */
export function parseRecall(output: string): Recalled | null {
  const rows = output.split('\n');
  if (!rows.includes('told')) return null;
  const request = rows.find((row) => row.startsWith('request '))?.slice('request '.length) ?? null;
  return { request, started: parseStarted(output), isAlive: rows.includes('alive') };
}

const RECALL = `
LC_ALL=C
${READ_STAT}
vigil_path
cd "$vigil_w" 2>/dev/null || { printf 'told\\n'; exit 0; }
if { IFS= read -r vigil_w <request; } 2>/dev/null; then printf 'request %s\\n' "$vigil_w"; fi
if { IFS= read -r vigil_w <started/name; } 2>/dev/null; then
  cat "pid.$vigil_w"
  read -r vigil_key vigil_p vigil_start_then vigil_rest <"pid.$vigil_w"
  ! vigil_same "$vigil_p" "$vigil_start_then" || printf 'alive\\n'
fi
printf 'told\\n'
`;
