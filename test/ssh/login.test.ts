import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import type { HostConfig } from '../../src/config/config.ts';
import { HostRefused, HostUnreachable } from '../../src/errors.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import { parseAlias } from '../../src/ssh/login.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

let sshd: Sshd;

beforeAll(async () => {
  sshd = await startSshd();
});

afterAll(() => sshd.stop());

type Address = Extract<HostConfig['connect'], { kind: 'address' }>;

/** The error that this way to log in ends with, or null. */
async function tryLogin(change: Partial<Address>): Promise<unknown> {
  const { connect } = sshd.host;
  if (connect.kind !== 'address') throw new Error('an address');
  const config: HostConfig = { ...sshd.host, connect: { ...connect, ...change } };
  const hosts = openHosts({ instance: 'lab', hosts: { kpro5: config }, clock: { now: Date.now } });
  try {
    await hosts.get('kpro5').facts(new AbortController().signal);
    return null;
  } catch (error) {
    return error;
  } finally {
    await hosts.close();
  }
}

function fingerprintOf(file: string): string {
  return execFileSync('ssh-keygen', ['-lf', file], { encoding: 'utf8' }).split(' ')[1] ?? '';
}

test('a known host lets in, its name hashed or not', async () => {
  expect(await tryLogin({})).toBeNull();
  const hashed = join(sshd.folder, 'hashed');
  execFileSync('cp', [sshd.knownHosts, hashed]);
  execFileSync('ssh-keygen', ['-q', '-H', '-f', hashed], { stdio: 'ignore' });
  expect(await tryLogin({ knownHosts: [hashed] })).toBeNull();
});

test('what a login shell prints before is dropped', async () => {
  const file = join(sshd.folder, 'authorized_keys');
  const key = execFileSync('cat', [file], { encoding: 'utf8' });
  await writeFile(file, `command="echo welcome; echo boot 1 2; eval \\"$SSH_ORIGINAL_COMMAND\\"" ${key}`);
  expect(await tryLogin({})).toBeNull();
  await writeFile(file, `command="echo This account is not available; exit 1" ${key}`);
  const error = await tryLogin({});
  expect(error).toBeInstanceOf(HostRefused);
  expect(String(error)).toContain('gives this user no usable shell');
  await writeFile(file, key);
});

test('an unknown host is refused with its fingerprint and what to do', async () => {
  const error = await tryLogin({ knownHosts: [join(sshd.folder, 'none')] });
  expect(error).toBeInstanceOf(HostRefused);
  expect(String(error)).toContain(fingerprintOf(join(sshd.folder, 'host.pub')));
  expect(String(error)).toContain(`ssh-keyscan -p ${sshd.port} 127.0.0.1`);
});

test('a revoked key is refused', async () => {
  const revoked = join(sshd.folder, 'revoked');
  const line = execFileSync('cat', [sshd.knownHosts], { encoding: 'utf8' });
  await writeFile(revoked, `${line}@revoked * ${line.split(' ').slice(1, 3).join(' ')}\n`);
  expect(String(await tryLogin({ knownHosts: [revoked] }))).toContain('is revoked');
});

test('a refused key names user, key file and what to do', async () => {
  const other = join(sshd.folder, 'other');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
  const error = await tryLogin({ key: other });
  expect(error).toBeInstanceOf(HostRefused);
  expect(String(error)).toMatch(/refuses the key: user \w+ can't log in .* with .*other\. Add the public key to/);
});

test('a key file that is missing or has a passphrase is refused by name', async () => {
  const locked = join(sshd.folder, 'locked');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret', '-f', locked]);
  for (const key of [locked, join(sshd.folder, 'missing')]) {
    const error = await tryLogin({ key });
    expect(error).toBeInstanceOf(HostRefused);
    expect(String(error)).toContain(key);
  }
});

test('a closed port is unreachable, with the address', async () => {
  const port = await findFreePort();
  const error = await tryLogin({ port });
  expect(error).toBeInstanceOf(HostUnreachable);
  expect(String(error)).toContain(`127.0.0.1:${port}`);
});

test('an alias is read from ssh -G', () => {
  const text =
    'user ops\nhostname 10.0.0.7\nport 2222\nidentityfile ~/.ssh/gpu\nuserknownhostsfile ~/.ssh/known_hosts /etc/x\nproxyjump none\n';
  expect(parseAlias('kpro5', 'gpu', text)).toMatchObject({
    address: '10.0.0.7',
    port: 2222,
    user: 'ops',
    knownName: '[10.0.0.7]:2222',
    keys: [expect.stringMatching(/^\/.*\/\.ssh\/gpu$/)],
  });
  expect(() => parseAlias('kpro5', 'gpu', `${text}proxyjump bastion`.replace('proxyjump none\n', ''))).toThrow(
    /bastion/,
  );
});

test('a changed host key is refused with both fingerprints', async () => {
  const before = fingerprintOf(join(sshd.folder, 'host.pub'));
  await sshd.changeHostKey();
  const error = await tryLogin({});
  expect(error).toBeInstanceOf(HostRefused);
  expect(String(error)).toContain(before);
  expect(String(error)).toContain(fingerprintOf(join(sshd.folder, 'host.pub')));
});
