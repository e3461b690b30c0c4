/** Where a run's thread goes, when the bot has not said. */

import { ChatError } from '../chat.ts';
import type { Tools } from '../processor.ts';
import type { Request } from '../run/request.ts';
import { wait } from './wait.ts';
import { whenSlackAnswers } from './when-slack-answers.ts';

/** The channel of the run's thread, or NOWHERE; 'waiting' when the job is to let go. The bot decides it right after the command; where it died before that, the worker does. */
export async function homeOf(id: string, tools: Tools, signal: AbortSignal): Promise<string> {
  for (;;) {
    const entry = await tools.journal.load(id);
    if (entry === null || signal.aborted) return 'waiting';
    if (entry.home !== null) return entry.home;
    const { request } = entry.run;
    if (tools.clock.now() - request.at > tools.timings.home) {
      const channel = await whenSlackAnswers(() => channelFor(request, tools), tools, signal);
      if (channel !== null) await tools.journal.decideHome(id, channel);
      continue;
    }
    await wait(100, signal);
  }
}

/** The command's channel, else the host's, else a direct message to who asked. */
async function channelFor(request: Request, tools: Tools): Promise<string> {
  const candidates = [request.channel, tools.config.hosts[request.host]?.channel];
  for (const channel of candidates) if (channel !== undefined && (await isMember(channel, tools))) return channel;
  return request.by;
}

/** Where Slack will never say (the app lacks a scope), it counts as no: the launch must come to something. */
async function isMember(channel: string, { chat, log }: Tools): Promise<boolean> {
  try {
    return await chat.isMember(channel);
  } catch (error) {
    if (!(error instanceof ChatError) || error.kind !== 'closed') throw error;
    log.warn({ channel, err: error }, 'Slack does not say whether the bot is in a channel');
    return false;
  }
}
