import { expect, test } from 'vitest';
import { renderCard } from '../../src/report/card.ts';
import { placeWords } from '../../src/report/place-words.ts';
import { renderReply } from '../../src/report/reply.ts';
import type { Holder, Waiting } from '../../src/run/holder.ts';
import { plainMessage } from '../support/plain.ts';
import { event, sampleRun, T0, VIEW, visits } from './sample-run.ts';

const RUN: Holder = {
  kind: 'run',
  what: ['GPU 0', 'GPU 1'],
  run: 'x',
  name: 'kpro5-2',
  recipe: 'base',
  by: 'U0BOB',
  since: T0,
};
const PROCESS: Holder = {
  kind: 'process',
  what: ['GPU 2'],
  pid: 4242,
  command: 'python `train`.py <!channel>',
  user: null,
  since: T0 + 31_000,
  run: 'other-kpro5-12ab',
};
const MEMORY: Holder = { kind: 'memory', what: ['GPU 3'], usedMib: 20_480, totalMib: 49_140 };

function card(waiting: Partial<Waiting>): string {
  const all = { ahead: [], count: null, holders: [], why: null, after: [], ...waiting };
  const waits = { phase: 'queued', started: null, visits: visits({ queued: 0 }), waiting: all } as const;
  return plainMessage(renderCard(sampleRun(waits, { gpus: 2 }), { ...VIEW, hostLine: null }));
}

test('a run that waits says its place, what it waits for, and how it leaves the line', () => {
  expect(card({ holders: [RUN] })).toMatchInlineSnapshot(`
    "⏳ Queued, 1st in line: dflash on kpro5 (kpro5-3)
    Waits for GPU 0 and GPU 1, held by kpro5-2 (base) since 2026-11-30 07:00 UTC.
    It starts by itself; /vllm stop kpro5-3 takes it out of the line.
    queued since 2026-11-30 07:00 UTC
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  2 GPUs
    [Stop]"
  `);
  expect(card({ holders: [RUN, PROCESS, MEMORY], count: 2, ahead: ['kpro5-4', 'kpro5-5'] })).toMatchInlineSnapshot(`
    "⏳ Queued, 3rd in line: dflash on kpro5 (kpro5-3)
    Waits for 2 free GPUs:
    • GPU 0 and GPU 1: kpro5-2 (base) since 2026-11-30 07:00 UTC
    • GPU 2: pid 4242 (python ˋtrainˋ.py <!channel>, since 2026-11-30 07:00:31 UTC, a process of Vigil's run other-kpro5-12ab)
    • GPU 3: 20.0 of 48.0 GiB are taken by what nvidia-smi doesn't name
    Its turn comes after kpro5-4 and kpro5-5.
    It starts by itself; /vllm stop kpro5-3 takes it out of the line.
    queued since 2026-11-30 07:00 UTC
    Asked by Alice, 2026-11-30 07:00 UTC  port 8000  2 GPUs
    [Stop]"
  `);
});

test('a run that takes another’s place waits for its end', () => {
  expect(card({ holders: [{ ...RUN, what: [] }] })).toContain('Waits for the end of kpro5-2 (base).');
});

test('while its host can’t be asked, that is what it says', () => {
  expect(card({ holders: [RUN], why: 'kpro5 does not answer.' })).toContain(
    "How it stands can't be seen now: kpro5 does not answer.\nIt starts by itself;",
  );
});

test('its Stop button says that nothing has been started', () => {
  const waiting = { ahead: [], count: null, holders: [], why: null, after: [] };
  const blocks = renderCard(sampleRun({ phase: 'queued', started: null, waiting }), VIEW).blocks;
  expect(JSON.stringify(blocks)).toContain('It leaves the line; nothing of it has been started.');
});

test.each([
  [0, '1st'],
  [1, '2nd'],
  [2, '3rd'],
  [3, '4th'],
  [10, '11th'],
  [11, '12th'],
  [12, '13th'],
  [20, '21st'],
  [110, '111th'],
])('behind %i it is %s in line', (count, expected) => {
  const ahead = Array.from({ length: count }, (_, index) => `kpro5-${index}`);
  expect(placeWords({ ahead, count: null, holders: [], why: null, after: [] })).toBe(`${expected} in line`);
});

test('its turn is told once, and readiness counts from there', () => {
  const run = sampleRun({ turnAt: T0 + 600_000 });
  const turn = renderReply(event({ kind: 'turn', waitedMs: 600_000, devices: ['0', '3'] }, 600), run, VIEW);
  expect(turn?.text).toBe('kpro5-3 (dflash): Its turn has come after 10 min in the line: GPUs 0 and 3.');
  const readiness = { proof: 'socket', model: 'm', by: 'curl', completion: 'It completed a prompt.' } as const;
  expect(renderReply(event({ kind: 'ready', readiness }, 660), run, VIEW)?.text).toContain(
    '1 min after its turn came.',
  );
});

test('a turn that others took is told with who has the GPU, and that it waits on', () => {
  const reply = renderReply(
    event({ kind: 'turn_lost', taken: { freeAt: T0, holders: [PROCESS] } }, 1),
    sampleRun({}),
    VIEW,
  );
  expect(plainMessage(reply ?? { text: '', blocks: [] })).toMatchInlineSnapshot(`
    "GPU 2 was free when last looked at (2026-11-30 07:00:00 UTC) and is now used by pid 4242 (python ˋtrainˋ.py <!channel>, since 2026-11-30 07:00:31 UTC, a process of Vigil's run other-kpro5-12ab).
    Nothing was started. It goes back to the front of the line and starts by itself."
  `);
});

test('a GPU lost between the command and the start is told with who has it since when', () => {
  const taken = { freeAt: T0, holders: [PROCESS, MEMORY] };
  const failure = { kind: 'refused', reason: 'GPU 2 and GPU 3 of kpro5 are in use.', taken } as const;
  const run = sampleRun({ phase: 'failed', started: null, failure });
  expect(
    plainMessage(renderReply(event({ kind: 'failed', failure }, 1), run, VIEW) ?? { text: '', blocks: [] }),
  ).toMatchInlineSnapshot(`
    "@U0ALICE kpro5-3 (dflash) was not started.
    GPU 2 was free when this was accepted (2026-11-30 07:00:00 UTC) and is now used by pid 4242 (python ˋtrainˋ.py <!channel>, since 2026-11-30 07:00:31 UTC, a process of Vigil's run other-kpro5-12ab).
    GPU 3 was free when this was accepted (2026-11-30 07:00:00 UTC) and is now in use: 20.0 of 48.0 GiB are taken by what nvidia-smi doesn't name.
    Nothing was started.
    What to do: /vllm launch kpro5 dflash --queue waits until it is free and starts by itself then."
  `);
});
