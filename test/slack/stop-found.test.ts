/** A stop of what somebody started by hand: nothing is ended before exactly that list of processes is confirmed. */

import { expect, test } from 'vitest';
import type { ListedProcess } from '../../src/questions.ts';
import { DeskClosed } from '../../src/requests.ts';
import type { Request } from '../../src/run/request.ts';
import { answerClick } from '../../src/slack/click.ts';
import { digestOf, STOP_FOUND_ACTION } from '../../src/slack/stop-list.ts';
import { sampleRun, sampleTraining, T0 } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';
import { setUp } from './set-up.ts';

const ROOT = { channel: 'C0OPS', ts: '9.000001' };
const FOUND: NonNullable<Request['found']> = {
  process: { pid: 4711, group: 4711, user: 'bob', command: 'bash train.sh', server: null },
  ...{ size: 12, trigger: null, answered: false },
};
const SERVER = {
  id: 's1',
  name: 'kpro5-5',
  host: 'kpro5',
  recipe: 'vllm.log',
  log: '/root/logs/vllm.log',
  found: FOUND,
};
const TRAINING = { id: 'r1', name: 'kpro5-1', host: 'kpro5', recipe: 'run.log', log: '/w/run.log', stopGrace: 120 };

function listed(pid: number, more: Partial<ListedProcess> = {}): ListedProcess {
  return { pid, start: pid * 10, user: 'bob', since: T0, command: 'bash train.sh', ...more };
}

const TREE = [
  listed(4711),
  listed(4712, { command: 'torchrun --nproc_per_node 2 train.py' }),
  listed(4713, { command: 'python train.py' }),
  listed(4714, { command: 'python train.py' }),
  listed(4715, { command: 'tee logs/run.log', user: null, since: null }),
];

function withFound(processes: readonly ListedProcess[] = TREE) {
  const world = setUp();
  world.desk.summaries.push(
    { run: sampleTraining({}, { ...TRAINING, by: '', found: FOUND }), root: ROOT },
    { run: sampleRun({ phase: 'ready' }, SERVER), root: ROOT },
  );
  world.desk.told.set('processes', { kind: 'told', told: processes });
  const dflash = (text: string, from = {}) => world.type(text, { command: '/dflash', ...from });
  const click = (value: string, more: { user?: string; action?: string } = {}) => {
    const who = { user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '2.2', action: STOP_FOUND_ACTION };
    return answerClick(world.edge, { ...who, value, ...more }, world.followup);
  };
  return { ...world, dflash, click };
}

test('a stop shows which processes it would end, and ends none', async () => {
  const { dflash, desk } = withFound();
  expect(await dflash('stop kpro5-1')).toMatchInlineSnapshot(`
    "kpro5-1 (run.log on kpro5) was started by hand. To stop it, confirm what is ended: exactly these 5 processes, nothing else.
    • pid 4711 of bob since 2026-11-30 07:00 UTC: bash train.sh
    • pid 4712 of bob since 2026-11-30 07:00 UTC: torchrun --nproc_per_node 2 train.py
    • pids 4713, 4714 of bob since 2026-11-30 07:00 UTC: python train.py
    • pid 4715: tee logs/run.log
    All of them are asked to end (TERM); what is left of the list after 120 s is ended by force. A process that starts later is on no list and left alone.
    [End these 5 processes]"
  `);
  expect(desk.questions).toEqual([{ kind: 'processes', host: 'kpro5', run: 'r1' }]);
  expect(desk.stops.size).toBe(0);
});

test('a server is asked before its workers are', async () => {
  const { type } = withFound([listed(5001, { command: 'python3 /usr/bin/vllm serve Qwen/Qwen3-8B', user: 'root' })]);
  expect(await type('stop kpro5-5')).toMatchInlineSnapshot(`
    "kpro5-5 (vllm.log on kpro5) was started by hand. To stop it, confirm what is ended: exactly this process, nothing else.
    • pid 5001 of root since 2026-11-30 07:00 UTC: python3 /usr/bin/vllm serve Qwen/Qwen3-8B
    The server itself is asked to end (TERM); what is left of the list after 30 s is ended by force. A process that starts later is on no list and left alone.
    [End this process]"
  `);
});

test('the button holds for exactly that list: its processes, and no other ones, are to be ended', async () => {
  const { click, desk } = withFound();
  const answer = await click(`r1 ${digestOf(TREE)}`);
  expect(plainMessage(answer)).toBe(
    'Stopping kpro5-1 (run.log on kpro5). Its thread in #C0OPS tells when it is proved gone.',
  );
  expect(answer.replaces).toBe(true);
  expect([...desk.stops]).toEqual([['r1', 'U0ALICE']]);
  expect(desk.confirmed.get('r1')).toEqual(TREE.map(({ pid, start }) => ({ pid, start })));
});

