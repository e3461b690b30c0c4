/**
 * One small request to a server that shows requests and does nothing: an engine that lives takes a step for it, and its gauges are true again. They are not
 * where all requests were given up at once: vLLM renews them with its engine's steps alone (vllm-project/vllm#22545).
 */

import { tryServer } from '../flow/verify/ask-server.ts';
import { reach } from '../flow/verify/reach.ts';
import { readTry } from '../verify/answers.ts';
import type { Try } from '../verify/measured.ts';
import { nextTask, tasksOf, tryRequest } from '../verify/probes.ts';
import { looksLikeHang, wantsProof } from '../vitals/hang.ts';
import type { Watch } from './watch.ts';

/** Each try is waited for so long (ms): a lone request of few tokens takes a second or two. */
const LIMIT_MS = 15_000;
/** A text, or a chat where it takes no texts. */
const MOST_TRIES = 2;
/** Between two requests (ms): each standstill gets its own before it is told. */
const APART_MS = 45_000;

/** To be asked at each look: true where one has been completed since the look before, false while none of them is, null where none was sent. Waits for nothing. */
export function openNudge(watch: Watch): () => boolean | null {
  const { inbox, clock, signal, logger } = watch;
  let sentAt: number | null = null;
  let answer: boolean | null = null;
  return () => {
    const { vitals } = inbox.run();
    if (vitals === null || !looksLikeHang(vitals)) answer = null;
    const last = answer;
    if (answer === true) answer = null;
    const isTime = sentAt === null || clock.now() - sentAt >= APART_MS;
    if (isTime && vitals !== null && wantsProof(vitals)) {
      sentAt = clock.now();
      completes(watch).then(
        (does) => {
          answer = does;
        },
        (error: unknown) => {
          if (!signal.aborted) logger.warn({ err: error }, 'a server that may hang could not be sent a request');
        },
      );
    }
    return last;
  };
}

/** False where it does not complete it in time, null where nobody can ask it. Throws what the host throws. */
async function completes({ host, folder, inbox, terms, signal }: Watch): Promise<boolean | null> {
  const run = inbox.run();
  const shown = run.readiness?.model ?? null;
  const reached = await reach({ host, folder, run, terms }, signal);
  // A server for hidden states writes a file a request.
  if (reached.kind !== 'ours' || shown === null || reached.server.serving.isExtraction) return null;
  // What is shown is masked: a path may look like a secret.
  const model = reached.server.serving.names.find((name) => terms.mask(name) === shown) ?? shown;
  const tries: Try[] = [];
  while (tries.length < MOST_TRIES) {
    const task = nextTask(tasksOf(run.reading), reached.server.serving, tries);
    if (task === null) return null;
    const answer = await tryServer(reached.server, { ...tryRequest(task, model), ms: LIMIT_MS });
    const tried = readTry(task, answer, terms.mask);
    if (tried.outcome.kind !== 'refused') return tried.outcome.kind === 'answered';
    tries.push(tried);
  }
  return null;
}
