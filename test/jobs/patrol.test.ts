/** The patrol on a real host: real processes write the logs that it finds. */

import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { patrol } from '../../jobs/patrol.ts';
import type { Config } from '../../src/config/config.ts';
import type { Tools } from '../../src/processor.ts';
import { openStore, type Store } from '../../src/queue/store.ts';
import type { Run } from '../../src/run/run.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import { PRODUCTION } from '../../src/timings.ts';
import type { Hosts } from '../../src/tools.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { endGroup } from '../support/processes.ts';
import { freshPrefix, redisUrl } from '../support/redis.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

const clock = { now: () => Date.now() };
const never = new AbortController().signal;
const HOUR = 3_600_000;
/** What a pipeline's log begins with, and a first metric record. */
const BANNER = 'Step 1: launching target (tp 2, dp 1) ...\nWaiting for vLLM server to be ready\n';
const RECORD =
  '[09:05:06] INFO     train/loss=11.993, train/full_acc=0.004, epoch=0, lr=1.00e-04, global_step=0       trainer.py:498\n';
const TRAINED = `[09:05:06] INFO     Training epoch 1/3 started       trainer.py:642\n${RECORD}`;

let sshd: Sshd;
let hosts: Hosts;
let store: Store;
let config: Config;
let folder: string;
let log: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  sshd = await startSshd({ name: 'trainer' });
});

afterAll(() => sshd.stop());

beforeEach(async () => {
  folder = join(sshd.folder, freshPrefix());
  log = join(folder, 'run.log');
  await mkdir(folder);
  const plan = { logs: [`${folder}/*.log`], every: 60, channel: 'C0TRAIN' };
  const instance = freshPrefix();
  config = { ...sampleConfig(), instance, hosts: { trainer: { ...sshd.host, patrol: plan } } };
  hosts = openHosts({ instance, hosts: config.hosts, clock });
  store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), instance);
  await store.journal.markSurveyed('trainer');
});

afterEach(async () => {
  await Promise.all(children.splice(0).map(endGroup));
  await hosts.close();
  await store.close();
});

/** Somebody's shell on the host, with its processes in a group of their own. */
async function byHand(script: string, more: Record<string, string> = {}): Promise<ChildProcess> {
  const environment = { PATH: process.env.PATH, ...more };
  const child = spawn('bash', ['-c', script], { cwd: folder, detached: true, stdio: 'ignore', env: environment });
  children.push(child);
  await vi.waitFor(async () => expect(await readFile(log, 'utf8')).not.toBe(''));
  return child;
}

async function look(): Promise<void> {
  const timings = PRODUCTION;
  const tools: Tools = {
    ...store,
    hosts,
    chat: new FakeChat(),
    config,
    clock,
    timings,
    log: pino({ level: 'silent' }),
  };
  expect(await patrol('trainer', tools, never)).toBe('done');
}

async function found(): Promise<Run[]> {
  const entries = await Promise.all((await store.journal.live()).map((id) => store.journal.load(id)));
  return entries.flatMap((entry) => (entry === null ? [] : [entry.run]));
}

test('a training behind a pipe to tee is found once, with the process of its pipeline', async () => {
  const child = await byHand(`(printf '${BANNER}'; sleep 600) 2>&1 | tee run.log`);
  await look();
  await look();
  const runs = await found();
  expect(runs).toHaveLength(1);
  const [run] = runs;
  expect(run?.request).toMatchObject({
    kind: 'train',
    name: 'trainer-1',
    recipe: 'run.log',
    by: '',
    channel: 'C0TRAIN',
  });
  expect(run?.request).toMatchObject({ found: { process: { pid: child.pid }, size: BANNER.length } });
  expect(run?.started).toMatchObject({ main: { pid: child.pid }, log });
  expect(await store.journal.load(run?.request.id ?? '')).toMatchObject({ home: 'C0TRAIN', checkpoint: null });
});

test('a log that was silent when it was first seen is not told, also when its old end is looked at again', async () => {
  await writeFile(log, TRAINED);
  const old = (Date.now() - 2 * HOUR) / 1000;
  await utimes(log, old, old);
  await look();
  await look();
  expect(await found()).toEqual([]);
});

