/** Goes the way to a host, from its outermost jump host on, and asks about each key that isn't known yet. */

import type { Config } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { readConfig } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import { ConfigError, HostRefused, HostUnreachable } from '../errors.ts';
import { LIMITS } from '../ssh/limits.ts';
import type { Login } from '../ssh/login.ts';
import { Network } from '../ssh/network.ts';
import { type Asked, readArguments, USAGE } from './arguments.ts';
import { type Terminal, trustKey } from './trust-key.ts';

/** The exit code: 0 the host's key is known, 1 it isn't, 2 on misuse. */
export async function trustHost(
  words: readonly string[],
  variables: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<0 | 1 | 2> {
  const asked = readArguments(words);
  if (asked === 'help') {
    terminal.write(USAGE);
    return 0;
  }
  if ('mistake' in asked) {
    terminal.warn(`${asked.mistake}\n${USAGE}`);
    return 2;
  }
  try {
    // Recipes' secrets have no part in it; a passphrase that a jump host needs is asked for by name then.
    const path = readEnvironment(variables).configPath;
    const { hosts } = readConfig(path, { variables, missing: 'empty' });
    if (hosts[asked.host] !== undefined) return (await trustWay(asked, hosts, terminal)) ? 0 : 1;
    terminal.warn(`${unknownHost(path, asked.host, Object.keys(hosts))}\n`);
    return 2;
  } catch (error) {
    const isTold = error instanceof ConfigError || error instanceof HostRefused || error instanceof HostUnreachable;
    if (!isTold) throw error;
    terminal.warn(`${error.message}\n`);
    return 1;
  }
}

async function trustWay({ host, compared }: Asked, hosts: Config['hosts'], terminal: Terminal): Promise<boolean> {
  const network = new Network({ hosts, clock: { now: Date.now }, limits: LIMITS });
  try {
    for (const login of await stopsTo(await network.host(host).login(), network)) {
      const isTrusted = await trustKey({ login, ways: network, limits: LIMITS }, { compared, terminal });
      if (!isTrusted) return false;
    }
    return true;
  } finally {
    network.close();
  }
}

/** The jump hosts, the outermost first, then the host itself. */
async function stopsTo(login: Login, network: Network): Promise<readonly Login[]> {
  if (login.way.kind !== 'jump') return [login];
  const { over } = login.way;
  const hop = over.kind === 'login' ? over.login : await network.host(over.name).login();
  return [...(await stopsTo(hop, network)), login];
}

function unknownHost(path: string, host: string, names: readonly string[]): string {
  const meant = nearest(host, names);
  const advice = meant === null ? 'add it there, or correct the name' : `did you mean ${meant}?`;
  return `found HOST ${host}, expected a host of ${path} (${names.join(', ') || 'it holds none'}); ${advice}`;
}
