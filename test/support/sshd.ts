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
  /** Elsewhere than on loopback: the address, and the words before sshd that bring it there. */
  readonly place?: { readonly address: string; readonly prefix: readonly string[] };
}

const LOOPBACK = { address: '127.0.0.1', prefix: [] };

export interface Sshd {
  readonly host: HostConfig;
  readonly port: number;
  readonly folder: string;
  readonly knownHosts: string;
  readonly keyPath: string;
  /** Ends all connections at once, as a network that breaks would; new ones are accepted. */
  cutConnections(): Promise<void>;
  /** Stops the processes of all connections, or with 'all' sshd itself too: it goes silent and closes nothing. */
  freeze(what: 'connections' | 'all'): Promise<void>;
  thaw(): void;
  /** What it has written into its log since it started. */
  log(): string;
  /** Starts anew with another host key: the host was set up anew, or somebody is in between. */
  changeHostKey(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSshd({
  name = 'kpro5',
  config = [],
  stateDir,
  place = LOOPBACK,
}: SshdOptions = {}): Promise<Sshd> {
  const { address } = place;
  await mkdir('/run/sshd', { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'vigil-sshd-'));
  const port = await findFreePort();
  const keyPath = join(folder, 'client');
  const knownHosts = join(folder, 'known_hosts');
  await makeKey(keyPath);
  await copyFile(`${keyPath}.pub`, join(folder, 'authorized_keys'));
  await makeKey(join(folder, 'host'));
  await writeConfig({ folder, address, port, config });
  await writeFile(knownHosts, `[${address}]:${port} ${await readFile(join(folder, 'host.pub'), 'utf8')}`);
  let daemon = await startDaemon(folder, place.prefix);
  return {
    host: {
      name,
      connect: {
        kind: 'address',
        address,
        user: userInfo().username,
        port,
        key: keyPath,
        isOnlyKey: true,
        knownHosts: [knownHosts],
        jump: null,
        passphrase: null,
      },
      stateDir: stateDir ?? join(folder, 'runs'),
      keepRuns: 30,
      channel: 'C0HOST',
      rights: { see: 'anyone', launch: 'anyone', force: 'anyone', stop: 'anyone', watch: 'anyone' },
      patrol: null,
      watchLogs: [],
    },
    port,
    folder,
    knownHosts,
    keyPath,
    cutConnections: () => daemon.cutConnections(),
    freeze: (what) => daemon.freeze(what),
    thaw: () => daemon.thaw(),
    log: () => daemon.log(),
    changeHostKey: async () => {
      await daemon.stop();
      await rm(join(folder, 'host'));
      await makeKey(join(folder, 'host'));
      daemon = await startDaemon(folder, place.prefix);
    },
    stop: async () => {
      await daemon.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Configuration extends Required<Pick<SshdOptions, 'config'>> {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
}

async function writeConfig({ folder, address, port, config }: Configuration) {
  const rows = [
    `Port ${port}`,
    `ListenAddress ${address}`,
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    `PidFile ${folder}/sshd.pid`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'StrictModes no',
    'UsePAM no',
    environmentRow(config),
    ...config,
  ];
  await writeFile(join(folder, 'sshd_config'), `${rows.join('\n')}\n`);
}

/**
 * sshd takes the first SetEnv alone, so that all stand in one. A bash that is not the outermost shell reads no ~/.bashrc of whoever runs the
 * tests: it differs from machine to machine, and some cost a quarter of a second at each command.
 */
function environmentRow(config: readonly string[]): string {
  const own = config.filter((row) => row.startsWith('SetEnv ')).map((row) => row.slice('SetEnv '.length));
  return ['SetEnv SHLVL=1', ...own].join(' ');
}

type Daemon = ChildProcessByStdio<null, null, Readable>;

async function startDaemon(folder: string, prefix: readonly string[]) {
  const [command = '', ...words] = [...prefix, '/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'sshd_config')];
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const pid = child.pid ?? 0;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const log = collect(child);
  await waitForListening(child, log);
  const frozen: number[] = [];
  const thaw = () => {
    for (const one of frozen.splice(0)) signal(one, 'SIGCONT');
  };
  return {
    log,
    thaw,
    cutConnections: async () => {
      for (const one of await descendants(pid)) signal(one, 'SIGKILL');
    },
    freeze: async (what: 'connections' | 'all') => {
      frozen.push(...(what === 'all' ? [pid] : []), ...(await descendants(pid)));
      for (const one of frozen) signal(one, 'SIGSTOP');
    },
    stop: async () => {
      const connections = await descendants(pid);
      thaw();
      child.kill('SIGTERM');
      // They hold its stderr open.
      for (const one of connections) signal(one, 'SIGKILL');
      await ended;
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself since it was listed.
  }
}

async function makeKey(path: string): Promise<void> {
  await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', path]);
}

function collect(child: Daemon): () => string {
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return () => said;
}

function waitForListening(child: Daemon, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`sshd ended: ${log()}`)));
    child.stderr.on('data', () => {
      if (log().includes('Server listening')) resolve();
    });
  });
}
