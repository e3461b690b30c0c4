/** One look for all who ask at the same time. */

/**
 * Whoever asks while a look is under way waits for the next one, with all others who do: what is told was always read after it was asked for.
 * Where the look under way fails, there is no next one, and all fail with it.
 */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    running = read().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start, (error: unknown) => {
      next = null;
      throw error;
    });
    return next;
  };
}
