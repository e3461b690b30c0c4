/** Two connections to the local Slack stand-in: renewals, outages, and what ends the process. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Outcome } from '../../rehearsal/slack/outcome.ts';
import type { SlackStandIn } from '../../rehearsal/slack/server.ts';
import { runningApp } from './running.ts';

/** Types commands, four a second, until it is so; what became of each. */
async function typeUntil(slack: SlackStandIn, isSo: () => boolean): Promise<readonly Outcome[]> {
  const typed: Promise<Outcome>[] = [];
  while (!isSo()) {
    typed.push(slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' }));
    await sleep(250);
  }
  return Promise.all(typed);
}

/** How many connections there have been. */
function countConnections(slack: SlackStandIn): () => number {
  return () => slack.calls('apps.connections.open').length;
}

test.concurrent('while a connection is renewed, no command is lost', async ({ onTestFinished: atEnd }) => {
  const { slack, app } = await runningApp({ atEnd });
  const opened = countConnections(slack);
  slack.connections.disconnect('refresh_requested', 1);
  const outcomes = await typeUntil(slack, () => opened() === 3 && slack.connections.open === 2);
  expect(outcomes.length).toBeGreaterThanOrEqual(10);
  expect(outcomes.filter(({ acked }) => !acked)).toEqual([]);
  expect(app.trouble()).toBeNull();
}, 20_000);

test.concurrent('two connections that are asked to leave together go one after the other', async ({
  onTestFinished: atEnd,
}) => {
  const { slack } = await runningApp({ atEnd });
  const opened = countConnections(slack);
  let fewest = 2;
  slack.on((change) => {
    if (change.kind === 'connections') fewest = Math.min(fewest, change.open);
  });
  slack.connections.disconnect('warning');
  const outcomes = await typeUntil(slack, () => opened() === 4 && slack.connections.open === 2);
  expect(fewest).toBe(1);
  expect(outcomes.filter(({ acked }) => !acked)).toEqual([]);
}, 30_000);

test.concurrent('what a connection has still to answer goes out before it leaves', async ({
  onTestFinished: atEnd,
}) => {
  const { slack, desk } = await runningApp({ atEnd });
  const asked: (() => void)[] = [];
  desk.runs = () => new Promise((resolve) => asked.push(() => resolve([])));
  const answers = [1, 2].map(() => slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm status' }));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  slack.connections.disconnect('refresh_requested', 1);
  await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' });
  for (const answer of asked) answer();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ acked: true });
  expect(slack.ephemerals().every(({ source }) => source === 'ack')).toBe(true);
});

test.concurrent('a notice without an event ends nothing', async ({ onTestFinished: atEnd }) => {
  const { slack } = await runningApp({ atEnd });
  expect(await slack.tell('app_rate_limited')).toMatchObject({ acked: true });
  expect(await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' })).toMatchObject({ acked: true });
});

test.concurrent('an outage of Slack is waited out', async ({ onTestFinished: atEnd }) => {
  const { slack, app, fatal } = await runningApp({ atEnd, connections: { lookAfterMs: 400 } });
  const end = slack.outage('503');
  slack.connections.cut();
  await vi.waitFor(() => expect(app.trouble()).toBe('no connection to Slack'));
  const tried = countConnections(slack);
  await vi.waitFor(() => expect(tried()).toBeGreaterThan(3), { timeout: 20_000 });
  expect(fatal).toEqual([]);
  end();
}, 30_000);

test.concurrent('after an outage Slack is heard again', async ({ onTestFinished: atEnd }) => {
  const { slack, app, fatal } = await runningApp({ atEnd });
  const end = slack.outage('refuse');
  slack.connections.cut();
  const tried = countConnections(slack);
  await vi.waitFor(() => expect(tried()).toBeGreaterThan(3), { timeout: 20_000 });
  end();
  await vi.waitFor(() => expect(app.trouble()).toBeNull(), { timeout: 20_000 });
  expect(await slack.command({ user: 'U0ALICE', channel: 'C0OPS', text: '/vllm help' })).toMatchObject({ acked: true });
  expect(fatal).toEqual([]);
}, 40_000);

test.concurrent('no connection although Slack answers ends the process', async ({ onTestFinished: atEnd }) => {
  const { slack, fatal } = await runningApp({ atEnd, connections: { lookAfterMs: 300 } });
  slack.connections.cut();
  await vi.waitFor(() => expect(fatal).toMatchObject([{ message: expect.stringContaining('Slack answers') }]), {
    timeout: 9000,
  });
}, 15_000);

test.concurrent('a connection that can not be made again ends the process', async ({ onTestFinished: atEnd }) => {
  const { slack, fatal } = await runningApp({ atEnd });
  slack.faults.fail('apps.connections.open', 'invalid_auth', 2);
  slack.connections.disconnect('refresh_requested');
  await vi.waitFor(() => expect(fatal).toHaveLength(1), { timeout: 9000 });
}, 15_000);
