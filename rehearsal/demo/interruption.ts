/** Resolves when the signal is aborted, at once if it is already; never without one. */
export function interruption(signal: AbortSignal | null): Promise<'interrupted'> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve('interrupted');
    signal?.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
}
