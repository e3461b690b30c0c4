/** What the host's folder holds for the stand-ins: the scenario, the ledger of starts, a file for each server. */
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Variables of a start that the ledger keeps. */
const noted = ['COLUMNS', 'CUDA_VISIBLE_DEVICES', 'PYTHONUNBUFFERED'];

export function readScenario(folder) {
  return JSON.parse(readFileSync(join(folder, 'state', 'scenario.json'), 'utf8'));
}

/** One append in one write, so that starts at the same moment never mix. */
export function appendStart(folder, command, argv) {
  const environment = Object.fromEntries(
    noted.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])),
  );
  const line = JSON.stringify({ command, pid: process.pid, at: Date.now(), argv, environment });
  appendFileSync(join(folder, 'state', 'ledger.jsonl'), `${line}\n`);
}

export function writeServer(folder, server) {
  const path = join(folder, 'state', 'servers', `${server.processes[0].pid}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(server));
  renameSync(`${path}.new`, path);
}

export function removeServer(folder, pid) {
  rmSync(join(folder, 'state', 'servers', `${pid}.json`), { force: true });
}

/** Every server that left a file, with its living processes only; `file` is what `removeServer` wants. */
export function readServers(folder) {
  const servers = join(folder, 'state', 'servers');
  return readdirSync(servers)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ file: Number.parseInt(name, 10), text: readOptional(join(servers, name)) }))
    .filter(({ text }) => text !== null)
    .map(({ file, text }) => ({ file, ...JSON.parse(text) }))
    .map((server) => ({ ...server, processes: server.processes.filter(isAlive) }));
}

/** A process is known by its pid and its start time: pids are used again. A zombie is not alive. */
export function isAlive({ pid, start }) {
  const stat = readStat(pid);
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X' && stat.start === start;
}

/** Start time of a living process in clock ticks since boot, or null. */
export function startOf(pid) {
  return readStat(pid)?.start ?? null;
}

function readStat(pid) {
  const text = readOptional(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], start: Number(fields[19]) };
}

/** null for what went away while it was looked at. */
function readOptional(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: a process ended between opening and reading.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
}
