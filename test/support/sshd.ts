/** A real sshd (Debian's openssh-server) on a loopback port, with keys of its own, for the time of a test. */

import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { findFreePort } from '../../rehearsal/free-port.ts';
import type { HostConfig } from '../../src/config/config.ts';

const execute = promisify(execFile);

export interface SshdOptions {
  readonly name?: string;
  /** Lines added to sshd_config, such as 'AllowTcpForwarding no'. */
  readonly config?: readonly string[];
  /** The state folder on the "host"; without it a temporary one. */
  readonly stateDir?: string;
}

export interface Sshd {
  readonly host: HostConfig;
  readonly port: number;
  readonly folder: string;
  readonly knownHosts: string;
  readonly keyPath: string;
  /** Ends all connections at once, as a network that breaks would; new ones are accepted. */
  cutConnections(): Promise<void>;
  /** Starts anew with another host key: the host was set up anew, or somebody is in between. */
  changeHostKey(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSshd({ name = 'kpro5', config = [], stateDir }: SshdOptions = {}): Promise<Sshd> {
  await mkdir('/run/sshd', { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'vigil-sshd-'));
  const port = await findFreePort();
  const keyPath = join(folder, 'client');
  const knownHosts = join(folder, 'known_hosts');
  await makeKey(keyPath);
  await copyFile(`${keyPath}.pub`, join(folder, 'authorized_keys'));
  await makeKey(join(folder, 'host'));
  await writeConfig({ folder, port, config });
  await writeFile(knownHosts, await knownLine(folder, port));
  let daemon = await startDaemon(folder);
  return {
    host: {
      name,
      connect: {
        kind: 'address',
        address: '127.0.0.1',
        user: userInfo().username,
        port,
        key: keyPath,
        knownHosts: [knownHosts],
      },
      stateDir: stateDir ?? join(folder, 'runs'),
      channel: 'C0HOST',
      rights: { see: 'anyone', launch: 'anyone', stop: 'anyone' },
      patrol: null,
    },
    port,
    folder,
    knownHosts,
    keyPath,
    cutConnections: () => daemon.cutConnections(),
    changeHostKey: async () => {
      await daemon.stop();
      await rm(join(folder, 'host'));
      await makeKey(join(folder, 'host'));
      daemon = await startDaemon(folder);
    },
    stop: async () => {
      await daemon.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeConfig({ folder, port, config }: { folder: string; port: number; config: readonly string[] }) {
  const rows = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    `PidFile ${folder}/sshd.pid`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'StrictModes no',
    'UsePAM no',
    ...config,
  ];
  await writeFile(join(folder, 'sshd_config'), `${rows.join('\n')}\n`);
}

async function startDaemon(folder: string) {
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await waitForListening(child);
  const cutConnections = async () => {
    for (const pid of await descendants(child.pid ?? 0)) endProcess(pid);
  };
  return {
    cutConnections,
    stop: async () => {
      const connections = await descendants(child.pid ?? 0);
      child.kill('SIGTERM');
      await ended;
      connections.forEach(endProcess);
    },
  };
}

/** sshd's own processes for connections, not what their sessions run. */
async function descendants(parent: number): Promise<number[]> {
  const { stdout } = await execute('ps', ['-eo', 'pid=,ppid=,comm=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const children = rows
    .filter(([, ppid, comm]) => Number(ppid) === parent && comm === 'sshd')
    .map(([pid]) => Number(pid));
  const further = await Promise.all(children.map(descendants));
  return [...further.flat(), ...children];
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself since it was listed.
  }
}

async function makeKey(path: string): Promise<void> {
  await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', path]);
}

async function knownLine(folder: string, port: number): Promise<string> {
  return `[127.0.0.1]:${port} ${await readFile(join(folder, 'host.pub'), 'utf8')}`;
}

function waitForListening(child: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`sshd ended: ${said}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4096);
      if (said.includes('Server listening')) resolve();
    });
  });
}
