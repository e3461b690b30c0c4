/** What stands as it stood before is not read anew: most of the runs that a list shows have not changed since the last one. */

const MOST = 500;

/** Reads what is written under a key, by `read`; remembers the last reading of the newest keys. What is read is never changed by anybody. */
export function keepReadings<T>(read: (written: string) => T): (key: string, written: string) => T {
  const known = new Map<string, { readonly written: string; readonly reading: T }>();
  return (key, written) => {
    const found = known.get(key);
    if (found?.written === written) return found.reading;
    const reading = read(written);
    known.delete(key);
    const oldest = known.keys().next();
    if (known.size >= MOST && oldest.done !== true) known.delete(oldest.value);
    known.set(key, { written, reading });
    return reading;
  };
}
