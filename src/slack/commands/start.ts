/** Starting a run, of either kind: the recipe says which. */

import { addressWords } from '../../address.ts';
import type { Message } from '../../chat.ts';
import { context } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { gpuWords, list, time } from '../../report/words.ts';
import { DeskClosed, type Holder } from '../../requests.ts';
import type { Request } from '../../run/request.ts';
import { within } from '../../within.ts';
import type { Call } from '../call.ts';
import { chooseHome, followRoot, type Home, homeless, settleHome } from '../home.ts';
import { KINDS } from '../kinds.ts';
import { nameOf, say } from '../say.ts';
import { mustHave } from './define.ts';

interface Wanted {
  readonly host: string;
  readonly recipe: string;
}

/** Writes the launch down and says what came of it; refuses who may not launch there. */
export async function startRun({ host, recipe }: Wanted, call: Call): Promise<Message> {
  mustHave(call, 'launch', host);
  const choosing = chooseHome(call, host);
  const { user: by, channel, trigger } = call.from;
  const answer = await call.desk.launch({ trigger, host, recipe, by, channel });
  if (answer.kind === 'held') return held(call, { host, recipe }, answer.holders);
  return accepted(call, answer.request, choosing);
}

/** Says what was understood; where the thread goes is said at once if Slack tells in time, else a moment later. */
async function accepted(call: Call, request: Request, choosing: Promise<Home>): Promise<Message> {
  const settling = choosing.then(async (home) => {
    const isOurs = await settleHome(call, request.id, home);
    return { ...home, isHomeless: isOurs && home.channel === null };
  });
  const home = await within(call.deadline - call.clock.now(), settling);
  if (home === 'late') {
    call.later(followHome(call, request, settling));
    return starting(request, 'Where its thread goes follows in a moment.');
  }
  if (home.isHomeless) return homeless(call, request, home);
  call.later(followRoot(call, request));
  if (home.channel === null) return starting(request, 'Where its thread goes follows in a moment.');
  const isHere = home.channel === call.from.channel;
  return starting(
    request,
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
function starting(request: Request, where: string): Message {
  const { kind, name, host, recipe, argv, address, gpus } = request;
  const listens = address === null ? null : `${kind === 'train' ? 'target on ' : ''}${addressWords(address)}`;
  const on = [listens, gpuWords(gpus)].filter((words) => words !== null).map((words) => `, ${escapeText(words)}`);
  const what = `*${escapeText(recipe)}* on *${escapeText(host)}* as ${code(name)}`;
  const doing = kind === 'train' ? 'Training' : 'Launching';
  return say(`${doing} ${what}${on.join('')}. ${where}`, context([code(argv.join(' '), 300)]));
}

async function held(call: Call, { host, recipe }: Wanted, holders: readonly Holder[]): Promise<Message> {
  const rows = holders.slice(0, 10).map(async (holder) => {
    const who = await nameOf(call, holder.by);
    return `• ${escapeText(list(holder.what))}: ${code(holder.name)} (*${escapeText(holder.recipe)}*), ${who}, since ${time(holder.since)}`;
  });
  const [first] = holders;
  const told = [
    `Refused, nothing was started: *${escapeText(recipe)}* on *${escapeText(host)}* needs what is in use.`,
    ...(await Promise.all(rows)),
    ...(first === undefined ? [] : [await takeover(call, recipe, first)]),
  ];
  return say(told.join('\n'));
}

/** A server may stand in a training's way, and a training in a server's: each is stopped by its own slash command. */
async function takeover(call: Call, recipe: string, holder: Holder): Promise<string> {
  const kind = call.config.recipes[recipe]?.kind ?? 'serve';
  const summary = await call.desk.run(holder.run).catch(leaveUnknown);
  const { slash } = KINDS[summary?.run.request.kind ?? kind];
  return `To take its place: ${code(`${slash} stop ${holder.name}`)}, then ${KINDS[kind].start} again.`;
}

/** The refusal stands without it. */
function leaveUnknown(error: unknown): null {
  if (error instanceof DeskClosed) return null;
  throw error;
}
