import { expect, test } from 'vitest';
import type { ServerAddress } from '../../src/address.ts';
import type { LaunchSpec } from '../../src/host/launch.ts';
import { parseCurl, renderCurl } from '../../src/shell/curl.ts';
import { parseFacts } from '../../src/shell/facts.ts';
import { parseHeader } from '../../src/shell/follow.ts';
import { parseLaunch } from '../../src/shell/launch.ts';
import { parseListener } from '../../src/shell/listener.ts';
import { parsePatrol } from '../../src/shell/patrol.ts';
import { parsePeek } from '../../src/shell/peek.ts';
import { parseExit } from '../../src/shell/record.ts';
import { findObstacle, readReason } from '../../src/shell/refusal.ts';
import { parseSample } from '../../src/shell/sample.ts';
import { EXEC_COMMAND, line } from '../../src/shell/script.ts';

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
  ['é "$x"', 'é "$x"\n'],
  ['é\\', '\\0303\\0251\\0134\n'],
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
  [{ environment: { SHLVL: '1' } }, '"SHLVL" can\'t be'],
])('%j can not be launched', (more, reason) => {
  expect(findObstacle({ ...SPEC, ...more })).toContain(reason);
});

test.each([
  ['a word', { argv: ['vllm', 'x'.repeat(131_072)] }, 'Word 2 of argv is 131072 bytes long, and Linux takes 131071'],
  ['a variable', { environment: { X: 'é'.repeat(65_535) } }, 'The variable X is 131072 bytes long'],
  ['a prelude', { prelude: 'x'.repeat(131_062) }, 'The prelude is 131072 bytes long'],
  [
    'everything together',
    { argv: Array.from({ length: 64 }, () => 'x'.repeat(100_000)) },
    'argv and environment are 6400576 bytes together, and Linux takes 6291456 at most',
  ],
])('%s that no Linux takes is told by its length', (_, more, reason) => {
  expect(findObstacle({ ...SPEC, ...more })).toContain(reason);
});

test('the longest words that Linux takes can be launched', () => {
  const argv = ['vllm', 'x'.repeat(131_071)];
  const environment = { X: 'x'.repeat(131_069) };
  expect(findObstacle({ ...SPEC, argv, environment, prelude: 'x'.repeat(131_061) })).toBeNull();
});

test('a refusal for length says what was found, what is allowed and what to do', () => {
  expect(readReason('too-long 2200000 8192')).toBe(
    'argv and environment are about 2200000 bytes together, and this host takes 2097152 (a quarter of the SSH user\'s stack limit, "ulimit -s": 8192 KiB): put what is long into a file on the host, or raise that limit.',
  );
  expect(readReason('too-long 7000000 unlimited')).toContain('takes 6291456');
  expect(readReason('log /my logs/x.log\tPermission denied')).toContain(
    "The log /my logs/x.log can't be written (Permission denied)",
  );
});

test('an exit record says code or signal', () => {
  expect(parseExit('1 1764500000123\n')).toEqual({ code: 1, signal: null, at: 1764500000123 });
  expect(parseExit('137 5')).toEqual({ code: null, signal: 9, at: 5 });
  expect(parseExit('-')).toBeNull();
});

test('a sample is read with and without its tree', () => {
  expect(parseSample('0 1 99 1|-|5|12:7:1:2:3:4,13:8:5:6:7:8 13:9:10:11')).toEqual({
    tick: 0,
    index: 1,
    sample: {
      at: 99,
      alive: true,
      exit: null,
      logSize: 5,
      tree: [
        {
          ...{ pid: 12, start: 7, cpuTicks: 1, minorFaults: 2, majorFaults: 3, rssPages: 4 },
          ...{ readBytes: null, writeBytes: null, readChars: null },
        },
        {
          ...{ pid: 13, start: 8, cpuTicks: 5, minorFaults: 6, majorFaults: 7, rssPages: 8 },
          ...{ readBytes: 9, writeBytes: 10, readChars: 11 },
        },
      ],
    },
  });
  expect(parseSample('1 0 99 0|143 98|-|-')?.sample).toMatchObject({ alive: false, exit: { signal: 15 }, tree: null });
  expect(parseSample('1 0 99 1|-|5|none none')?.sample.tree).toEqual([]);
  expect(parseSample('1 0 99 0|143 98|-')).toBeNull();
});

test('an answer that is cut off is no answer', () => {
  expect(parseLaunch('started\npid 1 2')).toBeNull();
  expect(parseLaunch('')).toBeNull();
  expect(parseFacts('facts 12')).toBeNull();
  expect(parseHeader('opened 1 2')).toBeNull();
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
    write-out = "\\n%{http_code} %{time_total}"
    header = "authorization: Bearer \\"k\\""
    data-raw = "{\\"a\\":\\"\\n\\"}"
    "
  `);
  expect(parseCurl('{"x":1}\n200 0.25')).toEqual({ status: 200, body: '{"x":1}', totalMs: 250 });
  expect(parseCurl('{"x":1}\n200 0,25')).toEqual({ status: 200, body: '{"x":1}', totalMs: 250 });
  expect(parseCurl('000 0.1')).toBeNull();
  expect(parseCurl('{"x":1}\n200')).toBeNull();
  expect(renderCurl({ ...request, tls: true }).input).toContain('url = "https://127.0.0.1:8000/v1/x"\n');
  expect(renderCurl({ ...request, tls: true }).input).toMatch(/\ninsecure\n$/);
});
