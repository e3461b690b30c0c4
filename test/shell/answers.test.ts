import { expect, test } from 'vitest';
import type { ServerAddress } from '../../src/address.ts';
import { parseCurl, renderCurl } from '../../src/shell/curl.ts';
import { parseFacts } from '../../src/shell/facts.ts';
import { parseOpening } from '../../src/shell/follow.ts';
import { parseLaunch } from '../../src/shell/launch.ts';
import { parseListener } from '../../src/shell/listener.ts';
import { parsePatrol } from '../../src/shell/patrol.ts';
import { parsePeek } from '../../src/shell/peek.ts';
import { parseExit } from '../../src/shell/record.ts';
import { findObstacle } from '../../src/shell/refusal.ts';
import { parseSample } from '../../src/shell/sample.ts';
import { EXEC_COMMAND, line } from '../../src/shell/script.ts';
import { parseGpuView } from '../../src/shell/stop-view.ts';
import type { LaunchSpec } from '../../src/tools.ts';

const SPEC: LaunchSpec = {
  path: '/r',
  run: 'r',
  argv: ['vllm'],
  environment: {},
  prelude: null,
  directory: null,
  log: null,
  aside: [],
  request: '{}',
};
const PORT: ServerAddress = { kind: 'tcp', host: '127.0.0.1', port: 8000 };

test('the command of every exec is constant and short', () => {
  expect(EXEC_COMMAND).toMatch(/^exec sh -c '[^']*'$/);
});

test.each([
  ['plain', 'plain\n'],
  ['a b\n', 'a\\0040b\\0012\n'],
  ['é', '\\0303\\0251\n'],
  ['$x', '\\0044x\n'],
])('%j is one line', (value, encoded) => {
  expect(line(value)).toBe(encoded);
});

test.each([
  [{ argv: [] }, 'argv is empty'],
  [{ argv: ['-c', 'x'] }, 'argv begins with "-c"'],
  [{ argv: ['a\0b'] }, 'NUL'],
  [{ log: '/a\nb' }, 'control character'],
  [{ aside: ['/b', '/a\nb'] }, 'control character'],
  [{ environment: { 'A-B': 'x' } }, '"A-B" can\'t be a variable\'s name'],
  [{ environment: { vigil_x: 'x' } }, '"vigil_x" can\'t be'],
])('%j can not be launched', (more, reason) => {
  expect(findObstacle({ ...SPEC, ...more })).toContain(reason);
});

test('an exit record says code or signal', () => {
  expect(parseExit('1 1764500000123\n')).toEqual({ code: 1, signal: null, at: 1764500000123 });
  expect(parseExit('137 5')).toEqual({ code: null, signal: 9, at: 5 });
  expect(parseExit('-')).toBeNull();
});

test('a sample is read with and without its tree', () => {
  expect(parseSample('0 1 99 1|-|5|12:7,13:8 1 2 3 4 5 6')).toEqual({
    tick: 0,
    index: 1,
    sample: {
      at: 99,
      alive: true,
      exit: null,
      logSize: 5,
      tree: [
        { pid: 12, start: 7 },
        { pid: 13, start: 8 },
      ],
      counters: { cpuTicks: 1, readBytes: 2, writeBytes: 3, minorFaults: 4, majorFaults: 5, rssPages: 6 },
    },
  });
  expect(parseSample('1 0 99 0|143 98|-|-')?.sample).toMatchObject({ alive: false, exit: { signal: 15 }, tree: null });
  expect(parseSample('1 0 99 0|143 98|-')).toBeNull();
});

test('an answer that is cut off is no answer', () => {
  expect(parseLaunch('started\npid 1 2')).toBeNull();
  expect(parseLaunch('')).toBeNull();
  expect(parseFacts('facts 12')).toBeNull();
  expect(parseOpening('opened 1 2')).toBeNull();
  expect(parsePatrol('file 1 2 3 4 - 0 1 /a\0now 1 b')).toBeNull();
  expect(parsePeek('peek 1 2')).toBeNull();
});

test('a file whose name is no UTF-8 is left out of a patrol, one whose name looks like an answer is not', () => {
  const view = parsePatrol('file 1 8 9 4 ab 4 1 /a\uFFFD\0file 1 8 10 4 - 0 1 /b\nnow 1 x 1\0now 7 b 1\0');
  expect(view).toMatchObject({ now: 7, facts: { bootId: 'b', init: 1 } });
  expect(view?.files).toEqual([
    { path: '/b\nnow 1 x 1', device: '8', inode: '10', size: 4, modified: 1000, head: null },
  ]);
});

test('time zones east and west are minutes', () => {
  expect(parseFacts('facts 1 -0330 b 1 yes')?.zoneMinutes).toBe(-210);
  expect(parseFacts('facts 1 +0545 b 1 no')?.zoneMinutes).toBe(345);
});

test.each([
  ['0100007F', PORT, 'unknown'],
  ['00000000', PORT, 'unknown'],
  ['00000000000000000000000000000000', PORT, 'unknown'],
  ['0000000000000000FFFF00000100007F', PORT, 'unknown'],
  ['0500000A', PORT, 'closed'],
  ['0500000A', { ...PORT, host: '0.0.0.0' }, 'unknown'],
  ['00000000000000000000000001000000', { ...PORT, host: '::1' }, 'unknown'],
  ['B80D0120000000000000000001000000', { ...PORT, host: '::1' }, 'closed'],
] as const)('a socket on %s stands in the way of %j: %s', (local, address, kind) => {
  expect(parseListener(`socket ${local} 77`, address).kind).toBe(kind);
});

test('the holder of a socket is named', () => {
  const output =
    'socket 0100007F 77\nholder 12 77\nholder 9 78\nprocess 12 5000 other-kpro5-1a ops vllm serve  --port 8000 ';
  expect(parseListener(output, PORT)).toEqual({
    kind: 'known',
    pid: 12,
    run: 'other-kpro5-1a',
    user: 'ops',
    since: 5000,
    command: 'vllm serve  --port 8000',
  });
});

test('GPU use is a sum, or null where it can not be asked', () => {
  expect(parseGpuView('pid 12\nused 100\nused 20\nasked\n')).toEqual({ pids: [12], usedMib: 120 });
  expect(parseGpuView('used [N/A]\nasked\n')).toEqual({ pids: null, usedMib: null });
  expect(parseGpuView('')).toEqual({ pids: null, usedMib: null });
});

test('a request to curl stands in its configuration, and so does its key', () => {
  const request = {
    address: PORT,
    method: 'POST',
    path: '/v1/x',
    headers: { authorization: 'Bearer "k"' },
    body: '{"a":"\n"}',
    timeoutMs: 1500,
  } as const;
  const { text, input } = renderCurl(request);
  expect(text).not.toContain('Bearer');
  expect(input).toMatchInlineSnapshot(`
    "url = "http://127.0.0.1:8000/v1/x"
    request = "POST"
    noproxy = "*"
    max-time = "2"
    write-out = "\\n%{http_code}"
    header = "authorization: Bearer \\"k\\""
    data-raw = "{\\"a\\":\\"\\n\\"}"
    "
  `);
  expect(parseCurl('{"x":1}\n200')).toEqual({ status: 200, body: '{"x":1}' });
  expect(parseCurl('000')).toBeNull();
});
