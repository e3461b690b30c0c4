/** Signals, pid by pid, each only to the process that it was meant for. */

import type { Pid } from '../tools.ts';
import { READ_STAT } from './process.ts';
import { line, type Script } from './script.ts';

export function renderKill(pids: readonly Pid[], name: 'TERM' | 'KILL'): Script {
  const input = line(name) + line(pids.length) + pidLines(pids);
  return { name: 'kill', text: KILL, input };
}

export function pidLines(pids: readonly Pid[]): string {
  return pids.map(({ pid, start }) => line(pid) + line(start)).join('');
}

/** The start time is compared right before each signal: a pid may have been given to another process since. */
const KILL = `
LC_ALL=C
${READ_STAT}
vigil_word; vigil_name=$vigil_w
vigil_word; vigil_count=$vigil_w
vigil_failed=0
while [ $vigil_count -gt 0 ]; do
  vigil_word; vigil_p=$vigil_w
  vigil_word
  if vigil_same "$vigil_p" "$vigil_w" && ! kill -$vigil_name "$vigil_p" && vigil_same "$vigil_p" "$vigil_w"; then vigil_failed=1; fi
  vigil_count=$((vigil_count - 1))
done
exit $vigil_failed
`;
