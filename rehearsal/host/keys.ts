import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ssh2 from 'ssh2';

export interface Keys {
  readonly hostPrivate: string;
  readonly hostPublic: string;
  readonly userPublic: string;
  readonly userPath: string;
}

/** The host's and the user's ed25519 pairs in `folder` (files of mode 600), made at first use. */
export async function makeKeys(folder: string): Promise<Keys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const host = await makePair(join(folder, 'host'));
  const user = await makePair(join(folder, 'user'));
  return { hostPrivate: host.privateKey, hostPublic: host.publicKey, userPublic: user.publicKey, userPath: user.path };
}

/** Writes a known_hosts file with this one host and gives back its path. */
export async function writeKnownHosts(path: string, port: number, hostPublic: string): Promise<string> {
  const [type, blob] = hostPublic.trim().split(' ');
  await writeFile(path, `[127.0.0.1]:${port} ${type} ${blob}\n`, { mode: 0o600 });
  return path;
}

async function makePair(path: string): Promise<{ privateKey: string; publicKey: string; path: string }> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null) return { privateKey: kept, publicKey: await readFile(`${path}.pub`, 'utf8'), path };
  const pair = generatePair();
  // The public half first: a crash in between leaves no private key without its half.
  await writeFile(`${path}.pub`, `${pair.public}\n`, { mode: 0o600 });
  await writeFile(path, pair.private, { mode: 0o600 });
  return { privateKey: pair.private, publicKey: pair.public, path };
}

/** ssh2 1.17 makes about one ed25519 pair in 200 malformed (15 of 3,000 here): such a one is made again. */
function generatePair(): { readonly private: string; readonly public: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'rehearsal' });
    const isSound = [pair.private, pair.public].every((key) => !(ssh2.utils.parseKey(key) instanceof Error));
    if (isSound) return pair;
  }
}
