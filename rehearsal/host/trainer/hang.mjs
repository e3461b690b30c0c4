/** A rank that stops in the middle of a step, and the others in their all-reduce: nobody says a word, nothing moves. */
import { serveRas } from '../stand-in/ras.mjs';

const beatMs = 300;
/** A third of a core. A real rank that waits takes a whole one. */
const spinMs = 90;
const counts = [
  { operation: 'Broadcast', ahead: 33, behind: 32 },
  { operation: 'AllReduce', ahead: 93, behind: 90 },
];

/** Never returns; a signal ends the rank. */
export async function hang({ plan, rank, peers, pace }) {
  if (rank === plan.hang.rank) return pace.never();
  await serveRas({ pids: peers(), counts });
  for (;;) {
    spin();
    await pace.wait((beatMs / 1000) * pace.speed);
  }
}

/** Burns the core and touches no memory. */
function spin() {
  const end = Date.now() + spinMs;
  while (Date.now() < end);
}
