/**
 * Takes up what somebody started by hand and somebody else named the log of. It may run again after a crash: the run's id follows from what
 * was found, and the trigger stands in it.
 */

import type { ServerAddress } from '../address.ts';
import { ChatError } from '../chat.ts';
import { readServerCommand } from '../config/found-server.ts';
import { isHostError } from '../errors.ts';
import type { LogLook } from '../host/log.ts';
import type { Process } from '../host/process.ts';
import { NotListening } from '../http.ts';
import { type Discovery, type FoundServer, foundRun, startOf } from '../patrol/found-run.ts';
import { ownsLog, runsOn } from '../patrol/own-logs.ts';
import type { Tools } from '../processor.ts';
import type { QuestionOf, WatchAnswer } from '../questions.ts';
import { refusalOf } from '../rights.ts';
import type { Request } from '../run/request.ts';
import { isEnd } from '../run/run.ts';
import type { Host } from '../tools.ts';
import { readServing } from '../verify/read-serving.ts';
import { adoptOn } from './adopt.ts';
import { noWatchLogs, refusalWords } from './look.ts';
import { type Who, whoRuns } from './who-runs.ts';

type Order = QuestionOf<'watch'>;
type Log = LogLook & { kind: 'log' };

/** A server that doesn't say within this (ms) that it is well is not ready yet. */
const HEALTH_MS = 2_000;

export async function watchLog(order: Order, tools: Tools, signal: AbortSignal): Promise<WatchAnswer> {
  const denied = await refusal(order, tools);
  if (denied !== null) return refuse(denied);
  const before = await ofTrigger(order.trigger, tools);
  if (before !== null) return { kind: 'watched', request: before, notes: [] };
  // A run that Redis lost must be known again first: else its log would be followed a second time.
  for (const id of await adoptOn(order.host, tools, signal)) await tools.queue.add('watch', id);
  if (!(await tools.journal.isSurveyed(order.host)))
    return refuse(`Nothing was done: ${order.host} can't be asked which runs it holds. Ask again in a minute.`);
  const host = tools.hosts.get(order.host);
  const globs = tools.config.hosts[order.host]?.watchLogs ?? [];
  const log = await host.look({ path: order.log, globs }, signal);
  if (log.kind === 'refused') return refuse(refusalWords({ host: host.name, path: order.log, globs, ...log }));
  if (/\p{Cc}/u.test(log.path))
    return refuse(
      `Refused: the real path of \`${order.log}\` on ${host.name} holds a control character. Rename the file.`,
    );
  const runs = await runsOn(host.name, tools.journal);
  const { device, inode } = log.generation;
  const owner = runs.find((run) => ownsLog(run, { path: log.path, device, inode }));
  if (owner !== undefined) return { kind: 'known', request: owner.run.request };
  const who = await whoRuns({ order, host, path: log.path, runs, instance: tools.config.instance, signal });
  return 'kind' in who ? who : takeUp({ order, tools, host, log, who, signal });
}

/** Why not, or null. */
async function refusal({ host, by }: Order, tools: Tools): Promise<string | null> {
  try {
    const denied = await refusalOf(tools, { user: by, host, verb: 'watch' });
    if (denied !== null) return `Refused: ${denied}`;
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return 'Nothing was done: Slack did not say who asks. Try again in a moment.';
  }
  return (tools.config.hosts[host]?.watchLogs ?? []).length === 0 ? noWatchLogs(host) : null;
}

function refuse(reason: string): WatchAnswer {
  return { kind: 'refused', reason };
}

/** The run that the same command made before, or null. */
async function ofTrigger(trigger: string, { journal }: Tools): Promise<Request | null> {
  const ids = [...(await journal.live()), ...(await journal.ended())];
  const entries = await Promise.all(ids.map((id) => journal.load(id)));
  return entries.find((entry) => entry?.run.request.found?.trigger === trigger)?.run.request ?? null;
}

async function takeUp(work: {
  order: Order;
  tools: Tools;
  host: Host;
  log: Log;
  who: Who;
  signal: AbortSignal;
}): Promise<WatchAnswer> {
  const { order, tools, host, log, who, signal } = work;
  const { journal, queue, config, clock } = tools;
  const { generation, path, size, modified, now, facts } = log;
  const server = order.what === 'serve' ? await serverAmong(who.family, host, signal) : null;
  const discovery: Discovery = {
    ...{ instance: config.instance, host: host.name, channel: order.channel, kind: order.what },
    log: { path, size, modified, device: generation.device, inode: generation.inode },
    ...{ generation, from: 0, line: 1, facts, now, seen: clock.now() },
    ...{ main: who.main, tree: who.tree, server },
    asked: { by: order.by, trigger: order.trigger, isAgain: false },
  };
  const run = await unlessEnded(discovery, tools);
  await journal.adopt(run, order.channel, startOf(discovery));
  await queue.add('watch', run.request.id);
  const entry = await journal.load(run.request.id);
  const request = entry?.run.request ?? run.request;
  // Somebody else named it in the same moment.
  if (request.found?.trigger !== order.trigger) return { kind: 'known', request };
  tools.log.info({ run: request.id, host: host.name, user: order.by }, 'what somebody started by hand is watched');
  return { kind: 'watched', request, notes: [...who.notes, ...unverified(order, who, server)] };
}

/** The same was followed before and has ended: then this is another run. */
async function unlessEnded(discovery: Discovery, { journal }: Tools) {
  const run = foundRun(discovery);
  const before = await journal.load(run.request.id);
  if (before === null || !isEnd(before.run.phase) || discovery.asked === null) return run;
  return foundRun({ ...discovery, asked: { ...discovery.asked, isAgain: true } });
}

async function serverAmong(family: readonly Process[], host: Host, signal: AbortSignal): Promise<FoundServer | null> {
  for (const { pid, start, argv } of family) {
    const command = readServerCommand(argv);
    if (command === null) continue;
    const { address, stopGrace } = command;
    const isTls = readServing(argv, {}).scheme === 'https';
    const answers = address !== null && (await isWell({ host, address, isTls, family, signal }));
    return { process: { pid, start }, address, stopGrace, answers, isTls };
  }
  return null;
}

/** It answers, and no stranger does at its address. */
async function isWell(work: {
  host: Host;
  address: ServerAddress;
  isTls: boolean;
  family: readonly Process[];
  signal: AbortSignal;
}): Promise<boolean> {
  const { host, address, isTls, family, signal } = work;
  try {
    const health = { address, method: 'GET', path: '/health', headers: {}, body: null, timeoutMs: HEALTH_MS } as const;
    const request = isTls ? ({ ...health, tls: true } as const) : health;
    if ((await host.http(request, signal)).status !== 200) return false;
    const listener = await host.listener(address, signal);
    return listener.kind !== 'known' || family.some(({ pid }) => pid === listener.pid);
  } catch (error) {
    if (!signal.aborted && (error instanceof NotListening || isHostError(error))) return false;
    throw error;
  }
}

function unverified({ what }: Order, { main }: Who, server: FoundServer | null): readonly string[] {
  if (what !== 'serve' || main === null || server?.address != null) return [];
  return [
    'Its command line does not say where it serves, so that it can’t be asked: its process and its log are all that is judged.',
  ];
}
