import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { HostRefused, HostUnreachable } from '../../src/errors.ts';
import { enter, entrance, knowAt } from '../support/entering.ts';
import { type Agent, startAgent } from '../support/ssh-agent.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

/** Doors of one sshd, each with rules of its own. */
const ports = { passwords: 0, twoFactors: 0, fewTries: 0 };
let sshd: Sshd;
let agent: Agent;
let own: string | undefined;

beforeAll(async () => {
  for (const name of ['passwords', 'twoFactors', 'fewTries'] as const) ports[name] = await findFreePort();
  sshd = await startSshd({
    config: [
      ...Object.values(ports).map((port) => `ListenAddress 127.0.0.1:${port}`),
      `Match LocalPort ${ports.passwords}`,
      'PubkeyAuthentication no',
      'PasswordAuthentication yes',
      `Match LocalPort ${ports.twoFactors}`,
      'PasswordAuthentication yes',
      'AuthenticationMethods publickey,password',
      `Match LocalPort ${ports.fewTries}`,
      'MaxAuthTries 2',
    ],
  });
  for (const port of Object.values(ports)) await knowAt(sshd, port);
});

afterAll(() => sshd.stop());

beforeEach(async () => {
  own = process.env.SSH_AUTH_SOCK;
  agent = await startAgent(sshd.folder);
  process.env.SSH_AUTH_SOCK = agent.socketPath;
});

afterEach(async () => {
  await agent.kill();
  delete process.env.SSH_AUTH_SOCK;
  if (own !== undefined) process.env.SSH_AUTH_SOCK = own;
});

type Change = Parameters<typeof entrance>[1];
const enterBy = (change: Change) => enter(entrance(sshd.host, change));

/** A new key; the host lets it in unless it is a stranger's. */
async function makeKey(name: string, { passphrase = '', type = ['-t', 'ed25519'], isStranger = false } = {}) {
  const path = join(sshd.folder, name);
  execFileSync('ssh-keygen', ['-q', ...type, '-N', passphrase, '-C', name, '-f', path]);
  if (!isStranger) await appendFile(join(sshd.folder, 'authorized_keys'), await readFile(`${path}.pub`, 'utf8'));
  return path;
}

async function refused(change: Change): Promise<string> {
  const error = await enterBy(change);
  expect(error).toBeInstanceOf(HostRefused);
  return String(error);
}

test('what a login shell prints before is dropped', async () => {
  const file = join(sshd.folder, 'authorized_keys');
  const key = await readFile(file, 'utf8');
  onTestFinished(() => writeFile(file, key));
  await writeFile(file, `command="echo welcome; echo boot 1 2; eval \\"$SSH_ORIGINAL_COMMAND\\"" ${key}`);
  expect(await enterBy({})).toBeNull();
  await writeFile(file, `command="echo This account is not available; exit 1" ${key}`);
  expect(await refused({})).toContain('gives this user no usable shell');
});

