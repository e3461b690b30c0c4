/** Asking a host what may hang for ever: nvidia-smi on a fallen GPU, a folder on a dead file system. */

import { CommandFailed } from '../errors.ts';

/**
 * So many times a question is left out after the host failed at it or was late, twice as often after each further failure, up to the second (an hour of
 * looks): what it started for it may still be there.
 */
const RESTS = 8;
const MOST_RESTS = 240;

/** null where there is no answer: it is late, failed, still asked from before, or at rest. Never rejects. */
export type Asker<Answer> = (question: () => Promise<Answer>) => Promise<Answer | null>;

/** Has one question open at most. Waits `ms` for an answer, not at all once the signal fires. */
export function openAsker<Answer>({
  ms,
  signal,
  onFailure,
}: {
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}): Asker<Answer> {
  let isOpen = false;
  let rests = 0;
  let failures = 0;
  const rest = (): void => {
    rests = Math.min(RESTS * 2 ** failures, MOST_RESTS);
    failures += 1;
  };
  const attempt = async (question: () => Promise<Answer>): Promise<Answer | null> => {
    isOpen = true;
    try {
      return await question();
    } catch (error) {
      if (error instanceof CommandFailed) rest();
      if (!signal.aborted) onFailure(error);
      return null;
    } finally {
      isOpen = false;
    }
  };
  return async (question) => {
    if (isOpen) return null;
    if (rests > 0) {
      rests -= 1;
      return null;
    }
    const limit = openLimit(ms, signal);
    const answer = await Promise.race([attempt(question), limit.late]);
    limit.close();
    if (answer === LATE) rest();
    else if (rests === 0) failures = 0;
    return answer === LATE ? null : answer;
  };
}

const LATE = Symbol('late');

/** `late` resolves after `ms` or with the signal; `close` lets go of both. */
function openLimit(
  ms: number,
  signal: AbortSignal,
): { readonly late: Promise<typeof LATE>; readonly close: () => void } {
  let close = (): void => undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    close = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', close);
      resolve(LATE);
    };
    const timer = setTimeout(() => close(), ms);
    signal.addEventListener('abort', close);
    if (signal.aborted) close();
  });
  return { late, close };
}
