/** The processes of a run: by parent, by session and by the mark VIGIL_RUN, and what they used. */

import type { Counters, Pid, SampleTarget } from '../tools.ts';
import { READ_STAT } from './process.ts';
import { SCAN } from './scan.ts';
import { line, type Script } from './script.ts';

export interface Tree {
  readonly pids: readonly Pid[];
  readonly counters: Counters;
}

export function renderTree(target: SampleTarget): Script {
  return { name: 'tree', text: TREE, input: targetLines(target) };
}

/** What the scripts need to know of a run, as READ_TARGET reads it. */
export function targetLines(target: SampleTarget): string {
  const { main, session, log } = target.started;
  return [target.path, target.run, main.pid, main.start, session, log].map(line).join('');
}

/** `<pid:start,…|none> cpu read write minor major rss`; null when it isn't such a line. */
export function parseTree(text: string): Tree | null {
  const match = /^(none|[\d:,]+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/.exec(text.trim());
  if (!match) return null;
  const [cpuTicks = 0, readBytes = 0, writeBytes = 0, minorFaults = 0, majorFaults = 0, rssPages = 0] = match
    .slice(2)
    .map(Number);
  const pids = match[1] === 'none' ? [] : (match[1] ?? '').split(',').map(parsePid);
  return { pids, counters: { cpuTicks, readBytes, writeBytes, minorFaults, majorFaults, rssPages } };
}

function parsePid(text: string): Pid {
  const [pid = 0, start = 0] = text.split(':').map(Number);
  return { pid, start };
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
