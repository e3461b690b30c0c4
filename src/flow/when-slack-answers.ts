import { ChatError } from '../chat.ts';
import type { Tools } from '../processor.ts';
import { jittered, wait } from './wait.ts';

/** Slack's answer is waited for: without it nobody is let in, and nobody refused. null when the job is to let go. */
export async function whenSlackAnswers<T>(ask: () => Promise<T>, tools: Tools, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      tools.log.warn({ err: error }, 'a job waits for Slack to answer');
      await wait(jittered(tools.timings.reconnect), signal);
    }
  }
  return null;
}
