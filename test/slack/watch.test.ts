/** What a person reads who names a log to have it watched. */

import { expect, test } from 'vitest';
import type { WatchAnswer } from '../../src/questions.ts';
import { DeskClosed } from '../../src/requests.ts';
import type { Request } from '../../src/run/request.ts';
import { SLASH_COMMANDS } from '../../src/slack/commands/slash.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';
import { setUp } from './set-up.ts';

const FOUND: NonNullable<Request['found']> = {
  process: { pid: 4242, group: 4242, user: 'root', command: 'python3 /usr/bin/vllm serve Qwen/Qwen3-8B', server: null },
  ...{ size: 12, trigger: '1.1', answered: false },
};
const ASKED = { id: 'w1', name: 'kpro5-4', recipe: 'vllm.log', log: '/root/logs/vllm.log', gpus: [], found: FOUND };

/** With what a worker will answer; `request` is the watched run's. */
function withAnswer(answer: WatchAnswer = { kind: 'watched', request: sampleRun({}, ASKED).request, notes: [] }) {
  const world = setUp();
  world.desk.told.set('watch', { kind: 'told', told: answer });
  return world;
}

test('a server that is watched is told with its process, its address and its thread', async () => {
  const { type, desk } = withAnswer();
  expect(await type('watch kpro5 ~/logs/vllm.log')).toMatchInlineSnapshot(`
    "Watching vllm.log on kpro5 as kpro5-4, port 8000. Its thread follows here.
    Process 4242 of root: python3 /usr/bin/vllm serve Qwen/Qwen3-8B"
  `);
  const asked = { log: '~/logs/vllm.log', pid: null, by: 'U0ALICE', trigger: '1.1', channel: 'C0OPS' };
  expect(desk.questions).toEqual([{ kind: 'watch', host: 'kpro5', what: 'serve', ...asked }]);
});

test('what is not as it could be is told with it', async () => {
  const { request } = sampleRun({}, { ...ASKED, address: null, found: { ...FOUND, process: null } });
  const notes = ['Nobody is seen to write it, so it is watched by its log alone. `--pid N` names the process.'];
  const { type } = withAnswer({ kind: 'watched', request, notes });
  expect(await type('watch kpro5 /root/logs/vllm.log')).toMatchInlineSnapshot(`
    "Watching vllm.log on kpro5 as kpro5-4. Its thread follows here.
    Nobody is seen to write it, so it is watched by its log alone. --pid N names the process."
  `);
});

test('a training is asked for by its own command, and a process by its number', async () => {
  const { request } = sampleTraining({}, { ...ASKED, name: 'kpro5-6', host: 'kpro5', recipe: 'run.log' });
  const { type, desk } = withAnswer({ kind: 'watched', request, notes: [] });
  const answer = await type('watch kpro5 /w/run.log --pid 4242', { command: '/dflash' });
  expect(answer).toContain('Watching run.log on kpro5 as kpro5-6. Its thread follows here.');
  expect(desk.questions).toMatchObject([{ what: 'train', log: '/w/run.log', pid: 4242 }]);
});

test('outside its channels the thread goes to the host’s, and its link follows', async () => {
  const { type, desk, afterwards } = withAnswer();
  expect(await type('watch kpro5 /root/logs/vllm.log', { channel: 'C0LOBBY' })).toContain(
    'I am not in this channel: its thread follows in #C0HOST.',
  );
  expect(desk.questions).toMatchObject([{ channel: 'C0HOST' }]);
  desk.summaries.push({ run: sampleRun({}, ASKED), root: { channel: 'C0HOST', ts: '9.000001' } });
  expect(await afterwards()).toEqual([
    'kpro5-4 is followed in #C0HOST: open its thread (https://example.slack.com/archives/C0HOST/p9000001).',
  ]);
});

test('a log that is followed already is answered with its thread', async () => {
  const { type, desk } = withAnswer({ kind: 'known', request: sampleRun({}).request });
  expect(await type('watch kpro5 /root/logs/vllm.log')).toBe(
    'It is followed already: kpro5-3 (dflash on kpro5). Nothing new was begun. Its thread is not posted yet.',
  );
  desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '9.000001' } });
  expect(await type('watch kpro5 /root/logs/vllm.log')).toContain(
    'Nothing new was begun. Open its thread (https://example.slack.com/archives/C0OPS/p9000001).',
  );
});

test('what the host refuses is said as it is', async () => {
  const { type } = withAnswer({
    kind: 'refused',
    reason: 'Refused: `/etc/shadow` on kpro5 is no log that may be watched.',
  });
  expect(await type('watch kpro5 /etc/shadow')).toBe('Refused: /etc/shadow on kpro5 is no log that may be watched.');
});

