/** Followers of logs on a host behind a real sshd. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FollowTarget, LogChunk, LogPosition } from '../../src/host/log.ts';
import type { Host } from '../../src/tools.ts';
import { openLab } from './lab.ts';
import { busybox } from './shells.ts';

export const PATIENT = { timeout: 40_000, interval: 10 };
const START: LogPosition = { generation: null, offset: 0 };

/** What sshd's configuration adds for a host with these tools, which go with the test file. */
export function hostKinds() {
  return [
    ['GNU tools', []],
    ['busybox alone', [`SetEnv PATH=${busybox().path}`]],
  ] as const;
}

export async function openFollowLab(config: readonly string[]) {
  const { sshd, host } = await openLab({ config });
  let count = 0;
  return {
    sshd,
    host,
    follow: (target: FollowTarget) => followOn(host, target),
    /** A run folder of its own with a log that holds the text; null = no log yet. */
    async makeTarget(text: string | null): Promise<FollowTarget> {
      count += 1;
      const path = join(sshd.folder, `run-${count}`);
      mkdirSync(path);
      const log = join(path, 'a log "of" $(run)');
      if (text !== null) await writeFile(log, text);
      return { path, run: `run-${count}`, log, real: null, role: 'main', from: START };
    },
  };
}

interface Got {
  position: LogPosition;
  text: string;
  /** 'missing' is said again and again: once is enough here. */
  kinds: string[];
  skipped: number;
}

/** What a follower has got so far; it goes on until stopped. */
function followOn(host: Host, target: FollowTarget) {
  const stop = new AbortController();
  const got: Got = { position: target.from, text: '', kinds: [], skipped: 0 };
  const ended = (async () => {
    for await (const chunk of host.follow(target, stop.signal)) note(got, chunk);
  })().catch((error: unknown) => error);
  return { got, ended, stop: () => stop.abort() };
}

function note(got: Got, chunk: LogChunk): void {
  if (chunk.kind === 'lost') got.kinds.push(chunk.why);
  if (chunk.kind === 'opened' || (chunk.kind === 'missing' && got.kinds.at(-1) !== 'missing'))
    got.kinds.push(chunk.kind);
  if (chunk.kind === 'opened') got.position = { generation: chunk.generation, offset: chunk.offset };
  if (chunk.kind === 'opened') got.skipped = chunk.skipped;
  if (chunk.kind === 'known') got.position = { ...got.position, generation: chunk.generation };
  if (chunk.kind !== 'bytes') return;
  got.text += Buffer.from(chunk.bytes).toString('latin1');
  got.position = { ...got.position, offset: got.position.offset + chunk.bytes.length };
}

/** The processes of the session that the follower of a run leads. */
export function sessionOf(target: FollowTarget): () => number[] {
  const leader = Number(readFileSync(join(target.path, 'follower'), 'latin1').split(' ')[0]);
  return () =>
    execFileSync('ps', ['-eo', 'pid=,sess='], { encoding: 'latin1' })
      .split('\n')
      .map((row) => row.trim().split(/\s+/).map(Number))
      .filter(([, session]) => session === leader)
      .map(([pid]) => pid ?? 0);
}
