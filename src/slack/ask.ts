/** Asking a worker about a host. What takes longer than Slack waits follows by the response_url (answer.ts). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Question } from '../questions.ts';
import type { Call } from './call.ts';

/** Throws DeskClosed when Redis doesn't answer; a host that says nothing in time (`ms`) is an answer of its own. */
export async function askHost<Asked extends Question>(
  call: Call,
  question: Asked,
  ms = call.limits.host,
): Promise<Answer<Asked['kind']>> {
  const end = call.clock.now() + ms;
  const id = await call.desk.ask(question);
  for (;;) {
    const answer = await call.desk.answerTo<Asked['kind']>(id);
    if (answer !== null) return answer;
    if (call.clock.now() >= end) return { kind: 'failed', reason: silence(question.host, ms) };
    await sleep(call.limits.pollHost);
  }
}

function silence(host: string, ms: number): string {
  return `No worker could say anything about ${host} within ${Math.round(ms / 1000)} s: check that a worker runs and that ${host} answers, then ask again.`;
}
