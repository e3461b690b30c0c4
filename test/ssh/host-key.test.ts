import { execFileSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostRefused } from '../../src/errors.ts';
import { readKnownHost, refuseHostKey } from '../../src/ssh/host-key.ts';
import type { HostKeySources } from '../../src/ssh/login.ts';
import { resolveLogin } from '../../src/ssh/resolve/resolve-login.ts';
import { enter, entrance } from '../support/entering.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

let sshd: Sshd;
/** Type and key of the host, and its fingerprint by ssh-keygen. */
let key: string;
let print: string;
let number = 0;

beforeAll(async () => {
  sshd = await startSshd();
  key = (await readFile(join(sshd.folder, 'host.pub'), 'utf8')).split(' ').slice(0, 2).join(' ');
  print = printOf(join(sshd.folder, 'host.pub'));
});

afterAll(() => sshd.stop());

function printOf(file: string): string {
  return execFileSync('ssh-keygen', ['-lf', file], { encoding: 'utf8' }).split(' ')[1] ?? '';
}

async function knownHosts(text: string): Promise<string> {
  number += 1;
  const file = join(sshd.folder, `known${number}`);
  await writeFile(file, text);
  return file;
}

/** What entering with these known_hosts ends with. */
async function enterKnowing(...texts: readonly string[]): Promise<string | null> {
  const files = await Promise.all(texts.map(knownHosts));
  const error = await enter(entrance(sshd.host, { knownHosts: files }));
  if (error === null) return null;
  expect(error).toBeInstanceOf(HostRefused);
  return String(error);
}

/** What is said of the host's key where its sources are these. */
async function judgeBy(change: Partial<HostKeySources>): Promise<string | null> {
  const login = await resolveLogin(entrance(sshd.host, { knownHosts: [] }));
  const changed = { ...login, hostKeys: { ...login.hostKeys, ...change } };
  const refusal = refuseHostKey(changed, await readKnownHost(changed), Buffer.from(key.split(' ')[1] ?? '', 'base64'));
  return refusal?.message ?? null;
}

test('a known host lets in: its name plain, hidden, by a pattern, in the second file, and without its port as ssh has it', async () => {
  expect(await enter(sshd.host)).toBeNull();
  const hidden = join(sshd.folder, 'hidden');
  await copyFile(sshd.knownHosts, hidden);
  execFileSync('ssh-keygen', ['-q', '-H', '-f', hidden], { stdio: 'ignore' });
  expect(await enter(entrance(sshd.host, { knownHosts: [hidden] }))).toBeNull();
  expect(await enterKnowing(`[127.*]:${sshd.port} ${key}`)).toBeNull();
  expect(await enterKnowing('', `[127.0.0.1]:${sshd.port} ${key}`)).toBeNull();
  expect(await enterKnowing(`127.0.0.1 ${key}`)).toBeNull();
});

test('an unknown host is refused with its fingerprint and what to do', async () => {
  const other = await readFile(`${sshd.keyPath}.pub`, 'utf8');
  const not = `!127.0.0.1,![127.0.0.1]:${sshd.port}`;
  for (const text of ['', `127.0.0.1 ${other}`, `[127.0.0.1]:1 ${key}`, `*,${not} ${key}`]) {
    const error = await enterKnowing(text);
    expect(error).toContain(
      `The host key of kpro5 is unknown: it shows ${print} (ssh-ed25519), and ${sshd.folder}/known`,
    );
    expect(error).toContain(`holds no key for [127.0.0.1]:${sshd.port}.`);
    expect(error).toMatch(/then run: npm run trust-host kpro5$/);
  }
});

test('a certificate authority is no key of the host', async () => {
  expect(await enterKnowing(`@cert-authority * ${key}`)).toMatch(
    /known\d+, line 1, trusts a certificate authority for it, and Vigil reads no host certificates/,
  );
});

test('a revoked key is refused, whatever else is known of it', async () => {
  const known = `[127.0.0.1]:${sshd.port} ${key}`;
  expect(await enterKnowing(`${known}\n@revoked * ${key}\n`)).toMatch(
    /it shows SHA256:\S+ \(ssh-ed25519\), and \S+, line 2, revokes it/,
  );
  expect(await enterKnowing(`${known}\n@revoked 127.0.0.1 ${key}\n`)).toContain('line 2, revokes it');
  const revoked = await knownHosts(`# stolen\n${key} me\n`);
  expect(await judgeBy({ files: [sshd.knownHosts], revoked: [revoked] })).toContain(`${revoked}, line 2, revokes it`);
  const list = join(sshd.folder, 'krl');
  execFileSync('ssh-keygen', ['-q', '-k', '-f', list, join(sshd.folder, 'host.pub')], { stdio: 'ignore' });
  await expect(judgeBy({ files: [sshd.knownHosts], revoked: [list] })).rejects.toThrow('it is a binary list (KRL)');
});

test('~/.ssh/config can’t make the check weaker', async () => {
  const refusal = await judgeBy({ laxity: 'StrictHostKeyChecking no' });
  expect(refusal).toContain(
    'and no known_hosts file is named for it. ~/.ssh/config says StrictHostKeyChecking no for it',
  );
});

test('a changed host key is refused with both fingerprints', async () => {
  await sshd.changeHostKey();
  const error = String(await enter(sshd.host));
  expect(error).toContain(
    `The host key of kpro5 has changed: it shows ${printOf(join(sshd.folder, 'host.pub'))} (ssh-ed25519), expected was ${print} (ssh-ed25519; ${sshd.knownHosts}, line 1). Either the host was set up anew, or another machine answers in its place`,
  );
  expect(error).toMatch(/npm run trust-host kpro5$/);
});