test('without the right nothing is asked of the host', async () => {
  const { type, desk } = withAnswer();
  expect(await type('watch kpro5 /root/logs/vllm.log', { user: 'U0BOB' })).toBe(
    'Refused: you (U0BOB) may not watch on kpro5. One person may. Whoever keeps vigil.yaml can add you under hosts.kpro5.rights.watch.',
  );
  expect(desk.questions).toEqual([]);
});

test.each([
  ['watch', 'The host is missing. Hosts: kpro5 and kpro6. The log is missing: its path on the host'],
  ['watch kpro5', 'The log is missing: its path on the host, from / or ~/ on.'],
  ['watch kpro5 logs/vllm.log', '“logs/vllm.log” is no path of a log: write it from / or ~/ on, to the file name.'],
  ['watch kpro5 /root/logs/', '“/root/logs/” is no path of a log'],
  ['watch kpro5 /x.log --pid', '--pid needs a value behind it.'],
  ['watch kpro5 /x.log --pid vllm', '“vllm” is no process number: write --pid 4242, as ps shows it on the host.'],
  ['watch kpro5 /x.log --pid -1', '“-1” is no process number'],
  ['watch kpro5 /x.log --pid 1', 'Process 1 is the init of the host, and every process descends from it.'],
  ['watch kpro5 /x.log --port 8000', 'There is no option “--port”.'],
  [
    'watch kpor5 /x.log',
    'There is no host “kpor5”. Did you mean kpro5? Hosts: kpro5 and kpro6. To copy: /vllm watch kpro5 /x.log',
  ],
])('%j is told what is wrong, and nothing is asked', async (text, expected) => {
  const { type, desk } = withAnswer();
  expect((await type(text)).replaceAll('\n', ' ')).toContain(expected);
  expect(desk.questions).toEqual([]);
});

test('without a channel for its thread nothing is watched', async () => {
  const { type, chat, desk } = withAnswer();
  chat.memberships.clear();
  expect(await type('watch kpro5 /root/logs/vllm.log', { channel: 'C0LOBBY' })).toMatchInlineSnapshot(
    `"Not watched: I am not a member of this channel or #C0HOST (the channel of kpro5), so it has no place for its thread. Invite me with /invite @vigil, then ask again."`,
  );
  expect(desk.questions).toEqual([]);
});

test('a host that can’t be asked, and a Redis that does not answer, are told', async () => {
  const { type, desk } = withAnswer();
  desk.told.set('watch', { kind: 'failed', reason: 'kpro5 does not answer.' });
  expect(await type('watch kpro5 /x.log')).toContain('kpro5 does not answer. Nothing is watched that was not before.');
  desk.ask = () => Promise.reject(new DeskClosed('Redis does not answer'));
  expect(await type('watch kpro5 /x.log')).toBe(
    'Not accepted: Redis does not answer, nothing is watched that was not before.',
  );
});

/**
 * Every word that a person types behind a verb. A path is looked at on the host before anything is done with it (src/shell/look.ts): only
 * LOG is one. Whoever adds a word that names a file must have it looked at there, too, and say so here.
 */
const WORDS: Readonly<
  Record<
    string,
    'a name that is looked up' | 'a number' | 'nothing' | 'text for people' | 'a path, looked at on the host'
  >
> = {
  HOST: 'a name that is looked up',
  RECIPE: 'a name that is looked up',
  RUN: 'a name that is looked up',
  TEXT: 'text for people',
  VERB: 'a name that is looked up',
  LOG: 'a path, looked at on the host',
  '--pid N': 'a number',
  '--dry-run': 'nothing',
  '--queue': 'nothing',
  '--replace': 'nothing',
  '--force': 'nothing',
  '--accept': 'nothing',
  '--file': 'nothing',
};

test('of all that people type, only the log of a watch names a file on a host', () => {
  const commands = SLASH_COMMANDS.flatMap(({ name, verbs }) =>
    verbs.map((verb) => ({ name: `${name} ${verb.name}`, verb })),
  );
  const wordsOf = (usage: string) =>
    [...usage.matchAll(/\[?(--[a-z-]+(?: [A-Z]+)?|[A-Z]+)\]?/g)].map((match) => match[1] ?? '');
  expect(
    [...new Set(commands.flatMap(({ verb }) => wordsOf(verb.usage)))].filter((word) => WORDS[word] === undefined),
  ).toEqual([]);
  const paths = commands.filter(({ verb }) => wordsOf(verb.usage).some((word) => WORDS[word]?.startsWith('a path')));
  expect(paths.map(({ name }) => name)).toEqual(['/vllm watch', '/dflash watch']);
});
