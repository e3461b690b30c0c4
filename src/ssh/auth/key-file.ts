/** One file of a private key: what stands in it, and the key itself. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import ssh2, { type ParsedKey } from 'ssh2';
import type { Passphrase } from '../../config/config.ts';
import { keyType } from '../known-hosts.ts';

export interface KeyFile {
  readonly path: string;
  readonly text: string;
  /** The public key as it goes over the wire; null where only the passphrase would tell. */
  readonly blob: Buffer | null;
  readonly isEncrypted: boolean;
}

/** What can't be used says why, and what to do. */
export type Unusable = { readonly why: string };

const MAGIC = 'openssh-key-v1\0';

/** 'missing' where there is no such file. */
export async function readKeyFile(path: string): Promise<KeyFile | Unusable | 'missing'> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return 'missing';
    return { why: `${path} can't be read (${code ?? String(error)}): let the user that runs Vigil read it` };
  }
  const file = openSshFile(path, text) ?? { path, text, ...(await pemFile(path, text)) };
  const type = file.blob === null ? '' : keyType(file.blob);
  if (type.startsWith('sk-'))
    return { why: `${path} is a FIDO key (${type}), which wants somebody's touch: use an ed25519 key` };
  if (type.includes('-cert-')) return { why: `${path} is a certificate: name the private key itself` };
  return file;
}

/**
 * The key, decrypted if need be. Decrypting takes a good part of a second of this thread (bcrypt), so each key is decrypted once in a
 * process, and a passphrase that doesn't fit is tried once.
 */
export function unlock({ path, text, isEncrypted }: KeyFile, passphrase: Passphrase | null): ParsedKey | Unusable {
  if (isEncrypted && (passphrase === null || passphrase.value === '')) {
    const set =
      passphrase === null
        ? 'write passphrase: {secret: NAME} under the host in vigil.yaml and set NAME'
        : `set ${passphrase.name}`;
    return {
      why: `${path} has a passphrase and none is given: ${set} where Vigil is started, or add the key to an ssh-agent`,
    };
  }
  const parsed = isEncrypted && passphrase !== null ? unlockOnce(text, passphrase.value) : ssh2.utils.parseKey(text);
  if (!(parsed instanceof Error)) {
    return parsed.isPrivateKey() ? parsed : { why: `${path} is a public key, and no ssh-agent holds its private one` };
  }
  if (isEncrypted && /passphrase/i.test(parsed.message))
    return {
      why: `${path} doesn't open with the passphrase in the variable ${passphrase?.name}: correct that variable`,
    };
  return {
    why: `${path} can't be read as a private key (${parsed.message}): ssh-keygen -p -f ${path} writes it in OpenSSH's form`,
  };
}

const unlocked = new Map<string, ParsedKey | Error>();

function unlockOnce(text: string, passphrase: string): ParsedKey | Error {
  const id = createHash('sha256').update(`${text}\0${passphrase}`).digest('base64');
  const parsed = unlocked.get(id) ?? ssh2.utils.parseKey(text, passphrase);
  unlocked.set(id, parsed);
  return parsed;
}

/** OpenSSH's own form names the public key even where the private one is encrypted (PROTOCOL.key). */
function openSshFile(path: string, text: string): KeyFile | null {
  const body = /^-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+)-----END OPENSSH PRIVATE KEY-----$/.exec(text)?.[1];
  if (body === undefined) return null;
  const data = Buffer.from(body, 'base64');
  const words: Buffer[] = [];
  let at = MAGIC.length;
  // Cipher, key derivation and its options; then the number of keys, and the first public key.
  for (let index = 0; index < 4; index += 1) {
    if (index === 3) at += 4;
    const length = at + 4 <= data.length ? data.readUInt32BE(at) : 0;
    words.push(data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const [cipher, , , blob] = words;
  return { path, text, blob: blob?.length ? blob : null, isEncrypted: cipher?.toString('latin1') !== 'none' };
}

/** Other forms: the public key is told by the file itself, else by the one beside it. */
async function pemFile(path: string, text: string): Promise<Pick<KeyFile, 'blob' | 'isEncrypted'>> {
  const isEncrypted = /ENCRYPTED/.test(text.slice(0, 200));
  const line = /^(?:ssh|ecdsa|sk)-\S+ (AAAA\S+)/.exec(text)?.[1];
  if (line !== undefined) return { blob: Buffer.from(line, 'base64'), isEncrypted: false };
  const parsed = isEncrypted ? null : ssh2.utils.parseKey(text);
  if (parsed !== null && !(parsed instanceof Error)) return { blob: parsed.getPublicSSH(), isEncrypted };
  const beside = await readFile(`${path}.pub`, 'utf8').catch(() => '');
  const blob = beside.split(/\s+/)[1];
  return { blob: blob === undefined ? null : Buffer.from(blob, 'base64'), isEncrypted };
}
