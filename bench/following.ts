/** How soon a line of a log is here, and what following costs its host: over a real sshd on loopback, by the kernel's own accounts. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHosts } from '../src/ssh/hosts.ts';
import type { Host } from '../src/tools.ts';
import { startSshd } from '../test/support/sshd.ts';

/** Lines come at random times, so many a second on average, of so many bytes. */
const LINES_A_SECOND = 10;
const LINE = 120;

interface Row {
  readonly tools: string;
  readonly lines: number;
  /** From the write to the client, ms. */
  readonly p50: number;
  readonly p99: number;
  /** Of one core: the follower and all that it starts, while its log is silent and while the lines come. */
  readonly idlePercent: number;
  readonly busyPercent: number;
}

interface Figures {
  readonly seconds: number;
  readonly rows: readonly Row[];
}

/** Follows a silent and a busy log side by side for so many seconds, on a host with GNU tools and on one with busybox alone. */
export async function benchFollowing(seconds: number): Promise<{ figures: Figures; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bench-'));
  try {
    execFileSync('busybox', ['--install', '-s', folder]);
    const rows = [await measure('GNU', [], seconds), await measure('busybox', [`SetEnv PATH=${folder}`], seconds)];
    const figures = { seconds, rows };
    return { figures, text: tell(figures) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(tools: string, config: readonly string[], seconds: number): Promise<Row> {
  const sshd = await startSshd({ config });
  const hosts = openHosts({ instance: 'bench', hosts: { kpro5: sshd.host }, clock: { now: Date.now } });
  try {
    const [idle, busy] = ['idle', 'busy'].map((name) => begin(hosts.get('kpro5'), join(sshd.folder, name)));
    if (idle === undefined || busy === undefined) throw new Error('two followers were to begin');
    await Promise.all([idle.opened, busy.opened]);
    const before = [cpuMs(idle.path), cpuMs(busy.path)] as const;
    const from = performance.now();
    while (performance.now() - from < seconds * 1000) {
      await sleep((-Math.log(1 - Math.random()) * 1000) / LINES_A_SECOND);
      appendFileSync(join(busy.path, 'log'), `${String(performance.now()).padEnd(LINE - 1)}\n`);
    }
    await sleep(2_000);
    const ms = performance.now() - from;
    const [idleMs, busyMs] = [cpuMs(idle.path) - before[0], cpuMs(busy.path) - before[1]];
    for (const { stop } of [idle, busy]) stop();
    await Promise.all([idle.ended, busy.ended]);
    return {
      ...{ tools, lines: busy.latencies.length, ...percentiles(busy.latencies) },
      idlePercent: round((idleMs / ms) * 100),
      busyPercent: round((busyMs / ms) * 100),
    };
  } finally {
    await hosts.close();
    await sshd.stop();
  }
}

function begin(host: Host, path: string) {
  mkdirSync(path);
  appendFileSync(join(path, 'log'), 'first\n');
  const stop = new AbortController();
  const latencies: number[] = [];
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const from = { generation: null, offset: 0 };
  const target = { path, run: 'bench', log: join(path, 'log'), real: null, role: 'main', from } as const;
  const follow = async () => {
    let rest = '';
    for await (const chunk of host.follow(target, stop.signal)) {
      if (chunk.kind !== 'bytes') continue;
      open();
      const rows = (rest + Buffer.from(chunk.bytes).toString()).split('\n');
      rest = rows.pop() ?? '';
      const now = performance.now();
      latencies.push(...rows.filter((row) => row !== 'first').map((row) => now - Number(row)));
    }
  };
  const ended = follow().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return { path, latencies, opened, ended, stop: () => stop.abort() };
}

/** User and system time of the follower of a run folder, of its children that have ended, and of those that run. */
function cpuMs(path: string): number {
  const pid = Number(readFileSync(join(path, 'follower'), 'utf8').split(' ')[0]);
  const running = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [String(pid), ...running].flatMap(ticksOf).reduce((sum, count) => sum + count, 0) * 10;
}

function ticksOf(pid: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).map(Number);
  } catch {
    // A sleep that has ended since: its time is in the shell's.
    return [];
  }
}

function percentiles(latencies: readonly number[]): { p50: number; p99: number } {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  return { p50: at(0.5), p99: at(0.99) };
}

function tell({ seconds, rows }: Figures): string {
  const lines = rows.map(({ tools, lines, p50, p99, idlePercent, busyPercent }) =>
    [
      ...[
        tools.padEnd(8),
        String(lines).padStart(6),
        `${p50.toFixed(0)} ms`.padStart(9),
        `${p99.toFixed(0)} ms`.padStart(9),
      ],
      ...[idlePercent.toFixed(2).padStart(16), busyPercent.toFixed(2).padStart(16)],
    ].join(' '),
  );
  const head = `A silent log and one with ${LINES_A_SECOND} lines a second, followed for ${seconds} s over sshd on loopback:`;
  return `${[head, 'tools     lines       p50       p99 % of a core idle % of a core busy', ...lines].join('\n')}\n`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
