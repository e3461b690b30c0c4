/** What a host is asked once, and which runs it holds. */

import type { HostFacts } from '../host/launch.ts';
import { READ_CLOCK, READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export const FACTS: Script = {
  name: 'facts',
  input: '',
  text: `
LC_ALL=C
${READ_STAT}${READ_CLOCK}
vigil_boot
vigil_bash=no
! command -v bash >/dev/null 2>&1 || vigil_bash=yes
vigil_zone=$(date +%z)
vigil_clock
printf 'facts %s %s %s %s %s\\n' "$vigil_now" "$vigil_zone" "$vigil_boot_id" "$vigil_init" "$vigil_bash"
`,
};

/** null when the answer isn't whole. */
export function parseFacts(output: string): HostFacts | null {
  const match = /^facts (\d+) ([+-])(\d\d)(\d\d) (\S+) (\d+) (yes|no)$/m.exec(output);
  if (!match) return null;
  const [, now, sign, hours, minutes, bootId = '', init, bash] = match;
  const zone = Number(hours) * 60 + Number(minutes);
  return {
    now: Number(now),
    zoneMinutes: sign === '-' ? 0 - zone : zone,
    bootId,
    init: Number(init),
    hasBash: bash === 'yes',
  };
}

/** Lists the run folders in a folder, which need not exist. */
export function renderRuns(folder: string): Script {
  return { name: 'runs', text: RUNS, input: line(folder) };
}

export function parseRuns(output: string): readonly string[] {
  return output.split('\n').filter((name) => name !== '');
}

const RUNS = `
vigil_path
cd "$vigil_w" 2>/dev/null || exit 0
for vigil_run in *; do
  [ ! -d "$vigil_run" ] || printf '%s\\n' "$vigil_run"
done
`;
