import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import type { HostConfig } from '../../src/config/config.ts';
import { HostRefused, HostUnreachable } from '../../src/errors.ts';
import { enter, entrance, openNetwork, visit } from '../support/entering.ts';
import { makeFolder } from '../support/folder.ts';
import { type SshClient, useSshClient } from '../support/ssh-client.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

const folder = makeFolder('jump');
let client: SshClient;
/** The outer gate, the inner gate, and the machine behind both; each lets in with a key of its own. */
let outer: Sshd;
let inner: Sshd;
let gpu: Sshd;

beforeAll(async () => {
  client = await useSshClient(folder);
  [outer, inner, gpu] = await Promise.all([
    startSshd({ name: 'outer' }),
    startSshd({ name: 'inner' }),
    startSshd({ name: 'gpu' }),
  ]);
});

afterAll(() => Promise.all([outer.stop(), inner.stop(), gpu.stop()]));

beforeEach(() => client.configure(''));

function entry(name: string, sshd: Sshd, more = ''): string {
  return `Host ${name}\nHostName 127.0.0.1\nPort ${sshd.port}\nIdentityFile ${sshd.keyPath}\nUserKnownHostsFile ${sshd.knownHosts}\n${more}\n`;
}

const alias = (name: string): HostConfig => ({
  ...gpu.host,
  connect: { kind: 'alias', alias: name, passphrase: null },
});

/** The connections that a server took since `before`. */
const taken = (sshd: Sshd, before = 0) => sshd.log().split('Accepted publickey').length - 1 - before;

test('a host is reached through the hosts that vigil.yaml names', async () => {
  const before = taken(outer);
  const chain = [entrance(gpu.host, { jump: 'inner' }), entrance(inner.host, { jump: 'outer' }), outer.host] as const;
  expect(await enter(...chain)).toBeNull();
  expect(taken(outer, before)).toBe(1);
});

test('hosts behind the same gate share one connection to it, and the gate is a host by itself', async () => {
  const network = openNetwork([
    entrance(gpu.host, { jump: 'outer' }),
    entrance(inner.host, { jump: 'outer' }),
    outer.host,
  ]);
  const before = taken(outer);
  const visits = ['gpu', 'inner', 'outer'].map((name) => visit(network.host(name)));
  expect(await Promise.all(visits)).toEqual([null, null, null]);
  network.close();
  expect(taken(outer, before)).toBe(1);
});

test('an alias is reached through ProxyJump, nested and as a list', async () => {
  const nested = [
    entry('gpu', gpu, 'ProxyJump inner'),
    entry('inner', inner, 'ProxyJump outer'),
    entry('outer', outer),
  ];
  await client.configure(nested.join(''));
  expect(await enter(alias('gpu'))).toBeNull();
  const list = [entry('gpu', gpu, `ProxyJump outer,inner:${inner.port}`), entry('inner', outer), entry('outer', outer)];
  await client.configure(list.join('').replaceAll(outer.knownHosts, `${outer.knownHosts} ${inner.knownHosts}`));
  // The entry of the inner gate names the outer one's key, which the inner one refuses.
  expect(String(await enter(alias('gpu')))).toMatch(/gpu is reached through inner:\d+\. inner:\d+ refuses the key/);
  await client.configure(list.join('').replace(entry('inner', outer), entry('inner', inner)));
  expect(await enter(alias('gpu'))).toBeNull();
});

test('a gate that only ~/.ssh/config names is left when nobody goes through it any more', async () => {
  await client.configure(entry('gpu', gpu, 'ProxyJump outer') + entry('outer', outer));
  const network = openNetwork([alias('gpu')], { idle: 10 });
  const left = () => outer.log().split('Disconnected from user').length - 1;
  // Those of the tests before may still be on their way.
  await vi.waitFor(() => expect(left()).toBe(taken(outer)), { timeout: 20_000 });
  const before = left();
  expect(await visit(network.host('gpu'))).toBeNull();
  expect(left()).toBe(before);
  await gpu.cutConnections();
  await vi.waitFor(() => expect(left()).toBe(before + 1), { timeout: 20_000 });
  expect(await visit(network.host('gpu'))).toBeNull();
  network.close();
});

test('the failure of a gate is told as the gate’s own', async () => {
  const none = join(folder, 'none');
  const unknown = await enter(entrance(gpu.host, { jump: 'outer' }), entrance(outer.host, { knownHosts: [none] }));
  expect(unknown).toBeInstanceOf(HostRefused);
  expect(String(unknown)).toMatch(
    /gpu is reached through outer\. The host key of outer is unknown: .*npm run trust-host outer/,
  );
  const port = await findFreePort();
  const closed = await enter(entrance(gpu.host, { jump: 'outer', port }), outer.host);
  expect(closed).toBeInstanceOf(HostUnreachable);
  expect(String(closed)).toContain(`gpu can't be reached at 127.0.0.1:${port} from outer (`);
  const shut = await startSshd({ name: 'shut', config: ['AllowTcpForwarding no'] });
  const prohibited = await enter(entrance(gpu.host, { jump: 'shut' }), shut.host);
  await shut.stop();
  expect(prohibited).toBeInstanceOf(HostRefused);
  expect(String(prohibited)).toContain('AllowTcpForwarding');
});

test('a ProxyCommand carries the connection, and ends with it', async () => {
  await writeFile(join(folder, 'hop'), entry('outer', outer));
  const command = `ssh -F ${folder}/hop -W %h:%p outer`;
  await client.configure(entry('gpu', gpu, `ProxyCommand ${command}`));
  const network = openNetwork([alias('gpu')]);
  expect(await visit(network.host('gpu'))).toBeNull();
  const words = `-W 127.0.0.1:${gpu.port} outer`;
  expect(runningWith(words)).toHaveLength(1);
  network.close();
  await vi.waitFor(() => expect(runningWith(words)).toEqual([]));
});

test('a ProxyCommand that fails is told by its own words', async () => {
  await client.configure(entry('gpu', gpu, 'ProxyCommand echo no way to %h:%p >&2; exit 3'));
  expect(await enter(alias('gpu'))).toBeInstanceOf(HostUnreachable);
  // On a busy machine it may be ended for its silence before its own end is seen.
  const end = '(?:ended with exit code 0|gave no connection|was ended by SIGTERM)';
  const words = new RegExp(`the ProxyCommand ${end}: no way to 127.0.0.1:${gpu.port}\\.`);
  await vi.waitFor(async () => expect(String(await enter(alias('gpu')))).toMatch(words), { timeout: 30_000 });
  await client.configure(entry('gpu', gpu, 'ProxyCommand sh -c "echo hello; cat"'));
  expect(String(await enter(alias('gpu')))).toContain('the ProxyCommand');
});

test('a ProxyCommand gets none of Vigil’s own variables', async () => {
  process.env.SLACK_BOT_TOKEN = 'xoxb-own';
  await client.configure(entry('gpu', gpu, `ProxyCommand sh -c "env > ${folder}/env"`));
  await enter(alias('gpu'));
  delete process.env.SLACK_BOT_TOKEN;
  const given = await readFile(join(folder, 'env'), 'utf8');
  expect(given).toContain('PATH=');
  expect(given).not.toContain('SLACK');
});

function runningWith(words: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()];
      } catch {
        // It has ended since it was listed.
        return [];
      }
    })
    .filter((line) => line.endsWith(words) && !line.startsWith('/bin/sh'));
}
