import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { HostRefused } from '../../src/errors.ts';
import type { Login } from '../../src/ssh/login.ts';
import { resolveAlias } from '../../src/ssh/resolve/alias.ts';
import { parseJump } from '../../src/ssh/resolve/jump.ts';
import { readSettings, settingsOf } from '../../src/ssh/resolve/settings.ts';
import { computeRows } from '../../src/ssh/resolve/ssh-config.ts';
import { makeFolder } from '../support/folder.ts';
import { useSshClient } from '../support/ssh-client.ts';

const folder = makeFolder('alias');
const client = await useSshClient(folder);
const HOME = userInfo().homedir;
const variables = { PATH: process.env.PATH, SSH_AUTH_SOCK: '/run/agent', KEYS: '/keys' };

/** The login of an alias, by the real client. */
async function resolve(config: string, alias = 'gpu'): Promise<Login> {
  await client.configure(config);
  return resolveAlias({ host: 'kpro5', alias, passphrase: null, variables });
}

test('an alias is what ssh makes of it', async () => {
  const login = await resolve(
    [
      'Host gpu',
      '  HostName %h.example.com',
      '  User ops',
      '  Port 2222',
      `  IdentityFile ~/.ssh/%n-%r\n  IdentityFile \${KEYS}/%d%%%p`,
      '  IdentitiesOnly yes',
      '  CertificateFile ~/a-cert.pub\n  PKCS11Provider /lib/card.so',
      '  UserKnownHostsFile ~/kh /kh/%k\n  GlobalKnownHostsFile none',
      '  RevokedHostKeys /revoked\n  HashKnownHosts yes\n  StrictHostKeyChecking accept-new',
      '  ConnectTimeout 7',
    ].join('\n'),
  );
  expect(login).toEqual({
    host: 'kpro5',
    trustedBy: 'kpro5',
    address: 'gpu.example.com',
    port: 2222,
    user: 'ops',
    identities: {
      files: [`${HOME}/.ssh/gpu-ops`, `/keys/${HOME}%2222`],
      agent: '/run/agent',
      isOnlyFiles: true,
      passphrase: null,
      unusable: [
        'PKCS11Provider /lib/card.so: Vigil uses no smart cards; use a key file',
        `${HOME}/a-cert.pub: Vigil logs in without certificates, by the key alone`,
      ],
    },
    hostKeys: {
      name: '[gpu.example.com]:2222',
      plainName: 'gpu.example.com',
      files: [`${HOME}/kh`, '/kh/gpu'],
      systemFiles: [],
      revoked: ['/revoked'],
      isHashed: true,
      laxity: 'StrictHostKeyChecking accept-new',
    },
    connectLimit: 7_000,
    way: { kind: 'direct' },
  });
});

test.each([
  ['IdentityAgent none', null],
  ['IdentityAgent SSH_AUTH_SOCK', '/run/agent'],
  ['IdentityAgent $KEYS', '/keys'],
  ['IdentityAgent ~/%u.sock', `${HOME}/${userInfo().username}.sock`],
  ['', '/run/agent'],
])('%j gives the agent %j', async (line, agent) => {
  expect((await resolve(`Host gpu\n${line}`)).identities.agent).toBe(agent);
});

test('HostKeyAlias is the name in known_hosts, without a port', async () => {
  const { hostKeys } = await resolve('Host gpu\nPort 2222\nHostKeyAlias KPRO');
  expect(hostKeys).toMatchObject({ name: 'kpro', plainName: null });
});

test('a command gets its words, and jump hosts their own settings', async () => {
  const command = await resolve(
    'Host gpu\nUser ops\nPort 2222\nHostName 10.0.0.7\nProxyCommand nc -x %r@%n %h %p 100%%',
  );
  expect(command.way).toEqual({ kind: 'command', text: 'nc -x ops@gpu 10.0.0.7 2222 100%' });
  const none = await resolve('Host gpu\nProxyCommand none\nHost *\nProxyJump gate');
  expect(none.way).toEqual({ kind: 'direct' });
  const config =
    'Host gpu\nProxyJump inner\nHost inner\nUser in\nProxyJump me@gate:2200\nHost gate\nHostName 192.0.2.1\nPort 22';
  const { way } = await resolve(config);
  expect(stops(way)).toEqual(['in@inner:22', 'me@192.0.2.1:2200']);
  // Of a list all but the first hop are reached through the one before them, whatever their own settings say.
  const list = await resolve(
    'Host gpu\nProxyJump a,ssh://u@b:23,[::1]:24\nHost a\nProxyJump z\nHost b\nProxyJump nowhere',
  );
  expect(stops(list.way).map((stop) => stop.replace(/^[^@]+@/, ''))).toEqual(['::1:24', 'b:23', 'a:22', 'z:22']);
});

