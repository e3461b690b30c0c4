/** A log that somebody names, on a real host: real processes write it. */

import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { ChatError } from '../../src/chat.ts';
import { HostRefused } from '../../src/errors.ts';
import { adoptAll } from '../../src/flow/adopt.ts';
import { folderOf } from '../../src/flow/folder.ts';
import { note } from '../../src/flow/note.ts';
import { observedNow } from '../../src/flow/now.ts';
import { observe } from '../../src/flow/write.ts';
import type { WatchAnswer } from '../../src/questions.ts';
import type { Request } from '../../src/run/request.ts';
import { newRun } from '../../src/run/step.ts';
import { sampleRun } from '../report/sample-run.ts';
import { writeCertificate } from '../support/certificate.ts';
import { type HandLab, NEVER, openHandLab, PATIENT } from '../support/hand-lab.ts';
import { startOf } from '../support/processes.ts';

let lab: HandLab;

beforeAll(async () => {
  lab = await openHandLab();
});

afterEach(() => lab.endAll());
afterAll(() => lab?.close());

/** The request of what is watched now, and what was told beside it. */
function watched(answer: WatchAnswer): { request: Request; notes: readonly string[] } {
  if (answer.kind !== 'watched') throw new Error(JSON.stringify(answer));
  return answer;
}

async function reason(answering: Promise<WatchAnswer>): Promise<string> {
  const answer = await answering;
  return answer.kind === 'refused' ? answer.reason : answer.kind;
}

async function settled(log: string): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('listening'), PATIENT);
}

test('a server is watched with its process, the address that it says itself, and whether it answers already', async () => {
  const log = lab.logAt('server.log');
  const { child, port, argv } = await lab.startServer(log);
  await settled(log);
  const { request, notes } = watched(await lab.watch(log));
  expect(request).toMatchObject({
    ...{ kind: 'serve', name: expect.stringMatching(/^kpro5-\d+$/), host: 'kpro5', recipe: 'server.log', log },
    ...{ by: 'U0ALICE', channel: 'C0OPS', address: { kind: 'tcp', host: '127.0.0.1', port }, stopGrace: 60 },
    found: { process: { pid: child.pid, command: argv.join(' '), server: null }, answered: true },
  });
  expect(notes).toEqual([]);
  const entry = await lab.store.journal.load(request.id);
  expect(entry).toMatchObject({
    home: 'C0OPS',
    checkpoint: null,
    run: { phase: 'launched', tree: [{ pid: child.pid }] },
  });
  expect(entry?.run.started).toMatchObject({
    main: { pid: child.pid, start: startOf(child.pid ?? 0) },
    log,
    session: 0,
  });
});

test('a server that serves HTTPS is asked so', async () => {
  const log = lab.logAt('tls.log');
  const port = await findFreePort();
  const { key, certificate } = writeCertificate();
  const tls = ['--ssl-keyfile', key, '--ssl-certfile', certificate];
  lab.start([process.execPath, 'vllm', 'serve', 'm', '--port', String(port), ...tls], log);
  await settled(log);
  expect(watched(await lab.watch(log)).request).toMatchObject({
    address: { port },
    found: { answered: true, isTls: true },
  });
});

test('behind a script the script is the process, and the server is known by its own command line', async () => {
  const log = lab.logAt('script.log');
  const port = await findFreePort();
  const script = `"${process.execPath}" vllm serve m --port ${port} --shutdown-timeout 100; true`;
  const shell = lab.start(['bash', '-c', script], log, { HEALTH: '503' });
  await settled(log);
  const { request } = watched(await lab.watch(log));
  expect(request).toMatchObject({ address: { port } });
  expect(request).toMatchObject({ stopGrace: 115, found: { answered: false, process: { pid: shell.pid } } });
  expect(request.found?.process?.server?.pid).not.toBe(shell.pid);
});

test('a log without a process that is seen to write it is watched by itself', async () => {
  const log = lab.logAt('alone.log');
  writeFileSync(log, 'INFO something\n');
  const { request, notes } = watched(await lab.watch(log));
  expect(request).toMatchObject({ address: null, found: { process: null, size: 15, answered: false } });
  expect(notes.join('\n')).toContain('Nobody is seen to write it, so it is watched by its log alone.');
});

test('a process that is named is taken, and that another one writes the log is told', async () => {
  const log = lab.logAt('named.log');
  const writer = lab.start(['sleep', '600'], log);
  const { child } = await lab.startServer(lab.logAt('elsewhere.txt'));
  const { request, notes } = watched(await lab.watch(log, { pid: child.pid ?? 0 }));
  expect(request.found?.process).toMatchObject({ pid: child.pid });
  expect(notes).toEqual([
    `Process ${child.pid} is not seen to write this log, but pid ${writer.pid} (\`sleep 600\`): check that it is the right one.`,
  ]);
});

