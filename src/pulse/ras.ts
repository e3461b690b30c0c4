/**
 * What NCCL's RAS says to `VERBOSE STATUS` (text, protocol 2 and older; NVIDIA/nccl, src/ras/client_support.cc). It is asked on a port that any
 * job of the host may have, and a rank that is cut off may answer half: what can't be read says nothing.
 */

import type { RasMismatch, RasView } from './look.ts';

const MOST_TEXT = 262_144;
const MOST_MISMATCHES = 8;
const MOST_RANKS = 64;
/** So many ranks of one are kept, those that are furthest behind: they are saved with a run. */
const MOST_KEPT = 16;
const MOST_TROUBLES = 8;

const COMMUNICATOR = /^#\d{1,6}-\d{1,6} \(([0-9a-f]{1,32})\) ([A-Z]{1,20})/;
/** Of a job's process: `DEAD`, `INCOMPLETE`. */
const SECTION = /^([A-Z]{1,20})$/;
const OPERATION = /^Communicator ranks have different (\w{1,40}) operation counts/;
const GROUP = /^\d{1,7} ranks have (?:launched up to operation (\d{1,15})|not launched any operations)$/;
const RANK =
  /^Rank (\d{1,7})(?: has (?:launched up to operation (\d{1,15})|(not launched any operations)|\w[\w ]{0,60}))? -- GPUs? ([^-]{1,60}?) managed by process (\d{1,10}) on node ([\w.:-]{1,100})/;
const PROCESS = /^Process (\d{1,10}) on node \S{1,100} managing GPUs? ([\w, ()]{1,60})/;

/** null where it is no answer of RAS, or all processes that it names are another job's than the one with `pids`. */
export function parseRas(text: string, pids: readonly number[]): RasView | null {
  const lines = linesOf(text);
  if (!lines.some((line) => line.startsWith('NCCL version ') || line.startsWith('SERVER PROTOCOL '))) return null;
  const reading = lines.reduce(readLine, FIRST);
  const own = new Set(pids);
  const mismatches = [...reading.mismatches, ...open(reading)].filter(({ ranks }) =>
    ranks.some(({ pid }) => own.has(pid)),
  );
  const troubles = reading.troubles.filter(({ pid }) => own.has(pid)).map(({ words }) => words);
  const isNamed = reading.mismatches.length + open(reading).length + reading.troubles.length > 0;
  if (isNamed && mismatches.length + troubles.length === 0) return null;
  return {
    mismatches: mismatches.slice(0, MOST_MISMATCHES).map(withNodes),
    troubles: troubles.slice(0, MOST_TROUBLES),
  };
}

/** On one host its name says nothing. */
function withNodes(mismatch: RasMismatch): RasMismatch {
  if (new Set(mismatch.ranks.map(({ node }) => node)).size > 1) return mismatch;
  return { ...mismatch, ranks: mismatch.ranks.map(({ node: _, ...rank }) => rank) };
}

interface Reading {
  readonly communicator: string;
  /** `MISMATCH`, `INCOMPLETE`, `DEAD`, `ERROR`. */
  readonly section: string;
  readonly operation: string | null;
  /** Operations of the group that the next ranks belong to. */
  readonly group: number | null;
  readonly counts: readonly number[];
  readonly ranks: RasMismatch['ranks'];
  readonly mismatches: readonly RasMismatch[];
  readonly troubles: readonly { readonly pid: number; readonly words: string }[];
}

const FIRST: Reading = {
  communicator: '',
  section: '',
  operation: null,
  group: null,
  counts: [],
  ranks: [],
  mismatches: [],
  troubles: [],
};

/** A line that was cut is left out: half a number is a wrong one. */
function linesOf(text: string): string[] {
  const lines = text.slice(0, MOST_TEXT).split('\n');
  return lines.slice(0, -1).map((line) => line.trim());
}

function readLine(reading: Reading, line: string): Reading {
  const section = COMMUNICATOR.exec(line) ?? SECTION.exec(line);
  if (section !== null) {
    const [communicator = '', name = communicator] = section.slice(1);
    return { ...closed(reading), communicator, section: name };
  }
  const operation = OPERATION.exec(line)?.[1];
  if (operation !== undefined) return { ...closed(reading), operation };
  if (line.startsWith('Communicator ranks have different ')) return closed(reading);
  const group = GROUP.exec(line);
  if (group !== null) {
    const count = Number(group[1] ?? 0);
    return { ...reading, group: count, counts: [...reading.counts, count] };
  }
  return readRank(readProcess(reading, line), line);
}

function readRank(reading: Reading, line: string): Reading {
  const [rank, launched, none, gpu = '', pid, node] = RANK.exec(line)?.slice(1) ?? [];
  if (rank === undefined || pid === undefined) return reading;
  if (reading.operation === null) return inTrouble(reading, { rank, gpu, pid: Number(pid) });
  const count = launched !== undefined ? Number(launched) : none !== undefined ? 0 : reading.group;
  if (count === null || reading.ranks.length >= MOST_RANKS) return reading;
  const own = { rank: Number(rank), count, pid: Number(pid), gpu: gpu.trim(), ...(node === undefined ? {} : { node }) };
  return { ...reading, counts: [...reading.counts, count], ranks: [...reading.ranks, own] };
}

function inTrouble(reading: Reading, { rank, gpu, pid }: { rank: string; gpu: string; pid: number }): Reading {
  if (reading.section === 'MISMATCH') return reading;
  const what = reading.section === 'ERROR' ? 'reports an NCCL error' : 'gives NCCL no answer';
  return troubled(reading, { pid, words: `Rank ${rank} (pid ${pid}, GPU ${gpu.trim()}) ${what}.` });
}

function readProcess(reading: Reading, line: string): Reading {
  const [pid, gpu = ''] = PROCESS.exec(line)?.slice(1) ?? [];
  if (pid === undefined) return reading;
  const what =
    reading.section === 'DEAD' ? 'has given NCCL no answer for a minute: it counts as dead' : 'gives NCCL no answer';
  return troubled(reading, { pid: Number(pid), words: `Process ${pid} (GPU ${gpu.trim()}) ${what}.` });
}

function troubled(reading: Reading, trouble: Reading['troubles'][number]): Reading {
  return reading.troubles.length >= MOST_RANKS ? reading : { ...reading, troubles: [...reading.troubles, trouble] };
}

/** The mismatch that was read so far is whole. */
function closed(reading: Reading): Reading {
  const mismatches = [...reading.mismatches, ...open(reading)];
  return { ...reading, operation: null, group: null, counts: [], ranks: [], mismatches };
}

/** Without two different counts and a rank that has one of them it names nobody. */
function open({ communicator, operation, counts, ranks, mismatches }: Reading): RasMismatch[] {
  const [lowest, highest] = [Math.min(...counts), Math.max(...counts)];
  if (operation === null || ranks.length === 0 || lowest === highest || mismatches.length >= MOST_RANKS) return [];
  const isMany = ranks.length > MOST_KEPT;
  const kept = isMany ? ranks.toSorted((a, b) => a.count - b.count || a.rank - b.rank).slice(0, MOST_KEPT) : ranks;
  return [{ communicator, operation, lowest, highest, ranks: kept }];
}
