/** Servers of all kinds are asked the way that fits them, or it is said plainly why they are not. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Document, isMap } from 'yaml';
import { CHANNEL } from '../../rehearsal/demo/stage.ts';
import type { RehearsalHost } from '../../rehearsal/host/server.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { writeCertificate } from '../support/certificate.ts';
import { openTheatre, type Theatre } from '../support/theatre.ts';

vi.setConfig({ testTimeout: 60_000 });

const PATIENCE = { timeout: 50_000, interval: 50 };
const KEY = 'kept-in-the-environment-alone';
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre({ speed: 50, adjust, variables: { SERVER_KEY: KEY } });
});

afterEach(async () => {
  if (/^(Failed|Stopped)/.test(theatre.threads().at(-1)?.card ?? '')) return;
  await theatre.say('/vllm stop last');
  await theatre.until(/^Stopped/, /stopped/);
});

afterAll(() => theatre?.stop());

/** Beside `dflash` one recipe of each kind, which has more words than that. */
function adjust(document: Document, host: RehearsalHost): void {
  const { key, certificate } = writeCertificate();
  const kinds: Readonly<Record<string, readonly string[]>> = {
    keyed: ['--root-path', '/gpu', '--served-model-name', 'qwen', 'qwen-fast'],
    tls: ['--ssl-keyfile', key, '--ssl-certfile', certificate],
    mutual: [
      '--ssl-keyfile',
      key,
      '--ssl-certfile',
      certificate,
      '--ssl-ca-certs',
      certificate,
      '--ssl-cert-reqs',
      '2',
    ],
    socket: ['--uds', join(host.home, 'vllm.sock')],
    quiet: ['--disable-log-stats'],
    embed: ['--runner', 'pooling'],
    score: ['--task', 'score'],
    headless: ['--headless'],
  };
  for (const [name, words] of Object.entries(kinds)) {
    const recipe = document.getIn(['recipes', 'dflash']);
    if (!isMap(recipe)) throw new Error('the example has no recipe dflash');
    document.setIn(['recipes', name], recipe.clone());
    document.setIn(['recipes', name, 'log'], join(host.home, `${name}.log`));
    for (const word of words) document.addIn(['recipes', name, 'argv'], word);
  }
  document.setIn(['recipes', 'keyed', 'environment', 'VLLM_API_KEY'], document.createNode({ secret: 'SERVER_KEY' }));
}

/** The newest thread as a person reads it, its card and its last reply, once they are so. */
function until(card: RegExp, reply: RegExp): Promise<string> {
  return vi.waitFor(() => {
    const standing = theatre.stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
    const root = standing.findLast((message) => message.thread === null);
    const last = standing.findLast((message) => message.thread === root?.ts);
    const [shown = '', said = ''] = [root, last].map((message) => (message === undefined ? '' : toPlainText(message)));
    expect(shown).toMatch(card);
    expect(said).toMatch(reply);
    return `${shown}\n${said}`;
  }, PATIENCE);
}

test.each([
  ['tls', /Serving at https:\/\/127\.0\.0\.1:\d+\/v1/, /Passed: .*completion, chat, acceptance, speed/],
  ['socket', /Serving at \S+vllm\.sock/, /Passed: .*completion, chat, acceptance, speed/],
  ['quiet', /Passed: .*completion, chat, speed/, /Not judged: acceptance \(its statistics are off/],
  ['embed', /Passed: .*embedding/, /It made an embedding of 1024 numbers/],
  ['score', /Passed: .*scoring/, /It scored two texts/],
])('%s is asked for what fits it', async (kind, ...said) => {
  await theatre.begin('good', `/vllm launch kpro5 ${kind}`);
  const text = await until(/^\S+ Ready: /, /is ready\./);
  for (const words of said) expect(text).toMatch(words);
});

test.each([
  ['mutual', /Not verified: it takes nobody without a certificate/],
  ['headless', /Not verified: it serves no HTTP/],
])('%s is not verified, and its card says why', async (kind, said) => {
  await theatre.begin('good', `/vllm launch kpro5 ${kind}`);
  expect(await until(/^\S+ Started, not verified: /, /./)).toMatch(said);
});

test('a server with a key and a root path is asked with them; the key stays out of Slack; who is there is said', async () => {
  await theatre.begin('good', '/vllm launch kpro5 keyed');
  expect(await until(/^\S+ Ready: /, /is ready\./)).toMatch(/as qwen\n/);
  const { argv = [] } = (await theatre.stage.host.starts()).at(-1) ?? {};
  const port = argv[argv.indexOf('--port') + 1];

  const other = await theatre.stage.host.occupy({ gpu: 0, mib: 900, title: 'python' });
  await theatre.say('/vllm verify last');
  expect(await until(/./, /say little/)).toMatch(/Not judged: speed \(.*python/);
  await other.end();

  const busy = new AbortController();
  onTestFinished(() => busy.abort());
  const talk = await fetch(`http://127.0.0.1:${port}/gpu/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: 'qwen-fast', prompt: 'x', max_tokens: 30_000, stream: true }),
    signal: busy.signal,
  });
  expect(talk.status).toBe(200);
  await theatre.say('/vllm verify last');
  expect(await until(/./, /Not judged: /)).toMatch(/the fixed prompts were not sent: it is in use \(1 running/);
  expect(JSON.stringify([theatre.stage.slack.messages(CHANNEL.id), theatre.stage.slack.ephemerals()])).not.toContain(
    KEY,
  );
});
