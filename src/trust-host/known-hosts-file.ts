/** Changes to a known_hosts file: one line for a key, in place of those that it makes stale. */

import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hashName, type KnownKey, keyType, parseKnownKeys } from '../ssh/known-hosts.ts';

export interface NewKey {
  /** The host, as known_hosts names it. */
  readonly name: string;
  readonly key: Buffer;
  readonly isHashed: boolean;
}

export interface Change {
  readonly text: string;
  /** Lines (1-based) with another key of this type that go, or lose this host's name. */
  readonly replaced: readonly number[];
  /** Those that stay, since a pattern in them stands for other hosts too. */
  readonly left: readonly number[];
}

const SALT_BYTES = 20;

export function planChange(text: string, { name, key, isHashed }: NewKey): Change {
  const stale = parseKnownKeys(text, name).filter(
    (known) => known.marker === null && known.type === keyType(key) && !known.key.equals(key),
  );
  const left = stale.filter((known) => !isWritten(known, name));
  const replaced = stale.filter((known) => isWritten(known, name));
  const rows = text.split('\n').flatMap((row, index) => {
    const known = replaced.find(({ line }) => line === index + 1);
    return known === undefined ? [row] : without(row, known, name);
  });
  if (rows.at(-1) === '') rows.pop();
  const hosts = isHashed ? hashName(name, randomBytes(SALT_BYTES)) : name;
  const added = `${hosts} ${keyType(key)} ${key.toString('base64')}`;
  return { text: `${[...rows, added].join('\n')}\n`, replaced: replaced.map(lineOf), left: left.map(lineOf) };
}

/** '' where there is no such file yet. */
export async function readKnownHosts(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** The whole file at once, or not at all; for its owner only. A link stays one. */
export async function writeKnownHosts(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The name itself stands there, plain or hashed; else a wildcard matched. */
function isWritten({ hosts }: KnownKey, name: string): boolean {
  return hosts.startsWith('|') || namesOf(hosts).includes(name);
}

function without(row: string, { hosts }: KnownKey, name: string): string[] {
  const others = hosts.split(',').filter((pattern) => pattern.toLowerCase() !== name);
  if (hosts.startsWith('|') || others.length === 0) return [];
  return [row.replace(hosts, others.join(','))];
}

function namesOf(hosts: string): string[] {
  return hosts.toLowerCase().split(',');
}

function lineOf({ line }: KnownKey): number {
  return line;
}
