/** Whether the key that a host shows is the one that is known, and what to tell people when it isn't. */

import { readFile } from 'node:fs/promises';
import { HostRefused } from '../errors.ts';
import { fingerprint, judgeHostKey, type KnownKey, parseKnownKeys } from './known-hosts.ts';
import type { Login } from './login.ts';

export async function readKnownKeys(login: Login): Promise<readonly KnownKey[]> {
  const known: KnownKey[] = [];
  for (const path of login.knownHosts) {
    // A file that isn't there knows no host; the refusal that follows names it.
    const text = await readFile(path, 'utf8').catch(() => '');
    known.push(...parseKnownKeys(text, login.knownName));
  }
  return known;
}

/** null when the key is known. */
export function refuseHostKey(login: Login, known: readonly KnownKey[], shown: Buffer): HostRefused | null {
  const { host, address, port, knownName } = login;
  const file = login.knownHosts[0] ?? '~/.ssh/known_hosts';
  const found = fingerprint(shown);
  const verdict = judgeHostKey(known, shown);
  const next = `Run ssh-keyscan -p ${port} ${address}, compare the fingerprint with the one that the host's owner gives you`;
  switch (verdict.kind) {
    case 'known':
      return null;
    case 'unknown':
      return new HostRefused(
        host,
        `The host key of ${host} is unknown: it shows ${found}, and ${file} holds no key for ${knownName}. ${next}, then add the line to ${file}.`,
      );
    case 'changed':
      return new HostRefused(
        host,
        `The host key of ${host} has changed: it shows ${found}, expected was ${verdict.expected.join(' or ')}. Somebody may be in between, or the host was set up anew. ${next}, then replace the line for ${knownName} in ${file}.`,
      );
    case 'revoked':
      return new HostRefused(
        host,
        `The host key of ${host} is revoked: ${file} marks ${found} as @revoked. The host needs a new host key; ask its owner.`,
      );
    default:
      return verdict satisfies never;
  }
}
