/** Where and how to log in: from the configuration, or from what the local ssh client says about an alias. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import ssh2 from 'ssh2';
import type { HostConfig } from '../config/config.ts';
import { HostRefused } from '../errors.ts';
import { knownName } from './known-hosts.ts';

export interface Login {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** Private key files; those that aren't there are passed over as long as one is. */
  readonly keys: readonly string[];
  readonly knownHosts: readonly string[];
  /** What the host is called in known_hosts. */
  readonly knownName: string;
}

export interface PrivateKey {
  readonly path: string;
  readonly text: string;
}

/** Throws HostRefused when an alias can't be explained. */
export async function resolveLogin({ name, connect }: HostConfig): Promise<Login> {
  if (connect.kind === 'alias') return parseAlias(name, connect.alias, await explainAlias(name, connect.alias));
  const { address, port, user, key, knownHosts } = connect;
  return {
    host: name,
    address,
    port,
    user,
    keys: [atHome(key)],
    knownHosts: knownHosts.map(atHome),
    knownName: knownName(address, port),
  };
}

/** Reads the output of `ssh -G`: one lower-case keyword and its value a line. */
export function parseAlias(host: string, alias: string, text: string): Login {
  const rows = text.split('\n').map((row) => /^(\S+) (.+)$/.exec(row.trim()));
  const all = (keyword: string) =>
    rows.flatMap((row) => (row?.[1] === keyword && row[2] !== undefined ? [row[2]] : []));
  const address = all('hostname')[0] ?? alias;
  const port = Number(all('port')[0] ?? 22);
  const jump = [...all('proxyjump'), ...all('proxycommand')].find((value) => value !== 'none');
  if (jump !== undefined) {
    throw new HostRefused(
      host,
      `~/.ssh/config reaches ${alias} through "${jump}", and Vigil can't use jump hosts or proxy commands yet: give ${host} an address that can be reached directly.`,
    );
  }
  const files = [...all('userknownhostsfile'), ...all('globalknownhostsfile')].flatMap((value) => value.split(/\s+/));
  return {
    host,
    address,
    port,
    user: all('user')[0] ?? 'root',
    keys: all('identityfile').map(atHome),
    knownHosts: files.filter((file) => file !== 'none').map(atHome),
    knownName: all('hostkeyalias')[0]?.toLowerCase() ?? knownName(address, port),
  };
}

/** The keys that can be used, in order; throws HostRefused when there is none. */
export async function readKeys(login: Login): Promise<readonly PrivateKey[]> {
  const keys: PrivateKey[] = [];
  const found: string[] = [];
  for (const path of login.keys) {
    try {
      const text = await readFile(path, 'utf8');
      const parsed = ssh2.utils.parseKey(text);
      if (parsed instanceof Error) found.push(`${path}: ${parsed.message}`);
      else keys.push({ path, text });
    } catch (error) {
      found.push(`${path}: ${error instanceof Error ? error.message.split(',')[0] : String(error)}`);
    }
  }
  if (keys.length > 0) return keys;
  throw new HostRefused(
    login.host,
    `No private key for ${login.host} can be used (${found.join('; ') || 'none is named'}): name a key file without a passphrase that the user running Vigil can read.`,
  );
}

async function explainAlias(host: string, alias: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ssh', ['-G', '--', alias], { timeout: 10_000 });
    return stdout;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const found = isMissing
      ? 'there is no ssh client on this machine'
      : `ssh -G failed: ${error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)}`;
    throw new HostRefused(
      host,
      `The alias ${alias} of ${host} can't be looked up (${found}): install the ssh client and check ~/.ssh/config, or write address, user, port and key in vigil.yaml.`,
      { cause: error },
    );
  }
}

function atHome(path: string): string {
  return path.startsWith('~/') ? `${homedir()}/${path.slice(2)}` : path;
}