test('a training is watched without an address, and its ranks get the time to save', async () => {
  const log = lab.logAt('run.log');
  const child = lab.start(['bash', '-c', 'sleep 600 & sleep 600 & wait'], log);
  const { request, notes } = watched(await lab.watch(log, { what: 'train' }));
  expect(request).toMatchObject({ kind: 'train', address: null, targetLog: null, stopGrace: 120 });
  expect(request.found?.process).toMatchObject({ pid: child.pid, group: child.pid });
  expect(notes).toEqual([]);
});

test('a server that does not say where it serves is told as not to be asked', async () => {
  const log = lab.logAt('silent.log');
  lab.start(['sleep', '600'], log);
  const { request, notes } = watched(await lab.watch(log));
  expect(request.address).toBeNull();
  expect(notes.join('\n')).toContain('does not say where it serves');
});

test('the same command twice is one run, another command for the same log is told of it, and so are two at once', async () => {
  const log = lab.logAt('twice.log');
  lab.start(['sleep', '600'], log);
  const order = { trigger: 'twice' };
  const [one, other] = await Promise.all([lab.watch(log, order), lab.watch(log, { trigger: 'rival' })]);
  const answers = [one, other].map(({ kind }) => kind).sort();
  expect(answers).toEqual(['known', 'watched']);
  const first = one.kind === 'refused' ? null : one.request.id;
  expect(await lab.watch(log)).toMatchObject({ kind: 'known', request: { id: first } });
  const again = await lab.watch(log, { trigger: one.kind === 'watched' ? 'twice' : 'rival' });
  expect(again).toMatchObject({ kind: 'watched', request: { id: first } });
});

test('a log that was moved and is followed still is the same log', async () => {
  const log = lab.logAt('before.log');
  lab.start(['sleep', '600'], log);
  const { request } = watched(await lab.watch(log));
  symlinkSync(log, lab.logAt('link.log'));
  expect(await lab.watch(lab.logAt('link.log'))).toMatchObject({ kind: 'known', request: { id: request.id } });
});

test('what was followed before and has ended can be watched anew, as another run', async () => {
  const log = lab.logAt('again.log');
  lab.start(['sleep', '600'], log);
  const first = watched(await lab.watch(log)).request.id;
  const lost = observedNow({ now: () => Date.now() }, { kind: 'vanished', why: 'lost' });
  await observe(lab.store.journal, first, () => [lost]);
  const second = watched(await lab.watch(log, { trigger: 'anew' })).request.id;
  expect(second).not.toBe(first);
  expect(watched(await lab.watch(log, { trigger: 'anew' })).request.id).toBe(second);
});

test('a process of a run that Vigil launched is answered with that run, one of another Vigil is refused', async () => {
  const id = `${lab.config.instance}-kpro5-ours`;
  await lab.store.journal.adopt(newRun({ ...sampleRun({}).request, id, name: 'kpro5-99' }), 'C0OPS', null);
  lab.start(['sleep', '600'], lab.logAt('ours.log'), { VIGIL_RUN: id });
  expect(await lab.watch(lab.logAt('ours.log'))).toMatchObject({ kind: 'known', request: { name: 'kpro5-99' } });
  const child = lab.start(['sleep', '600'], lab.logAt('theirs.log'), { VIGIL_RUN: 'other-kpro5-1a' });
  expect(await reason(lab.watch(lab.logAt('theirs.log')))).toBe(
    `Refused: process ${child.pid} on kpro5 belongs to the run other-kpro5-1a of another Vigil, which tells it.`,
  );
});

test('a process that is not there, or that Vigil’s own connection descends from, is refused', async () => {
  const log = lab.logAt('pids.log');
  writeFileSync(log, 'x\n');
  expect(await reason(lab.watch(log, { pid: 4_194_300 }))).toContain(
    'There is no process 4194300 on kpro5: it has ended',
  );
  expect(await reason(lab.watch(log, { pid: process.pid }))).toContain(
    "Refused: Vigil's own connection descends from process",
  );
});

