/** The modal through the unmodified Bolt app over Socket Mode, against the local Slack stand-in. */

import { expect, test, vi } from 'vitest';
import type { SlackStandIn } from '../../../rehearsal/slack/server.ts';
import type { Answer, DryRun, Topic } from '../../../src/questions.ts';
import { DeskClosed } from '../../../src/requests.ts';
import { sampleRun } from '../../report/sample-run.ts';
import { DRY_RUN } from '../../support/dry-run.ts';
import { runningApp } from '../running.ts';
import { CONFIG } from '../set-up.ts';

const ALICE = { user: 'U0ALICE', channel: 'C0OPS' };

const TOLD = { ...DRY_RUN, obstacles: ['port 8000 on kpro5 is in use by pid 4242.'] };

/** Two hosts on which Alice may launch, so that nothing goes without saying. */
function config() {
  const { kpro5, kpro6 } = CONFIG.hosts;
  if (kpro5 === undefined || kpro6 === undefined) throw new Error('the hosts of set-up.ts have other names');
  return { ...CONFIG, hosts: { kpro5, kpro6: { ...kpro6, rights: { ...kpro6.rights, launch: ['U0ALICE'] } } } };
}

async function running() {
  const world = await runningApp({ config: config() });
  world.desk.told.set('dry_run', { kind: 'told', told: TOLD });
  world.desk.summaries.push({ run: sampleRun({}), root: { channel: 'C0OPS', ts: '1.0' } });
  return world;
}

/** The modal that is open. */
function modal(slack: SlackStandIn) {
  const open = slack.dialogs().at(-1);
  if (open === undefined) throw new Error('no modal is open');
  return open;
}

async function opened(text = '/vllm') {
  const world = await running();
  const outcome = await world.slack.command({ ...ALICE, text });
  expect(outcome).toMatchObject({ acked: true, error: null });
  const { id: viewId } = modal(world.slack);
  const choose = async (actionId: string, value: string) => {
    const made = await world.slack.choose({ user: 'U0ALICE', viewId, actionId, value });
    expect(made).toMatchObject({ error: null });
  };
  const submit = () => world.slack.submit({ user: 'U0ALICE', viewId, values: {} });
  return { ...world, viewId, choose, submit };
}

test('a slash command alone opens the modal and says nothing', async () => {
  const { slack } = await opened();
  expect(modal(slack)).toMatchObject({ user: 'U0ALICE', view: { title: { text: 'Launch a server' } } });
  expect(slack.ephemerals()).toEqual([]);
});

test('chosen, looked at, sent: the launch is that of the modal, and its answer comes in private where the command was typed', async () => {
  const { slack, desk, viewId, choose, submit } = await opened();
  await choose('host', 'kpro5');
  await vi.waitFor(() => expect(JSON.stringify(modal(slack).view)).toContain('Start it all the same'));
  await choose('queue', 'yes');
  await choose('recipe', 'dflash');
  await vi.waitFor(() => expect(JSON.stringify(modal(slack).view)).toContain('is in use by pid 4242'));
  expect(desk.orders).toEqual([]);
  expect(await submit()).toMatchObject({ acked: true, error: null });
  expect(slack.dialogs()).toEqual([]);
  expect(desk.orders).toMatchObject([
    { trigger: viewId, host: 'kpro5', recipe: 'dflash', by: 'U0ALICE', channel: 'C0OPS', mode: { kind: 'queue' } },
  ]);
  await vi.waitFor(() =>
    expect(slack.ephemerals().at(-1)).toMatchObject({
      user: 'U0ALICE',
      channel: 'C0OPS',
      text: expect.stringMatching(/^Launching \*dflash\* on \*kpro5\*/),
    }),
  );
});

test('what is wrong at the submission stands at its field, and the modal stays', async () => {
  const { slack, desk, choose, submit } = await opened();
  await choose('host', 'kpro5');
  await vi.waitFor(() => expect(JSON.stringify(modal(slack).view)).toContain('Start it all the same'));
  await choose('force', 'yes');
  await choose('recipe', 'dflash');
  const { launch } = desk;
  desk.launch = () => Promise.reject(new DeskClosed('gone'));
  await submit();
  expect(modal(slack).errors).toEqual({
    host: 'Not accepted: Redis does not answer, nothing was started. Try again in a minute.',
  });
  desk.launch = launch.bind(desk);
  expect(await submit()).toMatchObject({ acked: true, error: null });
  expect(desk.orders).toMatchObject([{ isForced: true }]);
  expect(slack.dialogs()).toEqual([]);
});

test('what an older choice asked for comes too late for a newer one, and for a modal that was closed', async () => {
  const { slack, desk, viewId, choose } = await opened();
  const answers = new Map<string, DryRun>();
  desk.ask = async (question) => question.host;
  desk.answerTo = async <Kind extends Topic>(id: string) => {
    const told = answers.get(id);
    return told === undefined ? null : ({ kind: 'told', told } as Answer<Kind>);
  };
  await choose('host', 'kpro5');
  await vi.waitFor(() => expect(JSON.stringify(modal(slack).view)).toContain('Looking at `kpro5`'));
  await choose('host', 'kpro6');
  await vi.waitFor(() => expect(JSON.stringify(modal(slack).view)).toContain('Looking at `kpro6`'));
  answers.set('kpro5', TOLD);
  await vi.waitFor(() => expect(slack.calls('views.update')).toHaveLength(3));
  expect(JSON.stringify(modal(slack).view)).toContain('Looking at `kpro6`');
  await slack.dismiss({ user: 'U0ALICE', viewId });
  answers.set('kpro6', TOLD);
  await vi.waitFor(() => expect(slack.calls('views.update')).toHaveLength(4));
  expect(slack.dialogs()).toEqual([]);
});

test('a submission that Slack delivers twice is one launch', async () => {
  const { slack, desk, choose, submit } = await opened();
  await choose('host', 'kpro6');
  await choose('recipe', 'dflash');
  await submit();
  slack.connections.redeliver();
  await vi.waitFor(() => expect(slack.connections.envelopes().at(-1)?.acks).toHaveLength(2));
  expect(new Set(desk.orders.map(({ trigger }) => trigger)).size).toBe(1);
});

test('a trigger that Slack does not take brings the help', async () => {
  const { slack } = await running();
  slack.faults.fail('views.open', 'expired_trigger_id', 1);
  await slack.command({ ...ALICE, text: '/vllm' });
  expect(slack.ephemerals().at(-1)?.text).toContain('launch HOST RECIPE');
  expect(slack.dialogs()).toEqual([]);
});

test('who may launch nowhere is told so in place of a modal', async () => {
  const { slack } = await running();
  await slack.command({ user: 'U0BOB', channel: 'C0OPS', text: '/dflash' });
  expect(slack.ephemerals().at(-1)?.text).toContain('you (U0BOB) may launch on no host');
  expect(slack.dialogs()).toEqual([]);
});
