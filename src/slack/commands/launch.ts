import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { context } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { addressWords, gpuWords, list, time } from '../../report/words.ts';
import type { Holder } from '../../requests.ts';
import type { Request } from '../../run/run.ts';
import { within } from '../../within.ts';
import type { Call } from '../call.ts';
import { chooseHome, followRoot, type Home, homeless, settleHome } from '../home.ts';
import { nameOf, say } from '../say.ts';
import { defineCommand, mustHave, oneOf } from './define.ts';

export const launch = defineCommand({
  name: 'launch',
  summary: 'Start a recipe on a host and watch it until it answers',
  usage: 'launch HOST RECIPE',
  notes: ['HOST and RECIPE are names of vigil.yaml.', 'One thread tells the whole story, to its end.'],
  right: 'launch',
  whenClosed: 'Not accepted: Redis does not answer, nothing was started.',
  args: ({ config }) =>
    z.object({ host: oneOf('host', Object.keys(config.hosts)), recipe: oneOf('recipe', Object.keys(config.recipes)) }),
  run: async ({ host, recipe }, call) => {
    mustHave(call, 'launch', host);
    const choosing = chooseHome(call, host);
    const { user: by, channel, trigger } = call.from;
    const answer = await call.desk.launch({ trigger, host, recipe, by, channel });
    if (answer.kind === 'held') return held(call, { host, recipe }, answer.holders);
    return accepted(call, answer.request, choosing);
  },
});

/** Says what was understood; where the thread goes is said at once if Slack tells in time, else a moment later. */
async function accepted(call: Call, request: Request, choosing: Promise<Home>): Promise<Message> {
  const settling = choosing.then(async (home) => {
    const isOurs = await settleHome(call, request.id, home);
    return { ...home, isHomeless: isOurs && home.channel === null };
  });
  const home = await within(call.deadline - call.clock.now(), settling);
  if (home === 'late') {
    call.later(followHome(call, request, settling));
    return launching(request, 'Where its thread goes follows in a moment.');
  }
  if (home.isHomeless) return homeless(call, request, home);
  call.later(followRoot(call, request));
  if (home.channel === null) return launching(request, 'Where its thread goes follows in a moment.');
  const isHere = home.channel === call.from.channel;
  return launching(
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
function launching(request: Request, where: string): Message {
  const { name, host, recipe, argv, address, gpus } = request;
  const on = [addressWords(address), gpuWords(gpus)].filter((words) => words !== null).join(', ');
  const what = `*${escapeText(recipe)}* on *${escapeText(host)}* as ${code(name)}`;
  return say(`Launching ${what}, ${escapeText(on)}. ${where}`, context([code(argv.join(' '), 300)]));
}

async function held(
  call: Call,
  { host, recipe }: { host: string; recipe: string },
  holders: readonly Holder[],
): Promise<Message> {
  const rows = await Promise.all(
    holders.slice(0, 10).map(async (holder) => {
      const who = await nameOf(call, holder.by);
      return `• ${escapeText(list(holder.what))}: ${code(holder.name)} (*${escapeText(holder.recipe)}*), ${who}, since ${time(holder.since)}`;
    }),
  );
  const first = holders[0];
  const stop =
    first === undefined ? '' : `\nTo take its place: ${code(`/vllm stop ${first.name}`)}, then launch again.`;
  return say(
    `Refused, nothing was started: *${escapeText(recipe)}* on *${escapeText(host)}* needs what is in use.\n${rows.join('\n')}${stop}`,
  );
}
