import { describe, expect, test } from 'vitest';
import { answerClick } from '../../src/slack/click.ts';
import { sampleRun } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';
import { CONFIG, setUp } from './set-up.ts';

const ROOT = { channel: 'C0OPS', ts: '9.000001' };
const RECIPE = CONFIG.recipes.dflash;

/** One run on kpro5, as its recipe has it by now. */
function withRun(change: Parameters<typeof sampleRun>[0] = {}, request: Parameters<typeof sampleRun>[1] = {}) {
  const world = setUp();
  const { argv = [], log = null, gpus = [], stopGrace = 0 } = RECIPE ?? {};
  const run = sampleRun(change, { argv, log, gpus, stopGrace, ...request });
  world.desk.summaries.push({ run, root: ROOT });
  const click = async (id: string, user = 'U0ALICE') => {
    const from = { user, team: 'T0', channel: 'C0OPS', trigger: '1.1' };
    return plainMessage(await answerClick(world.edge, { ...from, action: 'restart', value: id }, world.followup));
  };
  return { ...world, run, click };
}

describe('a restart', () => {
  test('of a live run stops it, and says what starts when', async () => {
    const { type, desk, run } = withRun();
    expect(await type('restart kpro5-3')).toMatchInlineSnapshot(`
      "Restarting dflash on kpro5 as kpro5-9: kpro5-3 is being stopped, and the new one starts by itself when it is proved gone. Its thread follows here.
      vllm serve Qwen/Qwen3-8B"
    `);
    expect([...desk.stops]).toEqual([[run.request.id, 'U0ALICE']]);
    expect(desk.enqueued).toMatchObject([{ request: { again: { name: 'kpro5-3', trigger: '1.1' } } }]);
    expect(desk.homes.get(`${run.request.id}-again`)).toBe('C0OPS');
  });

  test('of a run that has ended stops nothing', async () => {
    const { type, desk } = withRun({ phase: 'stopped' });
    expect(await type('restart kpro5-3')).toMatchInlineSnapshot(`
      "Starting dflash on kpro5 again as kpro5-9. Its thread follows here.
      vllm serve Qwen/Qwen3-8B"
    `);
    expect(desk.stops.size).toBe(0);
  });

  test('is one, whether it is typed or clicked, once or twice', async () => {
    const { type, click, desk, run } = withRun();
    await click(run.request.id);
    expect(await click(run.request.id)).toMatchInlineSnapshot(
      `"kpro5-3 is restarted already, as kpro5-9: /vllm status kpro5-9 tells how that stands."`,
    );
    expect(await type('restart kpro5-3', { trigger: '2.2' })).toContain('is restarted already, as kpro5-9');
    expect([desk.enqueued.length, desk.stops.size]).toEqual([1, 1]);
  });

  test('says what vigil.yaml has changed since, and keeps what the run had', async () => {
    const { type } = withRun({}, { argv: ['vllm', 'serve', 'other'], stopGrace: 99 });
    expect(await type('restart kpro5-3')).toMatchInlineSnapshot(`
      "Restarting dflash on kpro5 as kpro5-9: kpro5-3 is being stopped, and the new one starts by itself when it is proved gone. Its thread follows here.
      vigil.yaml's argv and stop_grace of dflash have changed since; this restart keeps those of kpro5-3. /vllm launch kpro5 dflash takes what is new.
      vllm serve other"
    `);
  });

  test.each([
    [
      'whose recipe is gone',
      {},
      { recipe: 'gone' },
      'The recipe gone is no longer in vigil.yaml, and its environment, prelude, directory and secrets come from there. Put it back, or start another one: /vllm launch kpro5 RECIPE.',
    ],
    [
      'whose recipe is a training’s by now',
      {},
      { recipe: 'drafter' },
      'The recipe drafter is one of kind: train by now',
    ],
    [
      'that somebody started by hand',
      {},
      { found: { process: null, size: 0, trigger: null, answered: false } },
      'Refused: kpro5-3 was started by hand, and Vigil restarts only what it launched.',
    ],
    [
      'that waits in the line',
      { waiting: { ahead: [], count: null, holders: [], why: null, after: [] } },
      {},
      'It stands in the line and has not started yet: there is nothing to restart.',
    ],
  ])('of a run %s is refused, and nothing is stopped', async (_, change, request, words) => {
    const { type, desk } = withRun(change, request);
    expect(await type('restart kpro5-3')).toContain(words);
    expect([desk.enqueued.length, desk.stops.size]).toEqual([0, 0]);
  });

  test('is refused where what an ended run had is in use, and where its thread would have no place', async () => {
    const { type, desk, chat } = withRun({ phase: 'failed' });
    desk.answer = { kind: 'held', holders: [], ahead: [], count: null, replaceable: [] };
    expect(await type('restart kpro5-3')).toMatchInlineSnapshot(
      `"Refused, nothing was started: what kpro5-3 had is in use by now. /vllm launch kpro5 dflash tells by whom, and offers to wait for it."`,
    );
    chat.memberships.clear();
    expect(await type('restart kpro5-3')).toContain('Not started: I am not a member');
  });

  test('needs both rights, also at a click', async () => {
    const kpro5 = CONFIG.hosts.kpro5;
    if (kpro5 === undefined) throw new Error('the host is gone');
    const rights = { ...kpro5.rights, launch: [] };
    const { desk, edge, followup } = setUp({
      config: { ...CONFIG, hosts: { ...CONFIG.hosts, kpro5: { ...kpro5, rights } } },
    });
    const run = sampleRun({});
    desk.summaries.push({ run, root: ROOT });
    const from = { user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '1.1' };
    const answer = await answerClick(edge, { ...from, action: 'restart', value: run.request.id }, followup);
    expect(plainMessage(answer)).toContain('may not launch on kpro5');
    expect(desk.stops.size).toBe(0);
  });
});