test.each([
  ['one that came since', [...TREE, listed(4799)]],
  ['one that is gone', TREE.slice(1)],
  ['another process with the same number', [...TREE.slice(1), listed(4711, { start: 7 })]],
])('with %s the list is shown anew, and nothing is ended', async (_, now) => {
  const { click, desk } = withFound(now);
  const answer = await click(`r1 ${digestOf(TREE)}`);
  expect(plainMessage(answer).split('\n')[0]).toBe(
    'Nothing was ended: the processes of kpro5-1 (run.log on kpro5) have changed since the list that you confirmed. This is the list now:',
  );
  expect(answer.replaces).toBe(true);
  expect(desk.stops.size).toBe(0);
  expect(JSON.stringify(answer.blocks)).toContain(`r1 ${digestOf(now)}`);
});

test('the order of the list does not matter', async () => {
  const { click, desk } = withFound(TREE.toReversed());
  await click(`r1 ${digestOf(TREE)}`);
  expect(desk.stops.size).toBe(1);
});

test('who may not stop sees no list, and a click of theirs ends nothing', async () => {
  const { dflash, click, desk } = withFound();
  const refused = 'Refused: you (U0BOB) may not stop on kpro5.';
  expect(await dflash('stop kpro5-1', { user: 'U0BOB' })).toContain(refused);
  const answer = await click(`r1 ${digestOf(TREE)}`, { user: 'U0BOB' });
  expect(plainMessage(answer)).toContain(refused);
  expect(answer.replaces).toBe(false);
  expect([desk.questions.length, desk.stops.size]).toEqual([0, 0]);
});

test('the Stop button of an old card shows the list, too', async () => {
  const { click, dflash, desk } = withFound();
  expect(plainMessage(await click('r1', { action: 'stop' }))).toBe(await dflash('stop kpro5-1'));
  expect(desk.stops.size).toBe(0);
});

test('where no process of it is to be seen, the answer says how to find who writes its log', async () => {
  const { dflash } = withFound([]);
  expect(await dflash('stop kpro5-1')).toMatchInlineSnapshot(
    `"Refused: kpro5-1 was started by hand on kpro5, and no process of it can be seen, so there is none to confirm. fuser -v /w/run.log there tells who writes its log; end that by Ctrl-C in its terminal or by kill."`,
  );
});

test('more processes than a person can check are not put to be confirmed', async () => {
  const { dflash } = withFound(Array.from({ length: 41 }, (_, at) => listed(5000 + at, { command: `w ${at}` })));
  expect(await dflash('stop kpro5-1')).toMatchInlineSnapshot(
    `"Refused: kpro5-1 was started by hand on kpro5 and has 41 processes, too many to be confirmed one by one. End it there by Ctrl-C in its terminal or by kill -INT -- -4711."`,
  );
});

test('many that differ in their number only stand in one row, each with its number', async () => {
  const { dflash } = withFound(Array.from({ length: 300 }, (_, at) => listed(10_000 + at)));
  const answer = await dflash('stop kpro5-1');
  expect(answer).toContain('exactly these 300 processes');
  for (const pid of [10_000, 10_123, 10_299]) expect(answer).toContain(String(pid));
});

test('a host that can’t be asked is told, and nothing is ended', async () => {
  const { dflash, desk } = withFound();
  desk.told.set('processes', { kind: 'failed', reason: 'kpro5 does not answer.' });
  expect(await dflash('stop kpro5-1')).toContain('kpro5 does not answer. Nothing was ended.');
  desk.ask = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await dflash('stop kpro5-1')).toBe('Not accepted: Redis does not answer, nothing was stopped.');
});

test('a button of a run that is being stopped, or has ended, says so', async () => {
  const { click, desk } = withFound();
  await click(`r1 ${digestOf(TREE)}`);
  desk.summaries.push({
    run: sampleTraining({ phase: 'finished' }, { ...TRAINING, id: 'r7', name: 'kpro5-7', found: FOUND }),
    root: ROOT,
  });
  expect(plainMessage(await click(`r7 ${digestOf(TREE)}`))).toContain('has ended already (finished)');
  expect(plainMessage(await click(`r1 ${digestOf(TREE)}`))).toContain('is being stopped already');
});
