/** The same answer for the same trigger: Slack's envelopes may come twice (slackapi/bolt-js#2487). Remembers the newest `most`. */
export function createOnce<T>(most: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const oldest = known.keys().next();
    if (known.size >= most && oldest.done !== true) known.delete(oldest.value);
    const made = make();
    known.set(key, made);
    return made;
  };
}
