/** Where a run's thread goes: decided once, before anything starts. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Place } from '../chat.ts';
import { code } from '../report/escape.ts';
import { DeskClosed } from '../requests.ts';
import type { Request } from '../run/request.ts';
import type { Call } from './call.ts';
import { statusLine } from './kinds.ts';
import { inChannel, say } from './say.ts';

/** A channel that the bot is a member of, or null: then nothing starts. */
export interface Home {
  readonly channel: string | null;
  /** Slack did not say for at least one of the channels; it was taken for a no. */
  readonly isUnsure: boolean;
}

/** The command's channel, else the host's. */
export async function chooseHome(call: Call, host: string): Promise<Home> {
  const hostChannel = channelOf(call, host);
  const [here, there] = await Promise.all([isMember(call, call.from.channel), isMember(call, hostChannel)]);
  const channel = here === true ? call.from.channel : there === true ? hostChannel : null;
  return { channel, isUnsure: here === null || there === null };
}

/** The host's own channel. */
function channelOf(call: Call, host: string): string {
  return call.config.hosts[host]?.channel ?? call.from.channel;
}

async function isMember(call: Call, channel: string): Promise<boolean | null> {
  try {
    return await call.chat.isMember(channel);
  } catch (error) {
    call.log.warn({ channel, err: error }, 'Slack did not say whether the bot is in a channel');
    return null;
  }
}

/**
 * Writes the decision down, again and again while Redis doesn't answer; a run whose home is undecided starts nothing.
 * False = somebody decided before, perhaps otherwise (a worker does, when a bot is away for too long).
 */
export async function settleHome(call: Call, run: string, home: Home): Promise<boolean> {
  const end = call.clock.now() + call.limits.thread;
  for (;;) {
    try {
      return await call.desk.decideHome(run, home.channel);
    } catch (error) {
      if (!(error instanceof DeskClosed) || call.clock.now() >= end) throw error;
      await sleep(call.limits.poll);
    }
  }
}

/** Why nothing starts, and what to do about it. */
export function homeless(call: Call, { name, host }: Pick<Request, 'name' | 'host'>, home: Home): Message {
  return say(`Not started: ${whyHomeless(call, host, home, code(name))}`);
}

/** A sentence on the channels that are missing, as mrkdwn, with what to do; `what` has no place for its thread. */
export function whyHomeless(call: Call, host: string, { isUnsure }: Home, what: string): string {
  const hostChannel = channelOf(call, host);
  const invite = code(`/invite @${call.self.name}`);
  const where =
    call.from.channel === hostChannel
      ? `<#${hostChannel}>`
      : `this channel or <#${hostChannel}> (the channel of ${host})`;
  const why = isUnsure ? "Slack doesn't confirm that I am a member of" : 'I am not a member of';
  return `${why} ${where}, so ${what} has no place for its thread. Invite me with ${invite}, then ask again.`;
}

/** Waits for the thread's root; links it if it went elsewhere, and says so if it doesn't come. */
export async function followRoot(call: Call, { id, name, kind }: Request): Promise<void> {
  const root = await awaitRoot(call, id);
  if (root === null) {
    await call.respond(
      say(`The thread of ${code(name)} isn't there yet. ${code(statusLine(kind, name))} tells how it stands.`),
    );
    return;
  }
  if (root.channel === call.from.channel) return;
  const link = await call.chat.permalink(root).catch(() => null);
  await call.respond(
    say(`${code(name)} is followed ${inChannel(root.channel)}${link === null ? '.' : `: <${link}|open its thread>.`}`),
  );
}

async function awaitRoot(call: Call, run: string): Promise<Place | null> {
  const end = call.clock.now() + call.limits.thread;
  for (;;) {
    const summary = await call.desk.run(run).catch((error: unknown) => {
      if (error instanceof DeskClosed) return null;
      throw error;
    });
    if (summary?.root) return summary.root;
    if (call.clock.now() >= end) return null;
    await sleep(call.limits.poll);
  }
}
