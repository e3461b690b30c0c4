/** Where the ranks wait for each other, as in a collective: torchrun's stand-in counts who has arrived. */

/** `meet` waits for the others; without torchrun nobody counts: an orphan goes on alone. `peers`: all ranks' pids, once they have met. */
export function createBarrier() {
  let pass = () => undefined;
  let peers = [process.pid];
  process.on('disconnect', () => pass());
  process.on('message', (pids) => {
    peers = pids;
    pass();
  });
  const meet = async () => {
    if (!process.connected) return;
    await new Promise((resolve) => {
      pass = resolve;
      process.send('arrived', () => undefined);
    });
  };
  return { meet, peers: () => peers };
}

/** torchrun's side: everybody goes on when the last one has arrived. */
export function countArrivals(children) {
  let arrived = 0;
  for (const child of children) {
    child.on('message', () => {
      arrived += 1;
      if (arrived < children.length) return;
      arrived = 0;
      const pids = children.map(({ pid }) => pid);
      for (const each of children) each.send(pids, () => undefined);
    });
  }
}
