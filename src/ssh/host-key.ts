/** Whether the key that a host shows is the one that is known, and what to tell people when it isn't. */

import { readFile } from 'node:fs/promises';
import { HostRefused } from '../errors.ts';
import {
  fingerprint,
  type HostKeyVerdict,
  judgeHostKey,
  type KnownKey,
  keyType,
  parseKnownKeys,
} from './known-hosts.ts';
import type { Login } from './login.ts';

/** A known key and the file that holds it. */
export interface FiledKey extends KnownKey {
  readonly file: string;
}

export interface KnownHost {
  readonly keys: readonly FiledKey[];
  /** Those of its name without the port: they can make a key known or revoked, never changed. */
  readonly plainKeys: readonly FiledKey[];
}

/** Throws HostRefused for a list of revoked keys that can't be read: a revoked key must not pass. */
export async function readKnownHost(login: Login): Promise<KnownHost> {
  const { name, plainName, files, systemFiles, revoked } = login.hostKeys;
  const lists = await Promise.all(revoked.map((file) => readRevoked(login, file)));
  const keys: FiledKey[] = lists.flat();
  const plainKeys: FiledKey[] = [];
  for (const file of [...files, ...systemFiles]) {
    // A file that isn't there knows no host; the refusal that follows names it.
    const text = await readFile(file, 'utf8').catch(() => '');
    keys.push(...parseKnownKeys(text, name).map((key) => ({ ...key, file })));
    if (plainName !== null) plainKeys.push(...parseKnownKeys(text, plainName).map((key) => ({ ...key, file })));
  }
  return { keys, plainKeys };
}

export function judge({ keys, plainKeys }: KnownHost, shown: Buffer): HostKeyVerdict {
  const verdict = judgeHostKey(keys, shown);
  const plain = judgeHostKey(plainKeys, shown);
  if (plain.kind === 'revoked') return plain;
  return verdict.kind === 'unknown' && plain.kind === 'known' ? plain : verdict;
}

/** null when the key is known. */
export function refuseHostKey(login: Login, known: KnownHost, shown: Buffer): HostRefused | null {
  const verdict = judge(known, shown);
  if (verdict.kind === 'known') return null;
  const found = `it shows ${fingerprint(shown)}`;
  const strict = laxityWords(login);
  switch (verdict.kind) {
    case 'unknown':
      return new HostRefused(
        login.host,
        `The host key of ${login.host} is unknown: ${found}, and ${showLack(login)}.${authorityWords(known)}${strict} ${advice(login)}`,
      );
    case 'changed':
      return new HostRefused(
        login.host,
        `The host key of ${login.host} has changed: ${found}, expected was ${showExpected(known)}. Either the host was set up anew, or another machine answers in its place and could read all that goes through.${strict} ${advice(login)}`,
      );
    case 'revoked':
      return new HostRefused(
        login.host,
        `The host key of ${login.host} is revoked: ${found}, and ${showRevocation(known, shown)} revokes it. The host needs a new key; ask its owner.`,
      );
    default:
      return verdict satisfies never;
  }
}

/** The expected keys with their places: `SHA256:… (ssh-ed25519; ~/.ssh/known_hosts, line 3)`. */
export function showExpected({ keys }: KnownHost): string {
  const own = keys.filter(({ marker }) => marker === null);
  return own
    .map((known) => `${fingerprint(known.key).replace(/\)$/, '')}; ${known.file}, line ${known.line})`)
    .join(' or ');
}

export function showRevocation({ keys, plainKeys }: KnownHost, shown: Buffer): string {
  const found = [...keys, ...plainKeys].find(({ key, marker }) => marker === 'revoked' && key.equals(shown));
  return found === undefined ? 'known_hosts' : `${found.file}, line ${found.line},`;
}

function showLack({ hostKeys }: Login): string {
  const files = [...hostKeys.files, ...hostKeys.systemFiles];
  if (files.length === 0) return 'no known_hosts file is named for it';
  const key = `key for ${hostKeys.name}`;
  return files.length === 1 ? `${files[0]} holds no ${key}` : `none of ${files.join(', ')} holds a ${key}`;
}

function authorityWords({ keys }: KnownHost): string {
  const authority = keys.find(({ marker }) => marker === 'cert-authority');
  if (authority === undefined) return '';
  return ` ${authority.file}, line ${authority.line}, trusts a certificate authority for it, and Vigil reads no host certificates: it needs the host's own key.`;
}

function laxityWords({ hostKeys }: Login): string {
  return hostKeys.laxity === null
    ? ''
    : ` ~/.ssh/config says ${hostKeys.laxity} for it; Vigil checks every key all the same.`;
}

function advice({ trustedBy }: Login): string {
  return `Get the fingerprint from the host's owner, then run: npm run trust-host ${trustedBy}`;
}

/** One public key a line, as ssh reads it when it isn't a binary list. */
async function readRevoked({ host }: Login, file: string): Promise<readonly FiledKey[]> {
  try {
    const text = await readFile(file, 'latin1');
    if (text.startsWith('SSHKRL\n'))
      throw new Error('it is a binary list (KRL), and Vigil reads one public key a line');
    return text.split('\n').flatMap((row, index) => {
      const blob = /(?:^|\s)(AAAA[A-Za-z0-9+/]+=*)(?:\s|$)/.exec(row)?.[1];
      if (blob === undefined || row.startsWith('#')) return [];
      const key = Buffer.from(blob, 'base64');
      return [{ type: keyType(key), key, marker: 'revoked' as const, line: index + 1, hosts: '', file }];
    });
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new HostRefused(
      host,
      `The list of revoked host keys ${file} can't be read for ${host} (${found}): mend it, or take RevokedHostKeys away from ~/.ssh/config.`,
      { cause: error },
    );
  }
}
