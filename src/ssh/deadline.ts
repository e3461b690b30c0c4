/** A call with a limit of its own beside its caller's signal. */

/**
 * Runs `call` under a signal that aborts when the caller's does or after `ms`. Lets go of both afterwards: AbortSignal.any keeps its sources'
 * listeners in Node 20, and the caller's signal may live for weeks. `isLate` tells which of the two it was.
 */
export async function withDeadline<Value>(
  { signal, ms }: { readonly signal: AbortSignal; readonly ms: number },
  call: (limited: AbortSignal, isLate: () => boolean) => Promise<Value>,
): Promise<Value> {
  const limited = linkTo(signal);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    limited.abort();
  }, ms);
  try {
    return await call(limited.signal, () => isLate);
  } finally {
    clearTimeout(timer);
    limited.unlink();
  }
}

export interface Linked {
  readonly signal: AbortSignal;
  abort(): void;
  unlink(): void;
}

/** A signal that aborts with `signal`, or by itself; `unlink` when it is no longer needed. */
export function linkTo(signal: AbortSignal): Linked {
  const own = new AbortController();
  const pass = () => own.abort(signal.reason);
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });
  return {
    signal: own.signal,
    abort: () => own.abort(),
    unlink: () => signal.removeEventListener('abort', pass),
  };
}
