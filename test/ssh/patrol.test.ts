import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FollowTarget, LogPosition } from '../../src/host/log.ts';
import type { Pid } from '../../src/host/process.ts';
import type { Sample, SampleTarget } from '../../src/host/sample.ts';
import { makeFolder } from '../support/folder.ts';
import { openLab } from '../support/lab.ts';
import { specAt } from '../support/launch-spec.ts';
import { killGroup } from '../support/processes.ts';

const NEVER = new AbortController().signal;
const PATIENT = { timeout: 20_000, interval: 10 };
const START: LogPosition = { generation: null, offset: 0 };
const { sshd, host } = await openLab();
const begun: ChildProcess[] = [];

afterAll(() => {
  for (const child of begun) killGroup(child);
});

function follow(target: FollowTarget) {
  const stop = new AbortController();
  const got = { text: '' };
  const ended = (async () => {
    for await (const chunk of host.follow(target, stop.signal))
      if (chunk.kind === 'bytes') got.text += Buffer.from(chunk.bytes).toString();
  })().catch((error: unknown) => error);
  return { got, ended, stop: () => stop.abort() };
}

test('a training started by hand is found by its log, told by its writers and followed from there', async () => {
  const folder = join(makeFolder('by-hand'), 'run "7" $(touch x)');
  mkdirSync(folder);
  const log = join(folder, 'run.log');
  const text = 'echo "Epoch 1"; exec sleep 60';
  const child = spawn('bash', ['-c', `(${text}) 2>&1 | tee "$LOG"; true`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, LOG: log },
  });
  begun.push(child);
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8'), PATIENT).toBe('Epoch 1\n');
  const { files, now } = await host.patrol({ globs: [`${folder.replace('7', '?')}/*.log`], known: [] }, NEVER);
  const [file] = files;
  expect(file).toMatchObject({ path: log, size: 8 });
  expect(Math.abs((file?.modified ?? 0) - now)).toBeLessThan(60_000);
  expect((await host.patrol({ globs: [log], known: files }, NEVER)).files[0]?.head).toBeNull();
  const writers = await host.writers(log, NEVER);
  expect(writers.map(({ name, by, group }) => [name, by, group])).toEqual([
    ['tee', 'open', child.pid],
    ['bash', 'group', child.pid],
    ['sleep', 'group', child.pid],
  ]);
  const peek = await host.peek(log, { from: 6, most: 100, countsLines: true }, NEVER);
  expect(peek).toMatchObject({ size: 8, line: 1, text: '1\n' });
  expect(await host.peek(`${log}.gone`, { from: 0, most: 1, countsLines: false }, NEVER)).toBeNull();
  await appendFile(log, 'Epoch 2\n');
  const path = `${sshd.host.stateDir}/lab/kpro5/never-launched`;
  const from = { generation: peek?.generation ?? null, offset: 8 };
  const follower = follow({ path, run: 'found', log, real: null, role: 'main', from });
  await expect.poll(() => follower.got.text, PATIENT).toBe('Epoch 2\n');
  expect(existsSync(path)).toBe(false);
  follower.stop();
  expect(readdirSync(folder)).toEqual(['run.log']);
});

test('samples of a training whose process nobody sees tell its log alone', async () => {
  const folder = makeFolder('by-hand');
  const log = join(folder, 'run.log');
  writeFileSync(log, 'Epoch 1\n');
  const main: Pid = { pid: 0, start: 0 };
  const started = {
    main,
    session: 0,
    bootId: 'b',
    init: 1,
    log,
    movedLog: null,
    preludeShell: null,
    at: 0,
    warnings: [],
  };
  const target: SampleTarget = { path: join(folder, 'runs', 'found'), run: 'found', started };
  const stop = new AbortController();
  let sample: Sample | null = null;
  for await (const next of host.samples(target, stop.signal)) {
    sample = next;
    break;
  }
  expect(sample).toMatchObject({ alive: false, exit: null, logSize: 8, tree: [] });
  expect(await host.tree(target, NEVER)).toEqual([]);
  expect(await host.running([main], NEVER)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['run.log']);
});

test('both logs of a run are followed at once, and a new follower ends the former of its own role alone', async () => {
  const path = join(makeFolder('roles'), 'run');
  mkdirSync(path);
  const target = (role: FollowTarget['role']): FollowTarget => {
    const log = join(path, `${role}.log`);
    writeFileSync(log, `${role}\n`);
    return { path, run: 'r', log, real: null, role, from: START };
  };
  const [one, two] = [target('main'), target('target')];
  const main = follow(one);
  const server = follow(two);
  await expect.poll(() => [main.got.text, server.got.text], PATIENT).toEqual(['main\n', 'target\n']);
  const next = follow(two);
  expect(String(await server.ended)).toContain('another follower of this run took over');
  await appendFile(one.log, 'more\n');
  await appendFile(two.log, 'more\n');
  await expect.poll(() => [main.got.text, next.got.text], PATIENT).toEqual(['main\nmore\n', 'target\nmore\n']);
  expect(readdirSync(path).sort()).toEqual(['follower', 'follower.target', 'main.log', 'target.log']);
  main.stop();
  next.stop();
});

test('a stop reaches ranks with sessions of their own, and the launcher tells how it ended', async () => {
  const folder = makeFolder('ranks');
  const ranks = [0, 1].map((rank) => `setsid sh -c 'echo $$ >${folder}/${rank}; sleep 61 & wait' &`).join(' ');
  const path = `${sshd.host.stateDir}/lab/kpro5/ranks`;
  const spec = specAt({ path, run: 'lab-kpro5-ranks' }, { argv: ['sh', '-c', `${ranks} wait`] });
  const outcome = await host.launch(spec, NEVER);
  if (outcome.kind !== 'started') throw new Error(JSON.stringify(outcome));
  const { started } = outcome;
  const isThere = () => [0, 1].every((rank) => existsSync(join(folder, String(rank))));
  await expect.poll(isThere, PATIENT).toBe(true);
  const target = { ...spec, started };
  await expect.poll(async () => (await host.tree(target, NEVER)).length, PATIENT).toBe(5);
  const pids = await host.tree(target, NEVER);
  expect(await host.running(pids, NEVER)).toEqual(pids);
  await host.terminate({ folder: spec, pids, spared: started.session, to: 'groups' }, NEVER);
  await expect.poll(() => host.running(pids, NEVER), PATIENT).toEqual([]);
  const view = await host.stopView(target, { pids, address: null }, NEVER);
  expect(view).toMatchObject({ running: [], listener: null });
  await expect.poll(() => existsSync(join(path, 'exit')), PATIENT).toBe(true);
  expect(readFileSync(join(path, 'exit'), 'utf8')).toMatch(/^143 /);
});

test('GPUs are told, and unknown where nvidia-smi is not there', async () => {
  expect(await host.gpus(NEVER)).toBeNull();
  const stop = new AbortController();
  stop.abort(new Error('enough'));
  await expect(host.gpus(stop.signal)).rejects.toThrow('enough');
});
