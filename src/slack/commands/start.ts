/** Starting a run, of either kind: the recipe says which. */

import type { Message } from '../../chat.ts';
import { UsageError } from '../../errors.ts';
import { list } from '../../list.ts';
import type { GpusSeen } from '../../place/place.ts';
import { context } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { placeWords } from '../../report/place-words.ts';
import { gpuWords, listensWords } from '../../report/words.ts';
import { DeskClosed, type LaunchAnswer, type LaunchMode, type LaunchOrder } from '../../requests.ts';
import type { Waiting } from '../../run/holder.ts';
import type { Request } from '../../run/request.ts';
import { within } from '../../within.ts';
import { askHost } from '../ask.ts';
import type { Call } from '../call.ts';
import { chooseHome, followRoot, type Home, homeless, settleHome } from '../home.ts';
import { KINDS } from '../kinds.ts';
import { offer } from '../offer.ts';
import { explain, say } from '../say.ts';
import { mustHave } from './define.ts';

export interface Wanted {
  readonly host: string;
  readonly recipe: string;
  readonly mode: LaunchMode;
  readonly isForced: boolean;
  /** Slack's trigger_id of the command that began it: what is clicked afterwards is the same launch. */
  readonly trigger: string;
}

/** Throws UsageError where both are asked for. */
export function modeOf({ queue, replace }: { readonly queue: boolean; readonly replace: boolean }): LaunchMode {
  if (queue && replace) throw new UsageError('--queue and --replace are two ways to go on. Leave one of them out.');
  if (replace) return { kind: 'replace', runs: null };
  return { kind: queue ? 'queue' : 'now' };
}

/** A look at a host that takes longer than this (ms) is not waited for: the launch itself looks, too. */
const LOOK_MS = 10_000;

/** Writes the launch down and says what came of it; refuses who may not launch there. */
export async function startRun(wanted: Wanted, call: Call): Promise<Message> {
  const { host, recipe, mode, isForced, trigger } = wanted;
  mustHave(call, 'launch', host);
  if (isForced) mustHave(call, 'force', host);
  if (mode.kind === 'replace') mustHave(call, 'stop', host);
  const choosing = chooseHome(call, host);
  const { user: by, channel } = call.from;
  if (mode.kind === 'replace') {
    // Nothing is ended for a launch that would have no place for its thread.
    const home = await choosing;
    if (home.channel === null) return homeless(call, { name: recipe, host }, home);
  }
  const order = { trigger, host, recipe, by, channel, mode, ...(isForced ? { isForced } : {}) };
  const seen = await lookFor(order, call);
  if (typeof seen === 'object' && seen !== null && 'reason' in seen)
    return explain(`${seen.reason} Nothing was stopped, and nothing was started.`, null);
  const answer = await call.desk.launch(order, seen);
  if (answer.kind === 'impossible') return explain(`Refused: ${answer.reason} Nothing was started.`, null);
  if (answer.kind === 'held') return offer(call, wanted, answer);
  const stopped = mode.kind === 'replace' ? await stopThose(answer.waiting?.after ?? [], call) : 'all';
  return withThread(call, answer.request, { choosing, told: (where) => starting(answer, { where, stopped }) });
}

/** What the GPUs do. Where live runs are in the way, the answer doesn't wait long for it; what is to be ended for a launch is ended only where that is known to be enough. */
async function lookFor(order: LaunchOrder, call: Call): Promise<GpusSeen | { readonly reason: string }> {
  const { mode, host } = order;
  const isHeld = mode.kind !== 'replace' && (await call.desk.isHeld(order));
  const limits = { ...call.limits, host: Math.min(call.limits.host, LOOK_MS) };
  const asking = askHost({ ...call, limits }, { kind: 'gpus', host });
  const answer = isHeld ? await within((call.deadline - call.clock.now()) / 2, asking) : await asking;
  if (answer === 'late') {
    asking.catch(leaveUnseen);
    return 'unknown';
  }
  if (answer.kind === 'told') return answer.told;
  return mode.kind === 'replace' ? { reason: answer.reason } : 'unknown';
}

