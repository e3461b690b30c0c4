/** What to log in with, in the order of OpenSSH: the files' keys that the agent holds, the agent's others, then the files themselves. */

import { access } from 'node:fs/promises';
import type { ParsedKey } from 'ssh2';
import { fingerprint } from '../known-hosts.ts';
import type { Identities } from '../login.ts';
import { type AgentKey, listAgentKeys } from './agent.ts';
import { type KeyFile, readKeyFile, type Unusable, unlock } from './key-file.ts';

export type Credential =
  | { readonly kind: 'file'; readonly label: string; readonly key: ParsedKey }
  | { readonly kind: 'agent'; readonly label: string; readonly key: AgentKey; readonly socketPath: string };

export interface Credentials {
  readonly usable: readonly Credential[];
  /** What was passed over and why, for a login that fails. */
  readonly passedOver: readonly string[];
}

export async function readCredentials(identities: Identities): Promise<Credentials> {
  const passedOver: string[] = [...identities.unusable];
  const files = await readFiles(identities.files, passedOver);
  const held = await readAgent(identities.agent, passedOver);
  const named = files.flatMap(({ blob }) => held.filter(({ key }) => blob !== null && key.blob.equals(blob)));
  const others = identities.isOnlyFiles ? [] : held.filter((credential) => !named.includes(credential));
  const ready = files
    .filter(({ blob }) => !named.some(({ key }) => blob !== null && key.blob.equals(blob)))
    .flatMap((file): Credential[] => {
      const key = unlock(file, identities.passphrase);
      if (isUsable(key)) return [{ kind: 'file', label: file.path, key }];
      passedOver.push(key.why);
      return [];
    });
  return { usable: [...named, ...others, ...ready], passedOver };
}

async function readFiles(paths: readonly string[], passedOver: string[]): Promise<readonly KeyFile[]> {
  const files: KeyFile[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    const file = await readKeyFile(path);
    if (file === 'missing') missing.push(path);
    else if (isUsable(file)) files.push(file);
    else passedOver.push(file.why);
    if (file !== 'missing' && (await isThere(`${path}-cert.pub`)))
      passedOver.push(`${path}-cert.pub: Vigil logs in without certificates, by the key alone`);
  }
  if (missing.length > 0) passedOver.push(`there is no ${missing.join(', no ')}`);
  return files;
}

async function readAgent(
  socketPath: string | null,
  passedOver: string[],
): Promise<readonly (Credential & { kind: 'agent' })[]> {
  if (socketPath === null) return [];
  try {
    const keys = await listAgentKeys(socketPath);
    return keys.flatMap((key) => {
      const label = `${key.comment || fingerprint(key.blob)} of the ssh-agent`;
      const why = refuseType(key.type);
      if (why === null) return [{ kind: 'agent', label, key, socketPath }];
      passedOver.push(`${label}: ${why}`);
      return [];
    });
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    passedOver.push(
      `the ssh-agent at ${socketPath} gives no keys (${found}): start it, or set SSH_AUTH_SOCK for Vigil anew`,
    );
    return [];
  }
}

function refuseType(type: string): string | null {
  if (type.includes('-cert-')) return `a certificate (${type}): Vigil logs in by the key alone`;
  if (type.startsWith('sk-')) return `a FIDO key (${type}), which wants somebody's touch: use an ed25519 key`;
  return /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))$/.test(type)
    ? null
    : `${type}: Vigil doesn't know this type`;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isUsable<Value extends object>(value: Value | Unusable): value is Exclude<Value, Unusable> {
  return !('why' in value);
}
