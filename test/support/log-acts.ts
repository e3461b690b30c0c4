/** What may happen to a log that is followed, and to those who carry it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import type { RotatedLog } from './rotated-log.ts';
import type { Sshd } from './sshd.ts';

export interface Stage {
  readonly log: RotatedLog;
  readonly random: () => number;
  readonly sshd: Sshd;
  readonly folder: string;
}

type Act = (stage: Stage) => void | Promise<void>;

const write: Act = ({ log, random }) => {
  for (let count = Math.floor(random() * 20); count >= 0; count -= 1) log.write(record(random));
};

/** Most of the time nothing happens, as in life. */
const pause: Act = async ({ random }) => {
  await moment(random() * random() * 2_500);
};

const writeOn: Act = async (stage) => {
  await write(stage);
  await pause(stage);
};

const reopenLater: Act = async (stage) => {
  if (stage.random() < 0.5) stage.log.create();
  await writeOn(stage);
  stage.log.reopen();
  await writeOn(stage);
};

const ACTS: readonly (readonly [name: string, weight: number, act: Act])[] = [
  ['write', 4, writeOn],
  [
    'truncate',
    2,
    async (stage) => {
      stage.log.truncate();
      await writeOn(stage);
    },
  ],
  [
    'truncate and regrow',
    1,
    async (stage) => {
      const { size } = stage.log;
      stage.log.truncate();
      while (stage.log.size <= size) await write(stage);
      await pause(stage);
    },
  ],
  [
    'copytruncate',
    2,
    async (stage) => {
      stage.log.copyTruncate();
      await writeOn(stage);
    },
  ],
  [
    'rotate',
    3,
    async (stage) => {
      stage.log.rename();
      await reopenLater(stage);
    },
  ],
  [
    'rotate twice',
    1,
    async (stage) => {
      for (const _ of [1, 2]) {
        stage.log.rename();
        stage.log.reopen();
        await write(stage);
        await moment(1_100);
      }
    },
  ],
  [
    'replace',
    2,
    async (stage) => {
      stage.log.replace(record(stage.random));
      await writeOn(stage);
    },
  ],
  [
    'delete',
    2,
    async (stage) => {
      stage.log.delete();
      await reopenLater(stage);
    },
  ],
  ['disconnect', 4, ({ sshd }) => sshd.cutConnections()],
  ['kill tail', 2, ({ folder }) => signalTail(folder)],
  ['freeze', 1, freeze],
];

export function pick(random: () => number): readonly [string, Act] {
  let at = random() * ACTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight, act] of ACTS) {
    at -= weight;
    if (at < 0) return [name, act];
  }
  return ['write', writeOn];
}

let records = 0;

/** Numbered, of any bytes; some end in what `tail` says, or begin with it. */
export function record(random: () => number): Buffer {
  records += 1;
  const length = random() < 0.02 ? 200_000 : Math.floor(random() * random() * 3_000);
  const body = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  const end = ['\n', 't', 'tail: ', 'tail: /proc/self/fd/3: file truncated\n', '\0'][Math.floor(random() * 9)] ?? '\n';
  return Buffer.concat([Buffer.from(`#${records} `), body, Buffer.from(end)]);
}

/** Where tail is not GNU's there is only the script itself. */
function signalTail(folder: string): void {
  const shell = followerOf(folder);
  if (shell === null) return;
  const children = readOrEmpty(`/proc/${shell}/task/${shell}/children`).split(' ').filter(Boolean).map(Number);
  const tails = children.filter((pid) => readOrEmpty(`/proc/${pid}/comm`) === 'tail\n');
  send(tails[0] ?? shell, 'SIGKILL');
}

async function freeze({ folder, random }: Stage): Promise<void> {
  const shell = followerOf(folder);
  const parent = Number(/\) \S (\d+)/.exec(readOrEmpty(`/proc/${shell}/stat`))?.[1] ?? 1);
  if (!readOrEmpty(`/proc/${parent}/comm`).startsWith('sshd')) return;
  send(parent, 'SIGSTOP');
  await moment(random() * 2_000);
  send(parent, 'SIGCONT');
}

function followerOf(folder: string): number | null {
  const pid = Number(readOrEmpty(join(folder, 'follower')).split(' ')[0]);
  return pid > 0 ? pid : null;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // What it tells of is gone.
    return '';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
