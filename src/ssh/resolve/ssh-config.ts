/**
 * ~/.ssh/config on a machine without an ssh client, by the package ssh-config. It knows neither Include nor the criteria of Match that look
 * at the machine or run commands, and its CanonicalizeHostname runs nslookup: what it would get wrong is refused by name.
 */

import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import SSHConfig, { type Directive, type Line, LineType, type Section } from 'ssh-config';
import type { Jump } from './jump.ts';

type Row = readonly [string, string];
type Value = string | readonly string[];

/** ssh's own where nothing is said (ssh_config(5)). */
const KEY_NAMES = ['id_rsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'];
const KNOWN_HOSTS = '~/.ssh/known_hosts ~/.ssh/known_hosts2';
const SYSTEM_KNOWN_HOSTS = '/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2';
/** Those that depend on nothing but words of the file and of the target. */
const CRITERIA = /^(?:all|host|originalhost|user|localuser)$/;

/** The rows that `ssh -G` would print, as far as a connection needs them. Throws an Error that says what can't be read. */
export async function readWithoutClient(jump: Jump): Promise<readonly Row[]> {
  const texts = [`${userInfo().homedir}/.ssh/config`, '/etc/ssh/ssh_config'].map(readIfThere);
  return computeRows((await Promise.all(texts)).join('\n'), jump);
}

/** As readWithoutClient, of a config's text. */
export function computeRows(text: string, { name, user, port, before }: Jump): readonly Row[] {
  const config = SSHConfig.parse(text);
  for (const line of config) check(line);
  const computed: Record<string, Value> = config.compute(
    { Host: name, ...(user === null ? {} : { User: user }) },
    { ignoreCase: true, matchExec: false },
  );
  const given: Record<string, Value> = {
    ...(port === null ? {} : { port: String(port) }),
    ...(before === null ? {} : { proxyjump: before }),
  };
  // Of the two ways to a host the one that stands first counts.
  const ways = Object.keys(computed).filter((keyword) => keyword === 'proxyjump' || keyword === 'proxycommand');
  for (const later of ways.slice(1)) delete computed[later];
  const rows = Object.entries({ ...defaults(), ...computed, ...given });
  return rows.flatMap(([keyword, value]) => [value].flat().map((one) => [keyword, one] as const)).map(inTokens(name));
}

function defaults(): Record<string, Value> {
  return {
    user: userInfo().username,
    identityfile: KEY_NAMES.map((key) => `~/.ssh/${key}`),
    userknownhostsfile: KNOWN_HOSTS,
    globalknownhostsfile: SYSTEM_KNOWN_HOSTS,
  };
}

/** HostName may name what was asked for (%h). */
function inTokens(name: string): (row: Row) => Row {
  return ([keyword, value]) => (keyword === 'hostname' ? [keyword, value.replaceAll('%h', name)] : [keyword, value]);
}

function check(line: Line): void {
  if (line.type !== LineType.DIRECTIVE) return;
  const keyword = line.param.toLowerCase();
  // The package knows these two by their usual spelling only.
  if (keyword === 'hostname') line.param = 'HostName';
  if (keyword === 'user') line.param = 'User';
  if (keyword === 'include') throw unread('Include');
  if (keyword === 'canonicalizehostname' && !/^(?:no|false)$/i.test(String(line.value))) throw unread(line.param);
  if (keyword === 'proxycommand' && hasQuotes(line)) throw unread('ProxyCommand with quotes or backslashes');
  if (!('config' in line)) return;
  const odd =
    'criteria' in line ? Object.keys(line.criteria).find((criterion) => !CRITERIA.test(criterion)) : undefined;
  if (odd !== undefined) throw unread(`Match ${odd}`);
  for (const inner of (line as Section).config) check(inner);
}

/** Quotes are lost or added when its words are put together again. */
function hasQuotes({ value }: Directive): boolean {
  if (typeof value === 'string') return /['"\\]/.test(value);
  return value.some(({ val, quoted }) => quoted === true || /['"\\]/.test(val));
}

function unread(what: string): Error {
  return new Error(`without an ssh client on this machine Vigil can't read ${what}; install openssh-client`);
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