test.each([
  ['OpenSSH', 'opened', ['-t', 'ed25519']],
  ['PEM', 'opened-pem', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
])('a key with a passphrase, in the form of %s, opens with the one that a variable holds', async (_, name, type) => {
  const key = await makeKey(name, { passphrase: 'open sesame', type });
  expect(await enterBy({ key, passphrase: { name: 'KEY_WORD', value: 'open sesame' } })).toBeNull();
  const wrong = await refused({ key, passphrase: { name: 'KEY_WORD', value: 'close sesame' } });
  expect(wrong).toContain(`${key} doesn't open with the passphrase in the variable KEY_WORD`);
  expect(wrong).not.toContain('sesame');
  expect(await refused({ key, passphrase: { name: 'KEY_WORD', value: '' } })).toMatch(
    /none is given: set KEY_WORD where/,
  );
  expect(await refused({ key })).toMatch(/none is given: write passphrase: \{secret: NAME\} under the host/);
});

test('the agent opens what has a passphrase, and is asked only for the key that is named', async () => {
  const key = await makeKey('held');
  await agent.add(key);
  await copyFile(key, `${key}.open`);
  execFileSync('ssh-keygen', ['-q', '-p', '-N', 'open sesame', '-f', key]);
  expect(await enterBy({ key })).toBeNull();
  // The public key alone names the one of the agent, too.
  expect(await enterBy({ key: `${key}.pub` })).toBeNull();
  const stranger = await makeKey('stranger', { isStranger: true });
  expect(await refused({ key: stranger })).toMatch(
    /refuses the key: user \w+ at .* can't log in with \S+stranger\. Add/,
  );
  expect(await enterBy({ key: stranger, isOnlyKey: false })).toBeNull();
});

test('keys are tried in order until the host has enough of it', async () => {
  for (const name of ['first', 'second', 'third']) await agent.add(await makeKey(name, { isStranger: true }));
  expect(await enterBy({ isOnlyKey: false })).toBeNull();
  const error = await refused({ isOnlyKey: false, port: ports.fewTries });
  expect(error).toContain(
    'after 2 keys (first of the ssh-agent, second of the ssh-agent): its MaxAuthTries is used up',
  );
  expect(await enterBy({ port: ports.fewTries })).toBeNull();
});

test('an agent that died is told, and a key file still lets in', async () => {
  await agent.kill();
  expect(await enterBy({ isOnlyKey: false })).toBeNull();
  const error = await refused({ key: join(sshd.folder, 'nowhere'), isOnlyKey: false });
  expect(error).toContain(`the ssh-agent at ${agent.socketPath} gives no keys`);
  expect(error).toMatch(/there is no \S+nowhere/);
});

test('an agent that lists a key and then signs nothing with it is told', async () => {
  const key = await makeKey('confirmed');
  execFileSync('ssh-add', ['-q', '-c', key]);
  await rm(key);
  expect(await refused({ key: `${key}.pub` })).toContain(
    `The ssh-agent at ${agent.socketPath} gave no signature for kpro5 by confirmed of the ssh-agent`,
  );
});

test('certificates, FIDO keys and odd files are refused by name', async () => {
  const key = await makeKey('certified', { isStranger: true });
  const ca = await makeKey('ca', { isStranger: true });
  execFileSync('ssh-keygen', ['-q', '-s', ca, '-I', 'test', '-n', 'root', `${key}.pub`], { stdio: 'ignore' });
  await agent.add(key);
  expect(await refused({ key })).toContain(`Passed over: ${key}-cert.pub: Vigil logs in without certificates`);
  expect(await refused({ isOnlyKey: false, key: ca })).toContain(
    'certified of the ssh-agent: a certificate (ssh-ed25519-cert-v01@openssh.com): Vigil logs in by the key alone',
  );
  await agent.kill();
  expect(await refused({ key: `${key}-cert.pub` })).toContain('is a certificate: name the private key itself');
  const fido = join(sshd.folder, 'fido');
  await writeFile(fido, securityKeyFile());
  expect(await refused({ key: fido })).toContain(`${fido} is a FIDO key (sk-ssh-ed25519@openssh.com)`);
  expect(await refused({ key: `${ca}.pub` })).toContain('is a public key, and no ssh-agent holds its private one');
  const other = await makeKey('pkcs8', { type: ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8'] });
  expect(await refused({ key: other })).toContain(`ssh-keygen -p -f ${other} writes it in OpenSSH's form`);
});

test('a host that takes no keys, or more than a key, is told by what it offers', async () => {
  expect(await refused({ port: ports.passwords })).toMatch(/lets nobody in by a key: .* it offers password/);
  expect(await refused({ port: ports.twoFactors })).toMatch(
    /takes the key of user \w+ .* and then asks for more \(password\)/,
  );
});

test('a closed port is unreachable, with the address; what is no SSH server is told by what it says', async () => {
  const port = await findFreePort();
  const closed = await enterBy({ port });
  expect(closed).toBeInstanceOf(HostUnreachable);
  expect(String(closed)).toContain(`127.0.0.1:${port} (connect ECONNREFUSED`);
});

/** As ssh-keygen -t ed25519-sk writes it, as far as the public key; nothing else of it is ever read. */
function securityKeyFile(): string {
  const word = (bytes: string | Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, Buffer.from(bytes)]);
  };
  const blob = Buffer.concat([word('sk-ssh-ed25519@openssh.com'), word(Buffer.alloc(32, 1)), word('ssh:')]);
  const head = [Buffer.from('openssh-key-v1\0'), word('none'), word('none'), word(''), Buffer.from([0, 0, 0, 1])];
  const body = Buffer.concat([...head, word(blob), word('private')]).toString('base64');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
