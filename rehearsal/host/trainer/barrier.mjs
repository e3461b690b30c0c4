/** Where the ranks wait for each other, as in a collective: torchrun's stand-in counts who has arrived. */

/** Gives back how to wait. Without torchrun nobody counts: an orphan goes on alone. */
export function createBarrier() {
  let pass = () => undefined;
  for (const event of ['message', 'disconnect']) process.on(event, () => pass());
  return async () => {
    if (!process.connected) return;
    await new Promise((resolve) => {
      pass = resolve;
      process.send('arrived', () => undefined);
    });
  };
}

/** torchrun's side: everybody goes on when the last one has arrived. */
export function countArrivals(children) {
  let arrived = 0;
  for (const child of children) {
    child.on('message', () => {
      arrived += 1;
      if (arrived < children.length) return;
      arrived = 0;
      for (const each of children) each.send('go', () => undefined);
    });
  }
}
