/** Text that nobody's logger writes, made to be dear to read: long runs, heads without ends, numbers without measure. */

const ESCAPE = '\x1b';

/** What is repeated, by what it is meant to hurt. */
const REPEATED: Readonly<Record<string, string>> = {
  blanks: ' ',
  tabs: '\t',
  digits: '9',
  dots: '.',
  'names with dots': 'a.a.a.',
  'open brackets': '(',
  'open square brackets': '[',
  'open braces': '{',
  quotes: '"',
  'single quotes': "'",
  slashes: '/',
  pipes: '%|',
  'bars that never end': ' 10%|███',
  'counts that never end': '| 3/',
  pids: 'pid=',
  'process heads': '(A pid=1) ',
  'process heads without an end': '(A pid=1',
  ranks: '[rank0]:',
  rank: 'rank',
  'container heads': 'app-1  | ',
  times: '2025-12-20T19:08:33.123456789Z ',
  'half times': '2025-12-20 19:08:',
  levels: 'ERROR ',
  heads: 'INFO 04-29 06:13:29 [core.py:9] ',
  'uvicorn heads': 'INFO:     ',
  'elastic heads': 'W0811 09:04:34.695000 20981 torch/distributed/run.py:852] ',
  'colours cut off': `${ESCAPE}[`,
  colours: `${ESCAPE}[1;31;4`,
  links: `${ESCAPE}]8;;http`,
  'string terminators': `${ESCAPE}\\`,
  NULs: '\0',
  'combining marks': 'e\u0301\u0323',
  'blanks of other scripts': '\u00a0\u2003\u3000',
  'line separators': '\u2028x',
  'words of readiness': 'vLLM ready after ',
  'words of a wait': 'waiting for vLLM ',
  'words of no end': 'target not ready ',
  metrics: 'train/loss=1.0, ',
  'metrics without values': 'train/loss=',
  'dict keys': "{'loss': ",
  losses: 'step 1 loss ',
  epochs: 'Epoch 1/',
  checkpoints: 'checkpoint/',
  exceptions: 'a.b.Error: ',
  secrets: 'token=(',
  flags: '--api-key -',
  addresses: 'http://a:b',
  'repeated by Ray': ' [repeated 2x across cluster]',
  'keyword arguments': "model='/m', ",
  'nested values': 'A(b=[{',
  'CUDA words': 'GPU CUDA NCCL out of ',
  'Errno words': '[Errno 98] ',
};

/** Whole lines that are repeated. */
const REPEATED_LINES: Readonly<Record<string, string>> = {
  'empty lines': '\n',
  'carriage returns': '\r',
  'both line ends': '\r\n',
  'tracebacks that begin': 'Traceback (most recent call last):\n',
  'tracebacks of many':
    '(W1 pid=1) Traceback (most recent call last):\n(W2 pid=2) Traceback (most recent call last):\n',
  'frames without an end': 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n',
  'chained exceptions':
    'ValueError: a\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n',
  groups:
    '  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: a (2 sub-exceptions)\n  +-+---- 1 ----\n',
  starts: 'INFO 10-09 20:44:02 [api_server.py:526] vLLM API server version 0.6.2\n',
  steps: '=== Step 1: Preparing data ===\n=== Step 2: Launching vLLM server ===\n',
  files: 'model-00001-of-99999.safetensors:   1%|  | 1G/4G [00:01<00:01, 9MB/s]\r',
  'rich records': '[09:08:33] INFO     train/loss=7.105,\n                    x=1,\n',
  'bars of all processes': '(A pid=1) \rx:  10%|█   | 1/9 [00:01<00:08, 1.0it/s]\r',
};

