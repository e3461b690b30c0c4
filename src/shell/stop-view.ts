/** What is left of a run after a stop. */

import type { ServerAddress } from '../address.ts';
import type { Pid } from '../host/process.ts';
import type { SampleTarget } from '../host/sample.ts';
import type { StopView } from '../host/stop.ts';
import { addressLines, LISTENER } from './listener.ts';
import { parseExit } from './record.ts';
import { line, type Script } from './script.ts';
import { parseHidden, parseRemaining, pidList, TELL_RUNNING } from './signal.ts';

export function renderStopView(
  target: SampleTarget,
  { pids, address }: { readonly pids: readonly Pid[]; readonly address: ServerAddress | null },
): Script {
  const asked = address === null ? line('none') : line('address') + addressLines(address);
  const input = line(target.path) + line(target.started.session) + line(pidList(pids)) + asked;
  return { name: 'stop-view', text: STOP_VIEW, input };
}

/** The listener's part of the output is read by parseListener. */
export function parseStopView(output: string): Omit<StopView, 'listener'> {
  const rows = output.split('\n');
  const record = rows.find((row) => row.startsWith('exit ')) ?? '';
  return {
    running: parseRemaining(output),
    hidden: parseHidden(output),
    exit: parseExit(record.slice('exit '.length)),
    hasLauncher: rows.includes('launcher'),
  };
}

const STOP_VIEW = `
LC_ALL=C
${LISTENER}
vigil_path; vigil_folder=$vigil_w
vigil_word; vigil_sid=$vigil_w
${TELL_RUNNING}vigil_launcher() {
  for vigil_file in "$vigil_folder"/launcher.*; do
    { read -r vigil_p vigil_begun <"$vigil_file"; } 2>/dev/null || continue
    [ "$vigil_p" != "$vigil_sid" ] || ! vigil_same "$vigil_p" "$vigil_begun" || return 0
  done
  return 1
}
! vigil_launcher || printf 'launcher\\n'
if { IFS= read -r vigil_w <"$vigil_folder/exit"; } 2>/dev/null; then printf 'exit %s\\n' "$vigil_w"; fi
vigil_word
[ "$vigil_w" = none ] || vigil_listener
`;
