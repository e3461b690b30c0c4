import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChatError } from '../../src/chat.ts';
import { CommandFailed, HostUnreachable } from '../../src/errors.ts';
import { verifyRun } from '../../src/flow/verify-run.ts';
import type { Tools } from '../../src/processor.ts';
import type { VerifyAnswer, VerifyOrder } from '../../src/questions.ts';
import type { Store } from '../../src/queue/store.ts';
import type { ServeRequest } from '../../src/run/request.ts';
import type { Run, RunEvent } from '../../src/run/run.ts';
import { PRODUCTION } from '../../src/timings.ts';
import { PROMPTS } from '../../src/verify/prompts.ts';
import { sampleRun, WELL } from '../report/sample-run.ts';
import { askForRun } from '../support/asked-run.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { type FakeServer, fakeServer, MAIN, metrics, THEIRS } from '../support/fake-server.ts';
import { sampleConfig } from '../support/sample-config.ts';

const NEVER = new AbortController().signal;
const READINESS = { proof: 'socket', model: 'm', by: 'forwarding', completion: 'It completed a prompt.' } as const;

let store: Store;
let id: string;
let server: FakeServer;
let chat: FakeChat;

beforeEach(async () => {
  ({ store, id } = await askForRun());
  server = fakeServer();
  chat = new FakeChat();
  chat.people.set('U0ALICE', { kind: 'member', name: 'Alice' });
});
afterEach(() => store.close());

/** Writes the run as ready, or as it is said. */
async function ready(changes: Partial<Run> = {}, request: Partial<ServeRequest> = {}): Promise<void> {
  const entry = await store.journal.load(id);
  if (entry === null) throw new Error('the run is not in the journal');
  const { name } = entry.run.request;
  const sample = sampleRun(
    { phase: 'ready', readiness: READINESS, verification: WELL, ...changes },
    { id, name, ...request },
  );
  const run = sample.started === null ? sample : { ...sample, started: { ...sample.started, main: MAIN } };
  const write = { run, from: entry, fence: null, happened: [], checkpoint: null, tail: null, isNews: true };
  expect(await store.journal.append(write)).toBe('written');
}

function tools(changes: Partial<Tools> = {}): Tools {
  const hosts = { get: () => server.host, close: async () => {} };
  const timings = { ...PRODUCTION, traffic: 1 };
  const log = pino({ level: 'silent' });
  return { ...store, hosts, chat, config: sampleConfig(), clock: { now: () => 5000 }, timings, log, ...changes };
}

async function verifying(by = 'U0ALICE', accept = false, using = tools()): Promise<VerifyAnswer> {
  return verifyRun(ordered({ by, accept }), using, { question: crypto.randomUUID(), signal: NEVER });
}

function ordered(changes: Partial<VerifyOrder> = {}): VerifyOrder {
  return { host: 'kpro5', run: id, by: 'U0ALICE', accept: false, ...changes };
}

async function events(): Promise<readonly RunEvent[]> {
  return (await store.outbox.read(id))?.events ?? [];
}

test('a ready server is verified once more, and its thread is told', async () => {
  await ready();
  const answer = await verifying();
  expect(answer).toMatchObject({ kind: 'verified', verification: { by: 'U0ALICE', at: 5000, version: '0.20.1' } });
  expect((await events()).at(-1)).toMatchObject({ kind: 'verified', verification: { by: 'U0ALICE' }, before: WELL });
  expect((await store.journal.load(id))?.run.verification).toMatchObject({ by: 'U0ALICE' });
});

test('what it reaches becomes the record when that is asked for', async () => {
  await ready();
  const counted = () =>
    server.answer('/metrics', { body: metrics({}) }, { body: metrics({ drafts: 500, accepted: 400 }) });
  counted();
  await verifying();
  counted();
  const answer = await verifying('U0ALICE', true);
  expect(answer).toMatchObject({ verification: { recorded: 'accepted' } });
  expect(await store.records.read('kpro5', 'dflash')).toMatchObject({ speed: { at: 5000 } });
});

