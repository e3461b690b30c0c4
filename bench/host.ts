/** What the sampler costs a host: its shell and all that it starts, by the kernel's own accounts, beside many other processes. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SampleTarget } from '../src/host/sample.ts';
import { parseLaunch, renderLaunch } from '../src/shell/launch.ts';
import { parseSample, renderSampler } from '../src/shell/sample.ts';
import { EXEC_COMMAND, renderStdin, type Script } from '../src/shell/script.ts';

const RUNS = [1, 3, 8] as const;
const SHELLS = ['dash', 'busybox'] as const;
/** Processes of a run: its main process, workers, and one with a session and an environment of its own. They end by themselves in an hour. */
const MAIN = 'for n in 1 2 3 4 5 6 7 8; do sleep 4000 & done; setsid env -i sleep 4000 & wait';
const NONCE = 'c0ffee';

interface Row {
  readonly shell: string;
  readonly runs: number;
  /** Of one core, over the seconds after the first look. */
  readonly percent: number;
  /** CPU ms of the first look, which reads all processes. */
  readonly firstLookMs: number;
  readonly samplesPerSecond: number;
}

interface Figures {
  readonly processes: number;
  readonly seconds: number;
  readonly rows: readonly Row[];
}

/** Starts so many sleeping processes and eight runs, samples 1, 3 and 8 of them for so many seconds, and ends all that it started. */
export async function benchHost(load: { processes: number; seconds: number }): Promise<{
  figures: Figures;
  text: string;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bench-'));
  const groups: number[] = [];
  const mains: number[] = [];
  const sleepers = `n=0; while [ $n -lt ${load.processes} ]; do sleep 4000 & n=$((n + 1)); done; echo all; read -r n; kill -KILL 0`;
  try {
    // Its end of the pipe closes with this process, however that ends.
    const crowd = spawn('sh', ['-c', sleepers], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    groups.push(crowd.pid ?? 0);
    await new Promise((resolve) => crowd.stdout.once('data', resolve));
    const targets = await Promise.all(Array.from({ length: Math.max(...RUNS) }, (_, index) => start(folder, index)));
    mains.push(...targets.map(({ started }) => started.main.pid));
    groups.push(...targets.map(({ started }) => started.session));
    const rows: Row[] = [];
    for (const shell of SHELLS.filter((name) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`))) {
      const path = install(folder, shell);
      // Side by side: what counts is CPU time, not time.
      const measured = RUNS.map((runs) => measure({ path, targets: targets.slice(0, runs), seconds: load.seconds }));
      rows.push(...(await Promise.all(measured)).map((row) => ({ shell, ...row })));
    }
    const figures = { ...load, rows };
    return { figures, text: tell(figures) };
  } finally {
    groups.push(...mains.flatMap(strays));
    for (const group of groups) killGroup(group);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(folder: string, index: number): Promise<SampleTarget> {
  const path = join(folder, `run-${index}`);
  const run = `bench-host-${process.pid}-${index}`;
  const argv = ['sh', '-c', MAIN];
  const about = { environment: {}, prelude: null, directory: null, log: null, aside: [], request: '' };
  const child = begin(renderLaunch({ path, run, argv, ...about }, 'c1'), process.env.PATH ?? '');
  let text = '';
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  const outcome = parseLaunch(text.slice(text.indexOf(`${NONCE}\n`) + NONCE.length + 1));
  if (outcome?.kind !== 'started') throw new Error(`A run could not be started for the measurement: ${text}`);
  return { path, run, started: outcome.started };
}

/** Sessions of their own among a process's children, which its group does not reach. */
function strays(main: number): number[] {
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((pid) => Number(fieldsOf(pid)[2]) === pid);
}

function killGroup(group: number): void {
  try {
    if (group > 1) process.kill(-group, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function begin(script: Script, path: string): ChildProcess {
  const env = { HOME: tmpdir(), PATH: path };
  const child = spawn('sh', ['-c', EXEC_COMMAND], { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin?.end(renderStdin(script, NONCE));
  return child;
}

/** A PATH whose `sh` is this shell; with busybox all tools are its own. */
function install(folder: string, shell: string): string {
  const bin = join(folder, shell);
  mkdirSync(bin);
  if (shell === 'busybox') execFileSync('busybox', ['--install', '-s', bin]);
  else symlinkSync(`/usr/bin/${shell}`, join(bin, 'sh'));
  return shell === 'busybox' ? bin : `${bin}:${process.env.PATH}`;
}

async function measure(work: { path: string; targets: readonly SampleTarget[]; seconds: number }) {
  const child = begin(renderSampler(work.targets), work.path);
  const pid = child.pid ?? 0;
  try {
    let rest = '';
    let samples = 0;
    const begun = new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('The sampler ended by itself.')));
      child.stdout?.on('data', (bytes: Buffer) => {
        const rows = (rest + bytes.toString()).split('\n');
        rest = rows.pop() ?? '';
        samples += rows.filter((row) => parseSample(row) !== null).length;
        if (samples >= work.targets.length) resolve();
      });
    });
    await begun;
    const first = cpuMs(pid);
    const [before, from] = [samples, performance.now()];
    await sleep(work.seconds * 1000);
    const ms = performance.now() - from;
    const used = cpuMs(pid) - first;
    const rate = ((samples - before) / work.targets.length / ms) * 1000;
    return {
      runs: work.targets.length,
      percent: round((used / ms) * 100, 2),
      firstLookMs: first,
      samplesPerSecond: round(rate, 2),
    };
  } finally {
    killGroup(pid);
  }
}

/** User and system time of a process and of its children that have ended. */
function cpuMs(pid: number): number {
  const ticks = fieldsOf(pid).slice(11, 15).map(Number);
  return ticks.reduce((sum, count) => sum + count, 0) * 10;
}

/** /proc/PID/stat from the third field on. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function tell({ processes, seconds, rows }: Figures): string {
  const lines = rows.map(
    ({ shell, runs, percent, firstLookMs, samplesPerSecond }) =>
      `${shell.padEnd(8)} ${String(runs).padStart(4)} ${percent.toFixed(2).padStart(10)} ${String(firstLookMs).padStart(13)} ${samplesPerSecond.toFixed(2).padStart(12)}`,
  );
  const head = `The sampler beside ${processes} sleeping processes, over ${seconds} s:`;
  return `${[head, 'shell    runs  % of a core  first look ms  samples a s', ...lines].join('\n')}\n`;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
