/** Where the ranks wait for each other, as in a collective: torchrun's stand-in counts who has arrived. */

const CLOSING = 'closing';

/**
 * `meet` waits for the others; without torchrun nobody counts: an orphan goes on alone. `peers`: all ranks' pids, once they have met.
 * `closing`: torchrun has signalled this rank, or is gone.
 */
export function createBarrier() {
  let pass = () => undefined;
  let peers = [process.pid];
  let close;
  const closing = new Promise((resolve) => {
    close = resolve;
  });
  process.on('disconnect', () => {
    close();
    pass();
  });
  process.on('message', (said) => {
    if (said === CLOSING) return close();
    peers = said;
    pass();
  });
  const meet = async () => {
    if (!process.connected) return;
    await new Promise((resolve) => {
      pass = resolve;
      process.send('arrived', () => undefined);
    });
  };
  return { meet, peers: () => peers, closing };
}

/** torchrun's side: TERM, and a word after it, so that no rank has to guess by the time whether more will come. */
export function closeRank(child) {
  child.kill('SIGTERM');
  child.send(CLOSING, () => undefined);
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
