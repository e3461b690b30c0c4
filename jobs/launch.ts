/**
 * Starts a run once: rights again, a home for its thread, the port closed, then the launch on the host. Before the launch has
 * been tried (`attempted`) a failure ends the run with nothing started; after it only the host can say what happened, so the
 * job asks again until it answers.
 */

import type { Recipe } from '../src/config/config.ts';
import { CommandFailed, HostRefused, HostUnreachable } from '../src/errors.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { refusalOf } from '../src/rights.ts';
import type { Observation } from '../src/run/observe.ts';
import { isEnd, type Run } from '../src/run/run.ts';
import type { Host, LaunchOutcome } from '../src/tools.ts';
import { folderOf } from '../src/work/folder.ts';
import { jittered, wait } from '../src/work/wait.ts';
import { observe } from '../src/work/write.ts';

const TRIES = 3;

export async function launch(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const entry = await tools.journal.load(id);
  if (entry === null || isEnd(entry.run.phase)) return 'done';
  if (entry.run.started !== null) return watchNow(id, tools);
  const recipe = tools.config.recipes[entry.run.request.recipe];
  if (recipe === undefined) {
    return refuse(id, tools, `recipe ${entry.run.request.recipe} is no longer in vigil.yaml: nothing was started`);
  }
  const denied = await refusalOf(tools, { user: entry.run.request.by, host: entry.run.request.host, verb: 'launch' });
  if (denied !== null) return refuse(id, tools, `${denied} Nothing was started.`);
  const home = await homeOf(id, tools, signal);
  if (home === 'waiting') return 'again';
  if (home === 'nowhere')
    return refuse(id, tools, 'there is no channel for its thread: invite the bot and launch again');
  const run = await observe(tools.journal, id, (now) =>
    now.phase === 'queued' ? [times(tools, { kind: 'checking' })] : [],
  );
  if (run === null || isEnd(run.phase)) return 'done';
  return attempt({ run, recipe, tools, signal });
}

async function attempt(work: { run: Run; recipe: Recipe; tools: Tools; signal: AbortSignal }): Promise<Outcome> {
  const { run, recipe, tools, signal } = work;
  const { id } = run.request;
  const host = tools.hosts.get(run.request.host);
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      const outcome = await launchOnce({ host, run, recipe, tools, signal });
      return await settle(id, tools, outcome);
    } catch (error) {
      if (signal.aborted) return 'again';
      if (!isHostError(error)) throw error;
      const now = await tools.journal.load(id);
      if (now === null || isEnd(now.run.phase)) return 'done';
      const isFinal = !(error instanceof HostUnreachable) || tries >= TRIES;
      if (!now.run.attempted && isFinal) return refuse(id, tools, `${error.message} Nothing was started.`);
      if (now.run.attempted && tries >= TRIES) await tellDelay(id, tools, error);
      await wait(jittered(tools.timings.reconnect * Math.min(tries, 10)), signal);
    }
  }
  return 'again';
}

/** The launch was tried and the host has not said what came of it: it is asked until it does. */
async function tellDelay(id: string, tools: Tools, error: Error): Promise<void> {
  const text = `${error.message} Whether the process started is not known yet; the host is asked again until it says.`;
  await observe(tools.journal, id, () => [
    error instanceof CommandFailed
      ? times(tools, { kind: 'notice', text })
      : times(tools, { kind: 'out_of_contact', why: text }),
  ]);
}

type Launched = LaunchOutcome | { readonly kind: 'over' };

async function launchOnce(work: {
  host: Host;
  run: Run;
  recipe: Recipe;
  tools: Tools;
  signal: AbortSignal;
}): Promise<Launched> {
  const { host, recipe, tools, signal } = work;
  const { request, attempted } = work.run;
  if (!attempted) {
    const listener = await host.listener(request.address, signal);
    if (listener.kind !== 'closed') return { kind: 'refused', reason: portTaken(work.run, listener) };
  }
  const run = await observe(tools.journal, request.id, (now) =>
    now.stopBy === null && !now.attempted && !isEnd(now.phase) ? [times(tools, { kind: 'attempting' })] : [],
  );
  if (run === null || isEnd(run.phase) || (run.stopBy !== null && !run.attempted)) return { kind: 'over' };
  return host.launch(
    {
      ...folderOf(tools.config, run),
      argv: request.argv,
      environment: recipe.environment,
      prelude: recipe.prelude,
      directory: recipe.directory,
      log: request.log,
    },
    signal,
  );
}

async function settle(id: string, tools: Tools, outcome: Launched): Promise<Outcome> {
  switch (outcome.kind) {
    case 'over':
    case 'void': // a stop came first: the stop job tells the end
      return 'done';
    case 'refused':
      return refuse(id, tools, outcome.reason);
    case 'already':
    case 'started':
      await observe(tools.journal, id, (run) => {
        const { started } = outcome;
        if (run.started !== null) return [];
        const back: Observation[] =
          run.pulse === 'moving' ? [] : [times(tools, { kind: 'back_in_contact', silentMs: 0 })];
        return [...back, { kind: 'launched', started, at: started.at, seen: tools.clock.now() }];
      });
      return watchNow(id, tools);
    default:
      return outcome satisfies never;
  }
}

async function watchNow(id: string, tools: Tools): Promise<Outcome> {
  await tools.queue.add('watch', id);
  return 'done';
}

async function refuse(id: string, tools: Tools, reason: string): Promise<Outcome> {
  await observe(tools.journal, id, () => [times(tools, { kind: 'refused', reason })]);
  return 'done';
}

/** The channel of the run's thread. The bot decides it right after the command; where it died before that, the worker does. */
async function homeOf(id: string, tools: Tools, signal: AbortSignal): Promise<string> {
  for (;;) {
    const entry = await tools.journal.load(id);
    if (entry === null || signal.aborted) return 'waiting';
    if (entry.home !== null) return entry.home;
    const { request } = entry.run;
    if (tools.clock.now() - request.at > tools.timings.home) {
      await tools.journal.decideHome(id, await channelFor(request, tools));
      continue;
    }
    await wait(100, signal);
  }
}

/** The command's channel, else the host's, else a direct message to who asked. */
async function channelFor(request: Run['request'], { chat, config }: Tools): Promise<string> {
  const candidates = [request.channel, config.hosts[request.host]?.channel];
  for (const channel of candidates) if (channel !== undefined && (await chat.isMember(channel))) return channel;
  return request.by;
}

function portTaken(
  run: Run,
  listener: { kind: 'known'; pid: number; command: string; user: string | null } | { kind: 'unknown' },
): string {
  const { address, host } = run.request;
  const where = address.kind === 'tcp' ? `port ${address.port}` : address.path;
  const holder =
    listener.kind === 'known'
      ? `pid ${listener.pid}${listener.user === null ? '' : ` of ${listener.user}`} (${listener.command})`
      : 'a process that this SSH user may not see';
  return `${where} on ${host} is in use by ${holder}; it has to be closed before the start. End that process or give the recipe another port. Nothing was started.`;
}

function isHostError(error: unknown): error is HostUnreachable | HostRefused | CommandFailed {
  return error instanceof HostUnreachable || error instanceof HostRefused || error instanceof CommandFailed;
}

type Timeless = Observation extends infer O ? (O extends Observation ? Omit<O, 'at' | 'seen'> : never) : never;

function times(tools: Tools, observation: Timeless): Observation {
  const now = tools.clock.now();
  return { ...observation, at: now, seen: now };
}