test.each([
  ['Host *\nProxyJump gate', 'jumphost loop via gate'],
  ['Host gpu\nProxyJump a\nHost a\nProxyJump b\nHost b\nProxyJump a', 'ProxyJump: the way comes back'],
  ['Host gpu\nProxyCommand nc %h %T', "ProxyCommand: Vigil doesn't know the token %T"],
  ['Host gpu\nHostName $(id)\nProxyCommand nc %h', 'ProxyCommand: "$(id)" has characters that a shell would read'],
  ['Host gpu\nHostName -oX\nProxyCommand nc %h', 'ProxyCommand: "-ox" has characters that a shell would read'],
  ['Host gpu\nProxyCommand nc %h %p\nProxyUseFdpass yes', "ProxyUseFdpass: Vigil can't take a socket"],
  ['Host gpu\nIdentityFile ~/%C', "identityfile: Vigil doesn't know the token %C"],
  [`Host gpu\nIdentityFile \${NOWHERE}/k`, "identityfile: the variable NOWHERE isn't set for Vigil"],
  ['Host gpu\nIdentityFile ~other/k', "identityfile: Vigil doesn't look up another user's home"],
  ['Host gpu\nPort many', "can't be read for gpu"],
])('%j is refused: %s', async (config, found) => {
  const error = await resolve(config).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HostRefused);
  expect(String(error)).toContain(found);
  expect(String(error)).toContain('vigil.yaml instead of alias');
});

const COMMON = [
  'Compression yes',
  'host gpu other',
  '  hostname 10.0.0.7',
  '  port = 2222',
  '  IdentityFile "~/.ssh/a key"',
  '  IdentityFile ~/.ssh/b # the second',
  '  UserKnownHostsFile ~/kh1 ~/kh2',
  '  StrictHostKeyChecking off',
  'Match originalhost jumped user ops',
  '  ProxyJump me@gate:23,inner',
  'Host jumped',
  '  user ops',
  'Match host 10.0.0.7',
  '  ConnectTimeout 9',
  'Host commanded',
  '  ProxyCommand nc -x proxy:1080 %h %p',
  '  ProxyJump gate',
  'Host *.lab !no.lab',
  '  HostName %h.example.com',
  '  IdentityAgent none',
  'Host *',
  '  IdentityFile ~/.ssh/all',
  '  HashKnownHosts yes',
].join('\n');

const ASPECTS = [
  ...['hostname', 'user', 'port', 'identityfile', 'identityagent', 'userknownhostsfile', 'globalknownhostsfile'],
  ...['hashknownhosts', 'connecttimeout'],
];

test.each(['gpu', 'other', 'jumped', 'commanded', 'a.lab', 'no.lab', 'me@gate:23', 'anything'])(
  'without a client %s is read as the client reads it',
  async (text) => {
    await client.configure(COMMON);
    const jump = parseJump(text);
    if (jump === null) throw new Error('a jump');
    const byClient = await readSettings({ host: 'kpro5', jump, variables });
    const byUs = settingsOf(computeRows(COMMON, jump));
    // The client says all defaults, home's path, and addresses in brackets.
    const plain = (value: string) => value.replaceAll(HOME, '~').replace(/[[\]]/g, '');
    const read = (settings: typeof byUs, keyword: string) =>
      settings.all(keyword).flatMap((value) => plain(value).split(' '));
    for (const keyword of ASPECTS) {
      const found = read(byUs, keyword);
      const expected = read(byClient, keyword).filter((value) => found.includes(value));
      expect({ keyword, values: found }).toEqual({ keyword, values: expected });
    }
    for (const keyword of ['proxyjump', 'proxycommand']) {
      expect(read(byUs, keyword)).toEqual(read(byClient, keyword));
    }
    expect(byUs.flag('stricthostkeychecking') ?? 'ask').toBe(byClient.flag('stricthostkeychecking'));
  },
);

test.each([
  ['Include other', 'Include'],
  ['Host gpu\nInclude other', 'Include'],
  ['Match exec "true"\nUser x', 'Match exec'],
  ['Match final\nUser x', 'Match final'],
  ['Match !host x\nUser x', 'Match !host'],
  ['CanonicalizeHostname yes', 'CanonicalizeHostname'],
  [`Host gpu\nProxyCommand sh -c 'nc  %h %p'`, 'ProxyCommand with quotes'],
])('without a client %j is refused by name', (config, name) => {
  const jump = { name: 'gpu', user: null, port: null, before: null };
  expect(() => computeRows(config, jump)).toThrow(`without an ssh client on this machine Vigil can't read ${name}`);
});

test.each(['-oProxyCommand=x', 'a b', 'a@', '@a', 'a:0', 'a:70000', '[::1', 'a:x', '', 'x@-a', '-x@a', 'a,'])(
  '%j is no jump host',
  (text) => {
    expect(parseJump(text)).toBeNull();
  },
);

function stops(way: Login['way']): readonly string[] {
  if (way.kind !== 'jump' || way.over.kind !== 'login') return [];
  const { user, address, port, way: next } = way.over.login;
  return [`${user}@${address}:${port}`, ...stops(next)];
}
