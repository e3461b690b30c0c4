import { expect, test } from 'vitest';
import { tailLine } from '../../src/report/terminal.ts';

const HOST = { kind: 'address', address: '203.0.113.7', user: 'root', port: 10978, key: '', knownHosts: [] } as const;

test.each([
  [HOST, '/root/vllm.log', 'ssh -p 10978 root@203.0.113.7 tail -n 100 -F /root/vllm.log'],
  [{ ...HOST, port: 22 }, '~/.vigil/log', 'ssh root@203.0.113.7 tail -n 100 -F ~/.vigil/log'],
  [{ kind: 'alias', alias: 'kpro5' }, '/tmp/a b', `ssh kpro5 tail -n 100 -F ''\\''/tmp/a b'\\'''`],
  [{ kind: 'alias', alias: 'kpro5' }, '~/a b', `ssh kpro5 tail -n 100 -F '~/'\\''a b'\\'''`],
] as const)('%j and %j make a line to paste', (connect, log, line) => {
  expect(tailLine(connect, log)).toBe(line);
});
