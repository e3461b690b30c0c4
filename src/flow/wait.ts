/** Resolves after `ms`, or at once when the signal fires: callers look at the signal themselves. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

/** A time with up to half of it added or taken away, so that many waiters don't come back at once. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random());
}
