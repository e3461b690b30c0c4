import { expect, test } from 'vitest';
import type { HostConfig } from '../../src/config/config.ts';
import { tailLine } from '../../src/report/terminal.ts';
import { sampleConfig } from '../support/sample-config.ts';

const HOST = {
  kind: 'address',
  address: '203.0.113.7',
  user: 'root',
  port: 10978,
  key: '',
  isOnlyKey: false,
  knownHosts: [],
  jump: null,
  passphrase: null,
} as const;
const ALIAS = { kind: 'alias', alias: 'kpro5', passphrase: null } as const;

/** The line for a log on the first of these hosts, which are called a, b and so on. */
function lineFor(log: string, ...connects: readonly HostConfig['connect'][]): string | null {
  const { kpro5 } = sampleConfig().hosts;
  if (kpro5 === undefined) throw new Error('a host');
  const hosts = connects.map((connect, index) => ({ ...kpro5, name: 'abc'.charAt(index), connect }));
  return tailLine(Object.fromEntries(hosts.map((host) => [host.name, host])), 'a', log);
}

test.each([
  [HOST, '/root/vllm.log', 'ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/vllm.log'],
  [{ ...HOST, port: 22 }, '~/.vigil/log', 'ssh root@203.0.113.7 tail -n 100 -F ~/.vigil/log'],
  [ALIAS, '/tmp/a b', `ssh kpro5 tail -n 100 -F ''\\''/tmp/a b'\\'''`],
  [ALIAS, '~/a b', `ssh kpro5 tail -n 100 -F '~/'\\''a b'\\'''`],
] as const)('%j and %j make a line to paste', (connect, log, line) => {
  expect(lineFor(log, connect)).toBe(line);
});

test('jump hosts stand in the line, the outermost first', () => {
  const inner = { ...HOST, port: 22, user: 'gate', jump: 'c' };
  expect(lineFor('/x', { ...HOST, jump: 'b' }, inner, ALIAS)).toBe(
    'ssh -J kpro5,gate@203.0.113.7 -p 10978 root@203.0.113.7 tail -n 100 -F /x',
  );
  const six = { ...HOST, address: '2001:db8::1' };
  expect(lineFor('/x', { ...HOST, port: 22, jump: 'b' }, six)).toBe(
    "ssh -J 'root@[2001:db8::1]:10978' root@203.0.113.7 tail -n 100 -F /x",
  );
});
