/** Answers of Slack that are remembered for a while. */

/** Asks once and gives the same answer until it is `lifeMs(answer)` old; a failure is not remembered. */
export function remember<T>(
  ask: (key: string) => Promise<T>,
  lifeMs: (answer: T) => number,
): (key: string) => Promise<T> {
  const known = new Map<string, { readonly answer: Promise<T>; until: number }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined && performance.now() < found.until) return found.answer;
    const entry = { answer: ask(key), until: Number.POSITIVE_INFINITY };
    if (known.size >= MOST) known.clear();
    known.set(key, entry);
    entry.answer.then(
      (answer) => {
        entry.until = performance.now() + lifeMs(answer);
      },
      () => {
        if (known.get(key) === entry) known.delete(key);
      },
    );
    return entry.answer;
  };
}

const MOST = 1000;
