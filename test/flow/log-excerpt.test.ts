import { expect, test } from 'vitest';
import { HostUnreachable } from '../../src/errors.ts';
import { logExcerpt } from '../../src/flow/log-excerpt.ts';
import type { Checkpoint } from '../../src/journal.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Host } from '../../src/tools.ts';
import { OOM, sampleRun } from '../report/sample-run.ts';
import { fakeHost } from '../support/fake-host.ts';
import { sampleConfig } from '../support/sample-config.ts';

const RUN = sampleRun({ phase: 'loading' });
const PATH = RUN.started?.log ?? '';
const GENERATION = { device: '1', inode: '2', sum: 'a', summed: 0 };
const FAILED = sampleRun({
  phase: 'failed',
  failure: { kind: 'ended', exit: null, during: 'loading', cause: OOM, tail: [] },
});
const ESCAPE = String.fromCharCode(27);

/** A host whose log holds that; the script gives the last bytes. */
function holding(log: string | Buffer): Host['peek'] {
  const bytes = Buffer.from(log);
  return async (_path, { most }) => ({
    generation: GENERATION,
    size: bytes.length,
    line: null,
    text: bytes.subarray(Math.max(0, bytes.length - most)).toString('utf8'),
  });
}

interface Setting {
  readonly run?: typeof RUN;
  readonly secrets?: readonly string[];
  readonly tail?: readonly string[];
  readonly inode?: string;
  readonly excerpt?: number;
}

async function excerpt(
  peek: Host['peek'],
  { run = RUN, secrets = [], tail = [], inode, excerpt: ms = 5_000 }: Setting = {},
): Promise<string> {
  const config = sampleConfig();
  const recipe = config.recipes[run.request.recipe];
  if (recipe === undefined) throw new Error('the sample has no such recipe');
  const recipes = { ...config.recipes, [run.request.recipe]: { ...recipe, secrets } };
  const hosts = { get: () => fakeHost('kpro5', { peek }), close: async () => {} };
  const tools = { hosts, config: { ...config, recipes }, timings: { ...PRODUCTION, excerpt: ms } };
  const position = { generation: { ...GENERATION, inode: inode ?? '2' }, offset: 0 };
  const checkpoint: Checkpoint | null = inode === undefined ? null : { position, carry: null, target: null };
  return logExcerpt(run, { tools, checkpoint, tail, signal: new AbortController().signal });
}

test('a short log is there whole, as people see it: no terminal codes, of a bar its last state', async () => {
  const log = `one\n${ESCAPE}[32mtwo${ESCAPE}[0m\n 10%|#  |\r 50%|## |\r100%|###|\nlast without an end`;
  expect(await excerpt(holding(log))).toBe('one\ntwo\n100%|###|\nlast without an end');
});

test('of a long one its end is there from a line on, and the first line says what is left out and where it is', async () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i} of a long log`);
  const text = await excerpt(holding(`${lines.join('\n')}\n`));
  const [head, first, ...rest] = text.split('\n');
  expect(head).toMatch(/^… the [\d.]+ (KiB|MiB) before this are on kpro5: /);
  expect(head).toContain(PATH);
  expect(first).toMatch(/^line \d+ of a long log$/);
  expect(rest.at(-1)).toBe('line 59999 of a long log');
  expect(Buffer.byteLength(text)).toBeLessThan(530_000);
});

test('the run’s secrets, known shapes and keys are hidden, also where the cut went through one', async () => {
  const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const long = `-----BEGIN PRIVATE KEY-----\n${`${key}\n`.repeat(9_000)}-----END PRIVATE KEY-----\nafter the key\n`;
  const text = await excerpt(holding(`${long}HF_TOKEN=hf_abcdefghijklmnop\nmy own s3cret-value\n`), {
    secrets: ['s3cret-value'],
  });
  expect(text).toContain('after the key');
  for (const secret of [key, 'hf_abcdefghijklmnop', 's3cret-value']) expect(text).not.toContain(secret);
});

test.each(['', '\n\n', '\r\n'])('an empty log (%j) is told as such: Slack takes no empty file', async (log) => {
  expect(await excerpt(holding(log))).toBe(`(The log is empty: kpro5: ${PATH})`);
});

test('it never has more than Slack takes, whatever the bytes are', async () => {
  const text = await excerpt(holding(Buffer.alloc(2_000_000, 0xff)));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
  const lines = Buffer.concat(Array.from({ length: 40_000 }, () => Buffer.from([0xff, 0xfe, 0xff, 0xfe, 0xff, 0x0a])));
  expect(Buffer.byteLength(await excerpt(holding(Buffer.concat([lines, lines, lines]))))).toBeLessThanOrEqual(
    1_000_000,
  );
});

test.each<[string, Host['peek'], RegExp]>([
  ['does not answer', async () => Promise.reject(new HostUnreachable('kpro5', 'no')), /could not be asked/],
  ['takes too long', (_path, _range, signal) => untilAborted(signal), /could not be asked/],
  ['has no such file any more', async () => null, /no longer there/],
])('where the host %s, the first failure and the last lines that were read are there', async (_, peek, why) => {
  const text = await excerpt(peek, { run: FAILED, tail: ['the last line'], excerpt: 20 });
  expect(text.split('\n')[0]).toMatch(why);
  expect(text).toContain('Tried to allocate 250.00 MiB.');
  expect(text).toMatch(/the last line$/);
});

test('a log that another one has taken the place of is not shown as the run’s', async () => {
  const text = await excerpt(holding('another run’s words\n'), { inode: '3', tail: ['its own words'] });
  expect(text).toMatch(/^\(Another log has taken its place/);
  expect(text).not.toContain('another run’s');
  expect(text).toMatch(/its own words$/);
  expect(await excerpt(holding('its words\n'), { inode: '2' })).toBe('its words');
});

test('a path that somebody typed must still lead where it was allowed', async () => {
  const asked: unknown[] = [];
  const peek: Host['peek'] = async (path, range) => {
    asked.push(range.real);
    return holding('x\n')(path, range, new AbortController().signal);
  };
  const process = { pid: 1, group: 1, user: null, command: 'vllm', server: null };
  const found = { process, size: 0, trigger: 'T', answered: false };
  await excerpt(peek, { run: { ...RUN, request: { ...RUN.request, found } } });
  await excerpt(peek);
  expect(asked).toEqual([PATH, null]);
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
