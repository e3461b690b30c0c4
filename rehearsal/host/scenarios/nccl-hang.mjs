/** Both workers are up and connect to each other, for ever: rank 1 sleeps, rank 0 waits for it and looks busy. */
import { serveRas } from '../stand-in/ras.mjs';
import { configure } from '../startup/configure.mjs';
import { connect } from '../startup/connect.mjs';

export const budgets = { connecting: 60 };
export const hasRas = true;

const beatMs = 300;
/** Rounds of a shell's loop a beat: about a third of a core. A real rank that waits takes a whole one. */
const rounds = 120_000;
const counts = [
  { operation: 'AllReduce', ahead: 3, behind: 2 },
  { operation: 'Broadcast', ahead: 2, behind: 1 },
];

export async function run(server) {
  await configure(server);
  await connect(server, { onRanks: hang });
}

/** Never returns; a signal ends the server. */
async function hang(server) {
  const { workers, pace } = server;
  server.useGpus([100, ...workers.slice(1).map(() => 0)]);
  await serveRas({ pids: workers.map(({ pid }) => pid), counts });
  server.fillRanks();
  for (;;) {
    server.order(`spin ${rounds}`, [0]);
    await pace.wait((beatMs / 1000) * pace.speed);
  }
}
