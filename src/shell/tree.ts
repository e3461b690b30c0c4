/** The processes of a run: by parent, by session and by the mark VIGIL_RUN, and what they used. */

import type { ProcessLook, SampleTarget } from '../host/sample.ts';
import { READ_STAT } from './process.ts';
import { SCAN } from './scan.ts';
import { line, type Script } from './script.ts';

export function renderTree(target: SampleTarget): Script {
  return { name: 'tree', text: TREE, input: targetLines(target) };
}

/** What the scripts need to know of a run, as READ_TARGET reads it. */
export function targetLines(target: SampleTarget): string {
  const { main, session, log } = target.started;
  return [target.path, target.run, main.pid, main.start, session, log].map(line).join('');
}

/**
 * `<pid:start:cpu:minor:major:rss,…|none> <pid:read:written:rchar,…|none>`; null when it isn't such a line. What a process has read and written is
 * only told of those whose account this user may read.
 */
export function parseTree(text: string): readonly ProcessLook[] | null {
  const match = /^(none|[\d:,]+) (none|[\d:,]+)$/.exec(text.trim());
  if (!match) return null;
  const accounts = new Map(rowsOf(match[2]).map(([pid = 0, ...bytes]) => [pid, bytes]));
  return rowsOf(match[1]).map(([pid = 0, start = 0, cpuTicks = 0, minorFaults = 0, majorFaults = 0, rssPages = 0]) => {
    const [readBytes = null, writeBytes = null, readChars = null] = accounts.get(pid) ?? [];
    return { pid, start, cpuTicks, minorFaults, majorFaults, rssPages, readBytes, writeBytes, readChars };
  });
}

function rowsOf(part: string | undefined): number[][] {
  if (part === undefined || part === 'none') return [];
  return part.split(',').map((row) => row.split(':').map(Number));
}

/** Reads one run into vigil_folder, vigil_run, vigil_main, vigil_begun, vigil_sid and vigil_log. */
export const READ_TARGET = `
vigil_target() {
  vigil_path; vigil_folder=$vigil_w
  vigil_word; vigil_run=$vigil_w
  vigil_word; vigil_main=$vigil_w
  vigil_word; vigil_begun=$vigil_w
  vigil_word; vigil_sid=$vigil_w
  vigil_path; vigil_log=$vigil_w
}
`;

const TREE = `
LC_ALL=C
${READ_STAT}${READ_TARGET}${SCAN}
vigil_target
vigil_environs='/proc/[0-9]*/environ' vigil_patient=1 vigil_seen=
vigil_list /proc/[0-9]*/stat
vigil_recall
vigil_scan
printf '%s\\n' "$vigil_tree"
`;