/** Single lines without a repeated part. */
const ODD: Readonly<Record<string, string>> = {
  'an API server with a number beyond all':
    '(ApiServer_99999999999 pid=99999999999) INFO:     Application startup complete.',
  'shards beyond all':
    'Loading safetensors checkpoint shards:  1% Completed | 1000000000000000000000/1000000000000000000000 [00:09<00:02,  1.3s/it]',
  'a shard bar of four hundred digits': `Loading safetensors checkpoint shards:  1% Completed | ${'9'.repeat(400)}/${'9'.repeat(400)} [00:09<00:02,  1.3s/it]`,
  'a cache beyond all': `INFO 04-29 06:13:29 [core.py:9] GPU KV cache size: ${'9'.repeat(400)} tokens`,
  'a world beyond all': `INFO 04-29 06:13:29 [core.py:9] world_size=${'9'.repeat(400)} rank=0 local_rank=0`,
  'a step bar beyond all': `  6%|▋         | ${'9'.repeat(400)}/${'9'.repeat(400)} [00:00<00:48,  1.53it/s]`,
  'a loss of a thousand digits': `{'loss': ${'9'.repeat(1000)}, 'epoch': ${'0.'.repeat(500)}}`,
  'ranks beyond all': 'Started distributed with local_rank=99999999999999999999, dp_size=99999999999, sp_size=99999999',
  'a wait beyond all': `waiting for vLLM: ${'9'.repeat(400)}s`,
  'an epoch beyond all': `Training epoch ${'9'.repeat(400)}/${'9'.repeat(400)} started`,
  'names that objects have': "{'__proto__': 1, 'constructor': 2, 'loss': 1.0}",
  'JSON with names that objects have':
    '{"__proto__": {"message": "x"}, "constructor": 1, "levelname": "ERROR", "message": 3}',
};

/** Of one line. */
const SIZE = 1_000_000;
/** Of many lines: what takes the square of their number is far beyond any bound by then. */
const MANY = 250_000;
/** As long as a line may be that is read whole. */
const LONG_LINE = 8000;

/** As one line of a megabyte, as lines of the greatest length that is read, and as many lines. */
export function hostileLogs(): [name: string, bytes: Uint8Array][] {
  const repeated = Object.entries(REPEATED).flatMap(([name, part]): [string, string][] => [
    [`${name} in one line`, filled(part, SIZE)],
    [`${name} in long lines`, filled(`${filled(part, LONG_LINE)}!\n`, MANY)],
  ]);
  const lines = Object.entries(REPEATED_LINES).map(([name, part]): [string, string] => [name, filled(part, MANY)]);
  const odd = Object.entries(ODD).map(([name, line]): [string, string] => [name, `${line}\n`]);
  const nested = Math.floor(SIZE / 10);
  const text: [string, string][] = [
    ...repeated,
    ...lines,
    ...odd,
    ['JSON nested a hundred thousand deep', `${'{"a":'.repeat(nested)}1${'}'.repeat(nested)}\n`],
    ['JSON lists nested in long lines', filled(`{"message": ${'['.repeat(3900)}${']'.repeat(3900)}}\n`, MANY)],
  ];
  const encoder = new TextEncoder();
  const utf16 = new Uint8Array(Buffer.from('ERROR 04-29 06:13:29 [core.py:9] x\n'.repeat(10_000), 'utf16le'));
  return [
    ...text.map(([name, each]): [string, Uint8Array] => [name, encoder.encode(each)]),
    ['UTF-16', utf16],
    ['halves of surrogates', bytesOf([0xed, 0xa0, 0x80])],
    ['overlong UTF-8', bytesOf([0xc0, 0xaf, 0xe0, 0x80, 0xaf])],
    ['UTF-8 cut off', bytesOf([0xf0, 0x9f, 0x98])],
    ['bytes that are no UTF-8', bytesOf([0xff, 0xfe, 0x0a])],
  ];
}

function filled(part: string, size: number): string {
  return part.repeat(Math.ceil(size / part.length));
}

function bytesOf(part: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: SIZE }, (_, index) => part[index % part.length] ?? 0);
}