test('what comes into a silent log later is told from there on, though nobody is seen to write it', async () => {
  await writeFile(log, TRAINED);
  const old = (Date.now() - 2 * HOUR) / 1000;
  await utimes(log, old, old);
  await look();
  await appendFile(log, TRAINED);
  await look();
  const [run, ...more] = await found();
  expect(more).toEqual([]);
  expect(run?.request).toMatchObject({ found: { process: null } });
  expect(await store.journal.load(run?.request.id ?? '')).toMatchObject({
    checkpoint: { position: { offset: TRAINED.length }, carry: { line: 3 } },
  });
});

test('a log without a writer needs steps that were made, not words', async () => {
  await look();
  await writeFile(log, BANNER);
  await look();
  expect(await found()).toEqual([]);
  await appendFile(log, TRAINED);
  await look();
  expect(await found()).toHaveLength(1);
});

test('a second training that overwrites the log is another run', async () => {
  const first = await byHand(`(printf '${BANNER}'; sleep 600) >run.log`);
  await look();
  await endGroup(first);
  await byHand(`(printf 'again: ${BANNER}'; sleep 600) >run.log`);
  const ids = await store.journal.live();
  const ended = await store.journal.load(ids[0] ?? '');
  expect(ended).not.toBeNull();
  if (ended === null) return;
  const run: Run = { ...ended.run, phase: 'failed' };
  await store.journal.append({
    ...{ run, from: ended, fence: null, happened: [], checkpoint: null, tail: null, isNews: false },
  });
  await look();
  expect((await found()).map(({ request }) => request.name)).toEqual(['trainer-2']);
});

test('logs of runs that a Vigil launched are left out, told by the mark of who writes them, also when those are gone', async () => {
  const other = await byHand(`(printf '${BANNER}'; sleep 600) >run.log`, { VIGIL_RUN: 'other-trainer-0123' });
  await look();
  await appendFile(log, TRAINED);
  await endGroup(other);
  await look();
  expect(await found()).toEqual([]);
  const { length } = await readFile(log, 'utf8');
  await byHand(`(printf '${TRAINED.replaceAll("'", '')}'; sleep 600) >>run.log`);
  await vi.waitFor(async () => expect((await readFile(log, 'utf8')).length).toBeGreaterThan(length));
  await look();
  expect(await found()).toHaveLength(1);
});

test('two logs of one training, and its log under another name, are one training', async () => {
  await byHand(`exec 3>other.log; (printf '${BANNER}'; printf '${BANNER}' >&3; sleep 600) >run.log`);
  await look();
  await rename(log, join(folder, 'moved.log'));
  await appendFile(join(folder, 'moved.log'), TRAINED);
  await look();
  expect(await found()).toHaveLength(1);
});

test('a secret in the command of who trains goes nowhere', async () => {
  await byHand(`printf '${BANNER}' >run.log; exec 3>>run.log; : --hf-token hf_abcdefghijklmnop; sleep 600; :`);
  await look();
  const kept = JSON.stringify(await found());
  expect(kept).toContain('--hf-token [masked]');
  expect(kept).not.toContain('hf_abc');
});

test('a progress bar is no sign of a training', async () => {
  await byHand(`(printf 'Map:  12%%|#2   | 12/100 [00:01<00:09,  9.2it/s]\\r'; sleep 600) >run.log`);
  await look();
  expect(await found()).toEqual([]);
});

test('nothing is found on a host whose runs Redis may have lost, until they are known again', async () => {
  await store.redis.del(store.keys.surveyed);
  await byHand(`(printf '${BANNER}'; sleep 600) >run.log`);
  await look();
  expect(await found()).toEqual([]);
});

test('a server’s log is no training', async () => {
  const server = 'INFO 11-30 09:00:00 [utils.py:1] vLLM API server version 0.20.1';
  await byHand(
    `(echo '${server}'; echo 'INFO 11-30 09:00:09 [m.py:1] Starting to load model /m...'; sleep 600) >run.log`,
  );
  await look();
  expect(await found()).toEqual([]);
});

test('a host that can’t be reached is looked at again the next time', async () => {
  await sshd.cutConnections();
  const away = { ...sshd.host, connect: { ...sshd.host.connect, port: 1 } } as Config['hosts'][string];
  await hosts.close();
  hosts = openHosts({ instance: config.instance, hosts: { trainer: away }, clock });
  await look();
  expect(await store.notes.read('trainer')).toBeNull();
});