describe('nothing is asked of the host', () => {
  test.each<[string, Partial<Run>, Partial<ServeRequest>, RegExp]>([
    ['not ready', { phase: 'loading' }, {}, /is not ready yet\. It is verified by itself as soon as it answers\.$/],
    ['being verified', { phase: 'verifying' }, {}, /is being verified just now, after its start/],
    ['being stopped', { stopBy: 'U0BOB' }, {}, /is being stopped\.$/],
    ['ended', { phase: 'stopped' }, {}, /has ended\. Launch it again/],
    ['without HTTP', { phase: 'kv_cache' }, { argv: ['vllm', 'serve', 'm', '--headless'] }, /serves no HTTP/],
    ['without an address', { phase: 'verifying' }, { address: null }, /where it serves/],
  ])('of a server that is %s, and that is told', async (_, changes, request, words) => {
    await ready(changes, request);
    const answer = await verifying();
    expect(answer).toMatchObject({ kind: 'not_verified', reason: expect.stringMatching(words) });
    expect(answer).toMatchObject({ reason: expect.stringMatching(/^Not verified: /) });
    expect(server.asked).toEqual([]);
  });

  test('for a person who may not launch there any more, or of whom Slack says nothing', async () => {
    await ready();
    const config = sampleConfig();
    const { kpro5 } = config.hosts;
    if (kpro5 === undefined) throw new Error('no such host');
    const hosts = { ...config.hosts, kpro5: { ...kpro5, rights: { ...kpro5.rights, launch: ['U0BOB'] } } };
    expect(await verifying('U0ALICE', false, tools({ config: { ...config, hosts } }))).toMatchObject({
      kind: 'not_verified',
      reason: expect.stringMatching(/^Refused: Who asked may not launch on kpro5/),
    });
    const person = () => Promise.reject(new ChatError('ambiguous', 'no connection'));
    const using = tools({ chat: Object.assign(new FakeChat(), { person }) });
    expect(await verifying('U0ALICE', false, using)).toMatchObject({
      reason: 'Not verified: Slack did not say who asks. Try again in a moment.',
    });
    expect(server.asked).toEqual([]);
  });

  test('of a run that is none, or is another host’s', async () => {
    const config = sampleConfig();
    const kpro5 = config.hosts.kpro5;
    if (kpro5 === undefined) throw new Error('no such host');
    const using = tools({ config: { ...config, hosts: { ...config.hosts, kpro6: { ...kpro5, name: 'kpro6' } } } });
    const question = { question: 'q', signal: NEVER };
    expect(await verifyRun(ordered({ host: 'kpro6' }), using, question)).toMatchObject({
      reason: 'Not verified: Vigil knows no such run on kpro6. `/vllm status` lists those that it knows.',
    });
  });
});

describe('nothing is written', () => {
  beforeEach(() => ready());
  afterEach(async () => expect((await events()).map(({ kind }) => kind)).not.toContain('verified'));

  test('of a stranger at its address, who gets no key and no prompt', async () => {
    server = fakeServer({ listener: async () => THEIRS });
    expect(await verifying()).toMatchObject({
      reason:
        "Not verified: Another process answers at this run's address: pid 99 of bob (python -m http.server). Nothing was sent to it but GET /health.",
    });
    expect(server.paths()).toEqual(['/health']);
  });

  test('of a server whose engine is dead', async () => {
    server.answer('/health', { status: 503 });
    expect(await verifying()).toMatchObject({ reason: expect.stringContaining('answers GET /health with 503') });
  });

  test('of one that completes nothing', async () => {
    for (const path of ['/v1/completions', '/v1/chat/completions']) server.answer(path, { status: 500, body: 'no' });
    expect(await verifying()).toMatchObject({
      kind: 'not_verified',
      reason: expect.stringContaining('answers, and completes nothing.'),
    });
    expect(await store.records.read('kpro5', 'dflash')).toBeNull();
  });

  test('of one that others keep so busy that it answers nothing in time, and that is told', async () => {
    const stderr = 'no answer within 30000 ms';
    server.answer('/v1/completions', new CommandFailed({ host: 'kpro5', script: 'http', exitCode: null, stderr }));
    server.answer('/metrics', { body: metrics({ running: 256 }) });
    expect(await verifying()).toMatchObject({
      reason: expect.stringContaining('it is in use (256 running, 0 waiting)'),
    });
  });

  test('of one that does not answer in time', async () => {
    const stderr = 'no answer within 5000 ms';
    server.answer('/health', new CommandFailed({ host: 'kpro5', script: 'http', exitCode: null, stderr }));
    expect(await verifying()).toMatchObject({
      reason: expect.stringContaining("can't be asked (no answer within 5000 ms)."),
    });
  });

  test('where the host is out of reach, which is told as such', async () => {
    server.answer('/health', new HostUnreachable('kpro5', 'kpro5 does not answer'));
    await expect(verifying()).rejects.toThrow(HostUnreachable);
  });
});

