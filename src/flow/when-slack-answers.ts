import { ChatError } from '../chat.ts';
import type { Tools } from '../processor.ts';
import { jittered, wait } from './wait.ts';

/** What Slack asks for after a 429 is kept within this. */
const MOST_MS = 60_000;

/** Slack's answer is waited for: without it nobody is let in, and nobody refused. null when the job is to let go. */
export async function whenSlackAnswers<T>(ask: () => Promise<T>, tools: Tools, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      tools.log.warn({ err: error }, 'a job waits for Slack to answer');
      const asked = Math.min(error.retryAfterMs, MOST_MS);
      await wait(Math.max(asked, jittered(tools.timings.reconnect)), signal);
    }
  }
  return null;
}
