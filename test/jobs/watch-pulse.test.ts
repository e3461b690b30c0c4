/** The pulse of real processes behind a real sshd: each says a line and is silent from then on. */

import { appendFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { watch } from '../../jobs/watch.ts';
import type { RunEvent } from '../../src/run/run.ts';
import { findShells } from '../support/shells.ts';
import { openStopLab, type Subject } from '../support/stop-lab.ts';

const PATIENT = { timeout: 20_000, interval: 50 };
const [shell] = findShells();
if (shell === undefined) throw new Error('no shell');
const lab = await openStopLab(shell);
const letGo = new AbortController();
const watches: Promise<unknown>[] = [];

afterAll(async () => {
  letGo.abort();
  await Promise.all(watches);
  await lab.close();
});

/** Watches a program that may be silent for two seconds before that asks for evidence. */
async function watched(text: string, signal = letGo.signal): Promise<Subject> {
  const subject = await lab.start({
    text: `echo begun; ${text}`,
    change: (run) => ({ ...run, request: { ...run.request, budgets: { launched: 2 } } }),
  });
  watches.push(watch(subject.id, lab.tools, signal));
  return subject;
}

async function eventsOf({ id }: Subject): Promise<readonly RunEvent[]> {
  return (await lab.store.outbox.read(id))?.events ?? [];
}

async function pulsesOf(subject: Subject): Promise<string[]> {
  return (await eventsOf(subject)).flatMap((event) => (event.kind === 'pulse' ? [event.pulse] : []));
}

const former = new AbortController();
const [handed, sleeper, writer, spinner] = await Promise.all([
  watched('exec sleep 61', former.signal),
  watched('exec sleep 61'),
  watched('while :; do printf %01000000d 0 >$1/data; sleep 0.1; done'),
  watched('while :; do :; done'),
]);

test('a process that sleeps is stuck, its stacks are looked at once, and its next line ends the alarm', async () => {
  await expect.poll(() => pulsesOf(sleeper), PATIENT).toEqual(['stuck']);
  const stacks = async () => (await eventsOf(sleeper)).filter(({ kind }) => kind === 'stacks');
  await expect.poll(stacks, PATIENT).toMatchObject([{ stacks: [{ ...sleeper.started.main, by: 'proc' }] }]);
  appendFileSync(sleeper.started.log, 'goes on\n');
  await expect.poll(() => pulsesOf(sleeper), PATIENT).toEqual(['stuck', 'moving']);
  expect(await stacks()).toHaveLength(1);
});

test('a watch that takes over in the middle of a silence says nothing twice, and the end of the alarm once', async () => {
  await expect.poll(async () => (await eventsOf(handed)).at(-1)?.kind, PATIENT).toBe('stacks');
  former.abort();
  const { version } = (await lab.tools.journal.load(handed.id)) ?? { version: 0 };
  watches.push(watch(handed.id, lab.tools, letGo.signal));
  const looks = async () => (await lab.tools.journal.load(handed.id))?.version;
  await expect.poll(looks, PATIENT).toBeGreaterThan(version + 3);
  expect(await pulsesOf(handed)).toEqual(['stuck']);
  appendFileSync(handed.started.log, 'goes on\n');
  await expect.poll(() => pulsesOf(handed), PATIENT).toEqual(['stuck', 'moving']);
  expect((await eventsOf(handed)).filter(({ kind }) => kind === 'stacks')).toHaveLength(1);
});

test.each([
  ['writes to a disk', 'quiet', writer],
  ['spins', 'busy', spinner],
])('a process that %s is %s', async (_, pulse, subject) => {
  await expect.poll(() => pulsesOf(subject), PATIENT).toEqual([pulse]);
});