test.each([
  ['has ended', 'failed'],
  ['has begun anew', 'loading'],
] as const)('a server that %s meanwhile is not told as verified', async (words, phase) => {
  await ready();
  const { http } = server.host;
  const answering: typeof http = async (request, signal) => {
    const answer = await http(request, signal);
    const isLast = request.path === '/metrics' && server.paths().filter((path) => path === '/metrics').length === 2;
    if (isLast) await ready({ phase });
    return answer;
  };
  const host = { ...server.host, http: answering };
  const answer = await verifying('U0ALICE', false, tools({ hosts: { get: () => host, close: async () => {} } }));
  expect(answer).toMatchObject({ kind: 'not_verified', reason: expect.stringContaining(`${words} meanwhile`) });
  expect((await events()).map(({ kind }) => kind)).not.toContain('verified');
});

test('a busy server gets no prompts', async () => {
  await ready();
  server.answer('/metrics', { body: metrics({ running: 3 }) });
  expect((await verifying()).kind).toBe('verified');
  expect(server.paths().filter((path) => path === '/v1/chat/completions').length).toBeLessThan(PROMPTS.length);
});

describe('a question', () => {
  const question = 'question-1';
  const counted = () =>
    server.answer('/metrics', { body: metrics({}) }, { body: metrics({ drafts: 500, accepted: 400 }) });
  const verifiedOf = async () => (await events()).filter(({ kind }) => kind === 'verified');
  beforeEach(() => ready());

  test('of a worker that died before it could answer is answered from the journal, without another prompt', async () => {
    const first = await verifyRun(ordered(), tools(), { question, signal: NEVER });
    const asked = server.asked.length;
    await store.questions.take(id, question, 60_000);
    expect(await verifyRun(ordered(), tools(), { question, signal: NEVER })).toEqual(first);
    expect(server.asked).toHaveLength(asked);
    expect(await verifiedOf()).toHaveLength(1);
    expect((await verifying()).kind).toBe('verified');
  });

  test('of somebody else at the same time is refused, so that neither disturbs the other; then it may be asked again', async () => {
    const answers = await Promise.all([verifying('U0ALICE'), verifying('U0ALICE')]);
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['not_verified', 'verified']);
    expect(answers.find(({ kind }) => kind === 'not_verified')).toMatchObject({
      reason: expect.stringMatching(/^Not verified: kpro5-1 is being verified just now/),
    });
    expect(server.paths().filter((path) => path === '/v1/completions')).toHaveLength(1);
    expect((await verifying()).kind).toBe('verified');
  });

  test('may be asked again at once where the first came to nothing', async () => {
    server.answer('/health', { status: 503 }, { status: 200 });
    expect((await verifying()).kind).toBe('not_verified');
    expect((await verifying()).kind).toBe('verified');
  });

  test('whose worker was killed is no obstacle to the worker that takes it up', async () => {
    await store.questions.take(id, question, 60_000);
    expect((await verifying()).kind).toBe('not_verified');
    expect((await verifyRun(ordered(), tools(), { question, signal: NEVER })).kind).toBe('verified');
  });

  test('of a server that has ended meanwhile sets no record', async () => {
    counted();
    const { http } = server.host;
    const ending: typeof http = async (request, signal) => {
      const answer = await http(request, signal);
      if (request.body?.includes('"stream":true')) await ready({ phase: 'failed' });
      return answer;
    };
    const host = { ...server.host, http: ending };
    const using = tools({ hosts: { get: () => host, close: async () => {} } });
    expect(await verifying('U0ALICE', true, using)).toMatchObject({ kind: 'not_verified' });
    expect(await store.records.read('kpro5', 'dflash')).toBeNull();
  });
});
