/** What a known_hosts file says about a host: plain, hashed, [host]:port, wildcards, negation, @revoked (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT"). */

import { createHash, createHmac } from 'node:crypto';

export interface KnownKey {
  readonly type: string;
  readonly key: Buffer;
  readonly isRevoked: boolean;
}

export type HostKeyVerdict =
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'changed'; readonly expected: readonly string[] }
  | { readonly kind: 'revoked' };

/** The keys that stand there for `name` (as knownName gives it). Lines with @cert-authority are passed over: certificates aren't read. */
export function parseKnownKeys(text: string, name: string): readonly KnownKey[] {
  return text.split('\n').flatMap((row): KnownKey[] => {
    const words = row.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const [hosts, type, key] = words;
    if (hosts === undefined || hosts.startsWith('#') || type === undefined || key === undefined) return [];
    if (marker !== undefined && marker !== '@revoked') return [];
    return matches(hosts, name) ? [{ type, key: Buffer.from(key, 'base64'), isRevoked: marker === '@revoked' }] : [];
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
  if (same.some(({ isRevoked }) => isRevoked)) return { kind: 'revoked' };
  if (same.length > 0) return { kind: 'known' };
  const expected = known.filter(({ isRevoked }) => !isRevoked).map(({ key }) => fingerprint(key));
  return expected.length > 0 ? { kind: 'changed', expected } : { kind: 'unknown' };
}

/** As `ssh-keygen -l` prints it, with the key's type: `SHA256:… (ssh-ed25519)`. */
export function fingerprint(key: Buffer): string {
  const hash = createHash('sha256')
    .update(key)
    .digest('base64')
    .replace(/={1,2}$/, '');
  return `SHA256:${hash} (${keyType(key)})`;
}

/** The signature algorithms to ask for first: those of the known keys, so that a server with several keys shows a known one. */
export function preferredAlgorithms<const Algorithm extends string>(
  known: readonly KnownKey[],
  supported: readonly Algorithm[],
): Algorithm[] {
  const types = new Set(known.filter(({ isRevoked }) => !isRevoked).map(({ type }) => type));
  const isKnown = (algorithm: string) => types.has(algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm);
  return [...supported.filter(isKnown), ...supported.filter((algorithm) => !isKnown(algorithm))];
}

function keyType(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  return key.subarray(4, 4 + length).toString('latin1');
}

function matches(hosts: string, name: string): boolean {
  const patterns = hosts.split(',');
  if (patterns.some((pattern) => pattern.startsWith('!') && matchesOne(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matchesOne(pattern, name));
}

function matchesOne(pattern: string, name: string): boolean {
  const hashed = /^\|1\|([^|]+)\|(.+)$/.exec(pattern);
  if (hashed) {
    const salt = Buffer.from(hashed[1] ?? '', 'base64');
    return createHmac('sha1', salt).update(name).digest('base64') === hashed[2];
  }
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}
