/** What a known_hosts file says about a host: plain, hashed, [host]:port, wildcards, negation, markers (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"). */

import { createHash, createHmac } from 'node:crypto';

export interface KnownKey {
  readonly type: string;
  readonly key: Buffer;
  /** 'cert-authority': the key signs host certificates, which Vigil doesn't read; it is no host's own. */
  readonly marker: 'revoked' | 'cert-authority' | null;
  /** 1-based. */
  readonly line: number;
  /** The first word of the line, behind its marker. */
  readonly hosts: string;
}

export type HostKeyVerdict =
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'revoked' };

/** The keys that stand there for `name` (as knownName gives it). Lines that can't be read are passed over, as by ssh. */
export function parseKnownKeys(text: string, name: string): readonly KnownKey[] {
  return text.split('\n').flatMap((row, index): KnownKey[] => {
    const words = row.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift()?.slice(1) : null;
    const [hosts, type, key] = words;
    if (hosts === undefined || hosts.startsWith('#') || type === undefined || key === undefined) return [];
    if (marker !== null && marker !== 'revoked' && marker !== 'cert-authority') return [];
    return matches(hosts, name) ? [{ type, key: Buffer.from(key, 'base64'), marker, line: index + 1, hosts }] : [];
  });
}

/** How known_hosts names a host: the port only where it isn't 22. */
export function knownName(address: string, port: number): string {
  const host = address.toLowerCase();
  return port === 22 ? host : `[${host}]:${port}`;
}

/** Judges the raw key that a server showed. */
export function judgeHostKey(known: readonly KnownKey[], shown: Buffer): HostKeyVerdict {
  const same = known.filter(({ key }) => key.equals(shown));
  if (same.some(({ marker }) => marker === 'revoked')) return { kind: 'revoked' };
  if (same.some(({ marker }) => marker === null)) return { kind: 'known' };
  return known.some(({ marker }) => marker === null) ? { kind: 'changed' } : { kind: 'unknown' };
}

/** As `ssh-keygen -l` prints it: `SHA256:…`. */
export function fingerprintOf(key: Buffer): string {
  const hash = createHash('sha256').update(key).digest('base64');
  return `SHA256:${hash.replace(/={1,2}$/, '')}`;
}

/** With the key's type, as people are told of it: `SHA256:… (ssh-ed25519)`. */
export function fingerprint(key: Buffer): string {
  return `${fingerprintOf(key)} (${keyType(key)})`;
}

/** The type that stands in the key itself. */
export function keyType(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  return key.subarray(4, 4 + length).toString('latin1');
}

/** The signature algorithms to ask for first: those of the known keys, so that a server with several keys shows a known one. */
export function preferredAlgorithms<const Algorithm extends string>(
  known: readonly KnownKey[],
  supported: readonly Algorithm[],
): Algorithm[] {
  const types = new Set(known.filter(({ marker }) => marker === null).map(({ type }) => type));
  const isKnown = (algorithm: string) => types.has(algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm);
  return [...supported.filter(isKnown), ...supported.filter((algorithm) => !isKnown(algorithm))];
}

/** A name as `ssh-keygen -H` hides it: |1|salt|HMAC-SHA1 of the name. */
export function hashName(name: string, salt: Buffer): string {
  const hash = createHmac('sha1', salt).update(name).digest('base64');
  return `|1|${salt.toString('base64')}|${hash}`;
}

function matches(hosts: string, name: string): boolean {
  const patterns = hosts.split(',');
  if (patterns.some((pattern) => pattern.startsWith('!') && matchesOne(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matchesOne(pattern, name));
}

function matchesOne(pattern: string, name: string): boolean {
  const salt = /^\|1\|([^|]+)\|/.exec(pattern)?.[1];
  if (salt !== undefined) return hashName(name, Buffer.from(salt, 'base64')) === pattern;
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}