function leaveUnseen(): void {}

/** Asks for the end of those that the launch replaces; whoever is asked already stays so. 'none' = Redis stopped answering in between. */
async function stopThose(runs: readonly string[], call: Call): Promise<'all' | 'none'> {
  try {
    for (const run of runs) await call.desk.stop(run, call.from.user);
    return 'all';
  } catch (error) {
    if (error instanceof DeskClosed) return 'none';
    throw error;
  }
}

type Accepted = Extract<LaunchAnswer, { kind: 'accepted' | 'same' }>;

interface Threading {
  readonly choosing: Promise<Home>;
  /** What was understood, and where the thread goes. */
  told(where: string): Message;
}

/** Gives the run's thread its place; where that is is said at once if Slack tells in time, else a moment later. */
export async function withThread(call: Call, request: Request, { choosing, told }: Threading): Promise<Message> {
  const settling = choosing.then(async (home) => {
    const isOurs = await settleHome(call, request.id, home);
    return { ...home, isHomeless: isOurs && home.channel === null };
  });
  const home = await within(call.deadline - call.clock.now(), settling);
  if (home === 'late') {
    call.later(followHome(call, request, settling), 'owed');
    return told('Where its thread goes follows in a moment.');
  }
  if (home.isHomeless) return homeless(call, request, home);
  call.later(followRoot(call, request));
  if (home.channel === null) return told('Where its thread goes follows in a moment.');
  const isHere = home.channel === call.from.channel;
  return told(
    isHere ? 'Its thread follows here.' : `I am not in this channel: its thread follows in <#${home.channel}>.`,
  );
}

/** A home as far as this process decided it. */
interface Settled extends Home {
  readonly isHomeless: boolean;
}

async function followHome(call: Call, request: Request, settling: Promise<Settled>): Promise<void> {
  const home = await settling.catch(async (error: unknown) => {
    await call.respond(
      say(
        `${code(request.name)} was not started: Redis does not answer, so its thread has no place. Ask again in a minute.`,
      ),
    );
    throw error;
  });
  if (home.isHomeless) return call.respond(homeless(call, request, home));
  return followRoot(call, request);
}

/** What matters first; the command below it, cut to what a phone shows. */
function starting(answer: Accepted, { where, stopped }: { where: string; stopped: 'all' | 'none' }): Message {
  const { request, placement, waiting } = answer;
  const { kind, name, host, recipe, argv, gpus } = request;
  const needs = [listensWords(request), gpuWords(placement?.devices ?? gpus)].filter((words) => words !== null);
  const what = `*${escapeText(recipe)}* on *${escapeText(host)}* as ${code(name)}`;
  const on = needs.map((words) => `, ${escapeText(words)}`).join('');
  const command = context([code(argv.join(' '), 300)]);
  if (waiting !== null) return say(`Queued ${what}${on}: ${inLine(answer, waiting, stopped)} ${where}`, command);
  return say(`${kind === 'train' ? 'Training' : 'Launching'} ${what}${on}. ${where}`, command);
}

function inLine({ request: { kind, name } }: Accepted, waiting: Waiting, stopped: 'all' | 'none'): string {
  const leave = `${code(`${KINDS[kind].slash} stop ${name}`)} takes it out of the line.`;
  const replaced = waiting.holders.flatMap((one) =>
    one.kind === 'run' && waiting.after.includes(one.run) ? [one] : [],
  );
  if (replaced.length === 0) return `${placeWords(waiting)}. It starts by itself when its turn comes; ${leave}`;
  const names = list(replaced.map((one) => `${code(one.name)} (*${escapeText(one.recipe)}*)`));
  const ending =
    stopped === 'all'
      ? `${names} ${replaced.length === 1 ? 'is' : 'are'} being stopped for it.`
      : `Redis stopped answering before ${names} could be stopped for it: stop that by hand.`;
  return `${ending} It starts by itself when that is proved gone; ${leave}`;
}
