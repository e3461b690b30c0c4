/** Processes that a test begins: each leads a session of its own, and what is left of it ends with the test. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import type { ProcessLook } from '../../src/host/sample.ts';

const begun: ChildProcess[] = [];

export function begin(text: string, environment: NodeJS.ProcessEnv = process.env): Pid {
  const child = spawn('sh', ['-c', text], { detached: true, stdio: 'ignore', env: environment });
  begun.push(child);
  const pid = child.pid ?? 0;
  return { pid, start: startOf(pid) };
}

/** Called after each test (support/after-file.ts). */
export function endBegun(): void {
  for (const child of begun.splice(0)) killGroup(child);
}

/** The first line that a process writes into a file. */
export async function lineIn(path: string): Promise<string> {
  const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await vi.waitFor(() => expect(text()).toMatch(/\n/), { timeout: 20_000, interval: 10 });
  return text().split('\n')[0] ?? '';
}

export function startOf(pid: number): number {
  return Number(fieldsOf(pid)[19]);
}

/** What a process that sleeps has used, by /proc itself. */
export function usedBy(pid: number): Omit<ProcessLook, keyof Pid> {
  const field = (number: number) => Number(fieldsOf(pid)[number - 3]);
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}: (\\d{1,20})$`, 'm').exec(io)?.[1]);
  return {
    ...{
      cpuTicks: field(14) + field(15) + field(16) + field(17),
      minorFaults: field(10),
      majorFaults: field(12),
      rssPages: field(24),
    },
    ...{ readBytes: bytes('read_bytes'), writeBytes: bytes('write_bytes'), readChars: bytes('rchar') },
  };
}

/** Gone, or dead and not reaped: where nobody reaps, a zombie stays for ever. */
export function isOver(pid: number): boolean {
  return !existsSync(`/proc/${pid}/stat`) || fieldsOf(pid)[0] === 'Z';
}

/** Ends the group that a process leads, unless it has ended by itself. */
export function killGroup({ pid = 0 }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The same, and waits until the process that led it is gone. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  killGroup(child);
  await gone;
}

/** /proc/PID/stat from the third field on. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