test('only what the globs allow may be watched, by where it really leads', async () => {
  const secret = join(lab.folder, 'secret.txt');
  writeFileSync(secret, 'x\n');
  symlinkSync(secret, lab.logAt('innocent.log'));
  const allowed = `hosts.kpro5.watch_logs of vigil.yaml allows \`${lab.folder}/logs/*.log\`.`;
  expect(await reason(lab.watch(secret))).toBe(
    `Refused: \`${secret}\` on kpro5 is no log that may be watched. ${allowed} Whoever keeps vigil.yaml can add a glob that matches it.`,
  );
  const link = lab.logAt('innocent.log');
  expect(await reason(lab.watch(link))).toBe(
    `Refused: \`${link}\` on kpro5 leads to \`${secret}\`, which is no log that may be watched. ${allowed} Whoever keeps vigil.yaml can add a glob that matches that path.`,
  );
  expect(await reason(lab.watch(lab.logAt('gone.log')))).toContain(
    `There is no file \`${lab.logAt('gone.log')}\` on kpro5`,
  );
  expect(await reason(lab.watch(lab.folder))).toContain('is a folder. Name the log in it.');
});

test('the worker looks at the right again, and at what vigil.yaml names', async () => {
  const log = lab.logAt('rights.log');
  writeFileSync(log, 'x\n');
  const { kpro5 } = lab.config.hosts;
  const changed = (change: Partial<typeof kpro5>) => ({
    config: { ...lab.config, hosts: { kpro5: { ...kpro5, ...change } } },
  });
  const nobody = changed({ rights: { ...kpro5.rights, watch: [] } });
  expect(await reason(lab.watch(log, {}, nobody))).toContain(
    'Who asked may not watch on kpro5: vigil.yaml lists who may',
  );
  expect(await reason(lab.watch(log, {}, changed({ watchLogs: [] })))).toBe(
    'Refused: vigil.yaml names no log of kpro5 that may be watched. Whoever keeps that file can add hosts.kpro5.watch_logs, a list of globs such as `[~/logs/*.log]`.',
  );
  const silent = { chat: { ...lab.tools.chat, person: () => Promise.reject(new ChatError('ambiguous', 'no answer')) } };
  expect(await reason(lab.watch(log, {}, silent))).toContain('Slack did not say who asks');
});

test('a stop’s list holds the process, its children and who passes its output on, and nobody else', async () => {
  const log = lab.logAt('list.log');
  const script = 'set -m; (sleep 600 & sleep 600; true) | tee -a "$LOG"; true';
  lab.start(['bash', '-c', script], '/dev/null', { LOG: log });
  const host = lab.tools.hosts.get('kpro5');
  await vi.waitFor(async () => expect(await host.writers(log, NEVER)).toHaveLength(4), PATIENT);
  const { request } = watched(await lab.watch(log, { what: 'train' }));
  const stranger = lab.start(['sleep', '599'], log);
  const list = await lab.processes(request.id);
  expect(list.map(({ command }) => command.split(' ')[0]).sort()).toEqual(['bash', 'sleep', 'sleep', 'tee']);
  expect(list.map(({ pid }) => pid)).not.toContain(stranger.pid);
  expect(await lab.processes('unknown')).toEqual([]);
});

test('after Redis lost its data what was watched is taken up again by its run folder, under its name', async () => {
  const log = lab.logAt('remembered.log');
  const child = lab.start(['sleep', '600'], log);
  const { request } = watched(await lab.watch(log));
  const { started, placement } = await lab.runOf(request.id);
  if (started === null) throw new Error('it has not started');
  const host = lab.tools.hosts.get('kpro5');
  const kept = note({ request, home: 'C0OPS', placement });
  await host.remember({ folder: folderOf(lab.config, request), started, request: kept }, NEVER);
  await lab.store.redis.del(...(await lab.store.redis.keys(`vigil:${lab.config.instance}:*`)));
  expect(await adoptAll(lab.tools, NEVER)).toContain(request.id);
  const entry = await lab.store.journal.load(request.id);
  expect(entry).toMatchObject({ home: 'C0OPS', run: { request, phase: 'launched', tree: [{ pid: child.pid }] } });
  expect(entry?.run.adoptedAt).not.toBeNull();
});

test('a link that is set in the place of a watched log later is not read', async () => {
  const log = lab.logAt('swapped.log');
  const secret = join(lab.folder, 'shadow.txt');
  writeFileSync(log, 'x\n');
  writeFileSync(secret, 'a secret\n');
  const { request } = watched(await lab.watch(log));
  rmSync(log);
  symlinkSync(secret, log);
  const from = { generation: null, offset: 0 };
  const target = { ...folderOf(lab.config, request), log, real: request.log, role: 'main', from } as const;
  const got: unknown[] = [];
  const following = (async () => {
    for await (const chunk of lab.tools.hosts.get('kpro5').follow(target, NEVER)) got.push(chunk);
  })();
  await expect(following).rejects.toThrow(HostRefused);
  expect(got).toEqual([]);
});
