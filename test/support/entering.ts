/** The shortest visit to a host: connect, run one script, leave. */

import { appendFile, readFile } from 'node:fs/promises';
import type { HostConfig } from '../../src/config/config.ts';
import { FACTS } from '../../src/shell/facts.ts';
import { run } from '../../src/ssh/exec.ts';
import { LIMITS, type Limits } from '../../src/ssh/limits.ts';
import { Network } from '../../src/ssh/network.ts';
import type { Sessions } from '../../src/ssh/sessions.ts';
import type { Sshd } from './sshd.ts';

type Address = Extract<HostConfig['connect'], { kind: 'address' }>;

/** The host with another way in. */
export function entrance(host: HostConfig, change: Partial<Address>): HostConfig {
  if (host.connect.kind !== 'address') throw new Error('a host with an address');
  return { ...host, connect: { ...host.connect, ...change } };
}

/** Makes the sshd's key known at another port, too: another door of it, or another server that has its key. */
export async function knowAt({ knownHosts, port }: Sshd, other: number): Promise<void> {
  const line = (await readFile(knownHosts, 'utf8')).split('\n', 1)[0] ?? '';
  await appendFile(knownHosts, `${line.replace(`]:${port} `, `]:${other} `)}\n`);
}

export function openNetwork(hosts: readonly HostConfig[], limits: Partial<Limits> = {}): Network {
  return new Network({
    hosts: Object.fromEntries(hosts.map((host) => [host.name, host])),
    clock: { now: Date.now },
    limits: { ...LIMITS, ...limits },
  });
}

/** What it ends with: null, or the error. */
export async function visit(sessions: Sessions): Promise<unknown> {
  return run({ sessions, script: FACTS, signal: new AbortController().signal }).then(
    () => null,
    (error: unknown) => error,
  );
}

/** Visits the first of the hosts; the others are there for its way. */
export async function enter(...hosts: readonly [HostConfig, ...HostConfig[]]): Promise<unknown> {
  const network = openNetwork(hosts);
  try {
    return await visit(network.host(hosts[0].name));
  } finally {
    network.close();
  }
}
