/** Ending what somebody started by hand: exactly the confirmed processes, on a real host. */

import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { stop } from '../../jobs/stop.ts';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { observedNow } from '../../src/flow/now.ts';
import { observe } from '../../src/flow/write.ts';
import type { Request } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { type HandLab, NEVER, openHandLab, PATIENT } from '../support/hand-lab.ts';

let lab: HandLab;

beforeAll(async () => {
  lab = await openHandLab();
});

afterEach(() => lab.endAll());
afterAll(() => lab?.close());

async function watched(log: string, what: Request['kind'], change: Partial<Request> = {}): Promise<string> {
  const answer = await lab.watch(log, { what });
  if (answer.kind !== 'watched') throw new Error(JSON.stringify(answer));
  const { id } = answer.request;
  const entry = await lab.store.journal.load(id);
  if (entry === null) throw new Error('not in the journal');
  const run = { ...entry.run, request: { ...entry.run.request, stopGrace: 3, ...change } as Request };
  const nothing = { fence: null, happened: [], checkpoint: null, tail: null, isNews: false };
  expect(await lab.store.journal.append({ run, from: entry, ...nothing })).toBe('written');
  return id;
}

/** Confirms the list as it is now, less those with this command, and has the stop carried out. */
async function stopped(id: string, without = 'none'): Promise<Run> {
  const list = (await lab.processes(id)).filter(({ command }) => !command.includes(without));
  expect(
    await lab.desk.stopFound(
      id,
      'U0ALICE',
      list.map(({ pid, start }) => ({ pid, start })),
    ),
  ).toBe('asked');
  expect(await stop(id, lab.tools, NEVER)).toBe('done');
  return lab.runOf(id);
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** What a log says so far. */
function heard(name: string): string {
  const path = lab.logAt(name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

test('a server is asked alone and ends its workers itself; the proof says so', async () => {
  const log = lab.logAt('server.log');
  const { child, port } = await lab.startServer(log, { WORKERS: '2' });
  await vi.waitFor(() => expect(heard('server.log')).toContain('listening'), PATIENT);
  const id = await watched(log, 'serve');
  await vi.waitFor(async () => expect(await lab.processes(id)).toHaveLength(3), PATIENT);
  const run = await stopped(id);
  expect(run).toMatchObject({ phase: 'stopped', stopBy: 'U0ALICE', confirmed: [{ pid: child.pid }, {}, {}] });
  expect(run.stop?.evidence.slice(0, 3)).toEqual([
    'All 3 processes are gone.',
    'How it ended can’t be seen, since Vigil did not start it.',
    `Port ${port} is closed.`,
  ]);
  expect(isAlive(child)).toBe(false);
});

test('a script that started a server is asked together with it', async () => {
  const log = lab.logAt('script.log');
  const shell = lab.start(
    ['bash', '-c', `"${process.execPath}" vllm serve m --port ${await findFreePort()}; true`],
    log,
  );
  await vi.waitFor(() => expect(heard('script.log')).toContain('listening'), PATIENT);
  const run = await stopped(await watched(log, 'serve'));
  expect(run).toMatchObject({ phase: 'stopped', confirmed: [{ pid: shell.pid }, {}] });
  expect(run.stop?.evidence.join('\n')).not.toContain('KILL');
  expect(heard('script.log').match(/asked to end/g)).toHaveLength(1);
});

test('of a training all confirmed processes are asked at once, whatever their group, and what ignores it is ended by force', async () => {
  const log = lab.logAt('run.log');
  const saves = 'trap "echo saved; exit" TERM; echo up; sleep 600 & wait';
  const ignores = 'trap "" TERM; echo up; exec sleep 605';
  lab.start(['bash', '-c', `setsid bash -c '${saves}' & setsid bash -c '${ignores}' & wait; true`], log);
  await vi.waitFor(() => expect(heard('run.log').match(/up/g)).toHaveLength(2), PATIENT);
  const run = await stopped(await watched(log, 'train', { stopGrace: 1 }));
  expect(run.phase).toBe('stopped');
  expect(heard('run.log').match(/saved/g)).toHaveLength(1);
  expect(run.stop?.evidence.join('\n')).toMatch(/TERM was not enough within 1 s: pid \d+ was ended by KILL\./);
});

test('what is on no list is left alone, and told', async () => {
  const log = lab.logAt('beside.log');
  lab.start(['bash', '-c', 'sleep 601 & exec sleep 602'], log);
  const id = await watched(log, 'train');
  const before = await lab.processes(id);
  const child = before.find(({ command }) => command === 'sleep 601');
  const run = await stopped(id, 'sleep 601');
  expect(run).toMatchObject({ phase: 'stopped', stop: { proven: false, isGone: false } });
  expect(run.stop?.evidence[0]).toMatch(
    new RegExp(`still .*pid ${child?.pid} .*not on the list that was confirmed`, 'i'),
  );
  expect(readdirSync('/proc')).toContain(String(child?.pid));
});

test('a list of which all is gone by then ends with that', async () => {
  const log = lab.logAt('gone.log');
  const child = lab.start(['sleep', '603'], log);
  const id = await watched(log, 'train');
  const list = await lab.processes(id);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), PATIENT);
  await lab.desk.stopFound(id, 'U0ALICE', list);
  expect(await stop(id, lab.tools, NEVER)).toBe('done');
  const { stop: proof } = await lab.runOf(id);
  expect(proof?.evidence[0]).toBe('The process is gone. It had ended before anything was signalled.');
});

test('a stop that nobody confirmed process by process is not carried out', async () => {
  const log = lab.logAt('unconfirmed.log');
  const child = lab.start(['sleep', '604'], log);
  const id = await watched(log, 'serve');
  const asked = observedNow({ now: () => Date.now() }, { kind: 'stop_asked', by: 'U0ALICE', confirmed: null });
  await observe(lab.store.journal, id, () => [asked]);
  expect(await stop(id, lab.tools, NEVER)).toBe('done');
  const run = await lab.runOf(id);
  expect(run).toMatchObject({ phase: 'launched', stopBy: null, confirmed: null });
  expect(run.notices.join('\n')).toBe('');
  expect(isAlive(child)).toBe(true);
});
