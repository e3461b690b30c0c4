/**
 * Starts a run once: rights again, a home for its thread, its GPUs, all checks, the port closed, then the launch on the host. Before the launch has
 * been tried (`attempted`) a failure ends the run with nothing started; after it only the host can say what happened, so the
 * job asks again until it answers.
 */

import type { Recipe, Verb } from '../src/config/config.ts';
import { CommandFailed, HostUnreachable, isHostError } from '../src/errors.ts';
import { firstObstacle } from '../src/flow/first-obstacle.ts';
import { folderOf } from '../src/flow/folder.ts';
import type { Obstacle } from '../src/flow/gpus-taken.ts';
import { homeOf } from '../src/flow/home.ts';
import { launchSpec } from '../src/flow/launch-spec.ts';
import { HOMELESS, recipeGone } from '../src/flow/never.ts';
import { note } from '../src/flow/note.ts';
import { observedNow } from '../src/flow/now.ts';
import { jittered, wait } from '../src/flow/wait.ts';
import { whenSlackAnswers } from '../src/flow/when-slack-answers.ts';
import { observe } from '../src/flow/write.ts';
import type { LaunchOutcome, RunFolder } from '../src/host/launch.ts';
import { NOWHERE } from '../src/journal.ts';
import type { Outcome, Tools } from '../src/processor.ts';
import { refusalOf } from '../src/rights.ts';
import type { Taken } from '../src/run/holder.ts';
import type { Observation } from '../src/run/observe.ts';
import type { Request } from '../src/run/request.ts';
import { isEnd, type Run } from '../src/run/run.ts';
import type { Host } from '../src/tools.ts';

const TRIES = 3;

export async function launch(id: string, tools: Tools, signal: AbortSignal): Promise<Outcome> {
  const entry = await tools.journal.load(id);
  if (entry === null || isEnd(entry.run.phase)) return 'done';
  // Its turn has not come: the line starts it then.
  if (entry.run.waiting !== null) return 'done';
  if (entry.run.started !== null) return watchNow(id, tools);
  const home = await homeOf(id, tools, signal);
  if (home === 'waiting') return 'again';
  const recipe = tools.config.recipes[entry.run.request.recipe];
  if (entry.run.attempted) return attempt({ run: entry.run, home, recipe, tools, signal });
  const obstacle = await obstacleTo({ run: entry.run, home, recipe, tools, signal });
  if (signal.aborted) return 'again';
  if (obstacle !== null) return refuse(id, tools, { reason: `${obstacle} Nothing was started.` });
  const run = await observe(tools.journal, id, (now) =>
    now.phase === 'queued' ? [observedNow(tools.clock, { kind: 'checking' })] : [],
  );
  if (run === null || isEnd(run.phase)) return 'done';
  return attempt({ run, home, recipe, tools, signal });
}

interface Launching {
  readonly run: Run;
  readonly home: string;
  /** undefined when vigil.yaml lost it since the request. */
  readonly recipe: Recipe | undefined;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** Why this may not be tried at all, or null. */
async function obstacleTo({ run, home, recipe, tools, signal }: Launching): Promise<string | null> {
  const { host, by, forcedBy } = run.request;
  if (recipe === undefined) return recipeGone(run.request);
  if (home === NOWHERE) return HOMELESS;
  const may = (user: string, verb: Verb) =>
    whenSlackAnswers(() => refusalOf(tools, { user, host, verb }), tools, signal);
  return (await may(by, 'launch')) ?? (forcedBy === undefined ? null : may(forcedBy, 'force'));
}

async function attempt(work: Launching): Promise<Outcome> {
  const { tools, signal } = work;
  const { id } = work.run.request;
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      const outcome = await launchOnce(work);
      return await settle(id, tools, outcome);
    } catch (error) {
      if (signal.aborted) return 'again';
      if (!isHostError(error)) throw error;
      const now = await tools.journal.load(id);
      if (now === null || isEnd(now.run.phase)) return 'done';
      const isFinal = !(error instanceof HostUnreachable) || tries >= TRIES;
      if (!now.run.attempted && isFinal) return refuse(id, tools, { reason: `${error.message} Nothing was started.` });
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
      ? observedNow(tools.clock, { kind: 'notice', text })
      : observedNow(tools.clock, { kind: 'out_of_contact', why: text }),
  ]);
}

type Launched =
  | LaunchOutcome
  | ({ readonly kind: 'refused' } & Obstacle)
  /** Others have its GPUs: it waits for them. */
  | { readonly kind: 'turn_lost'; readonly taken: Taken }
  | { readonly kind: 'over' };

async function launchOnce({ home, recipe, tools, signal, ...work }: Launching): Promise<Launched> {
  const { request } = work.run;
  const host = tools.hosts.get(request.host);
  // An earlier try of this very job may have been cut off after it reached the host.
  const before = await tools.journal.load(request.id);
  if (before !== null && !before.run.attempted) {
    const obstacle = await firstObstacle(before.run, { host, recipe, tools, signal });
    if (obstacle !== null) return stopped(before.run, obstacle);
  }
  const run = await observe(tools.journal, request.id, (now) =>
    now.stopBy === null && now.waiting === null && !now.attempted && !isEnd(now.phase)
      ? [observedNow(tools.clock, { kind: 'attempting' })]
      : [],
  );
  if (run === null || isEnd(run.phase) || !run.attempted) return { kind: 'over' };
  const folder = folderOf(tools.config, request);
  if (recipe === undefined) return withoutRecipe({ host, folder, request, signal });
  const { placement } = run;
  const spec = launchSpec(tools.config, { request, placement }, { recipe, note: note({ request, home, placement }) });
  return host.launch(spec, signal);
}

/** Who stood in the line keeps the turn that others took; so does who would have stood there. */
function stopped({ request, turnAt }: Run, obstacle: Obstacle): Launched {
  const { taken } = obstacle;
  const isPatient = turnAt !== null || request.mayWait === true;
  return taken !== undefined && isPatient ? { kind: 'turn_lost', taken } : { kind: 'refused', ...obstacle };
}

/** An attempt was made and vigil.yaml has changed since: what has started is watched, what has not never will. */
async function withoutRecipe(work: {
  host: Host;
  folder: RunFolder;
  request: Request;
  signal: AbortSignal;
}): Promise<Launched> {
  const { host, folder, request, signal } = work;
  const answer = await host.voidClaim(folder, signal);
  if (answer.kind === 'started') return { kind: 'already', started: answer.started };
  return { kind: 'refused', reason: `${recipeGone(request)} Nothing was started.` };
}

async function settle(id: string, tools: Tools, outcome: Launched): Promise<Outcome> {
  switch (outcome.kind) {
    case 'over':
    case 'void': // a stop came first: the stop job tells the end
      return 'done';
    case 'refused':
      return refuse(id, tools, outcome);
    case 'turn_lost':
      await observe(tools.journal, id, () => [observedNow(tools.clock, outcome)]);
      return 'done';
    case 'already':
    case 'started':
      await observe(tools.journal, id, (run) => {
        const { started } = outcome;
        if (run.started !== null) return [];
        const back: Observation[] =
          run.pulse !== 'out_of_contact'
            ? []
            : [observedNow(tools.clock, { kind: 'back_in_contact', silentMs: tools.clock.now() - run.seenAt })];
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

async function refuse(id: string, tools: Tools, why: Obstacle): Promise<Outcome> {
  await observe(tools.journal, id, () => [observedNow(tools.clock, { kind: 'refused', ...why })]);
  return 'done';
}
