/** The stand-in for `torchrun`: starts the ranks, each in a session of its own, watches them, and ends as torch does. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onOwnerGone } from '../stand-in/owner.mjs';
import { appendStart, readScenario } from '../stand-in/state.mjs';
import { closeRank, countArrivals } from '../trainer/barrier.mjs';
import { logBanner, logClosing, logDeathSignal, logFailure, logForced, logSignalException } from '../trainer/torch.mjs';

const monitorSeconds = 2;
const closeSeconds = 30;
const runId = randomUUID();
/** Real time: a rank on a busy machine needs it, at any speed. */
const leastCloseMs = 5_000;
const rankPath = join(dirname(fileURLToPath(import.meta.url)), 'rank.mjs');

const folder = process.env.REHEARSAL_HOST;
if (folder === undefined) {
  console.error('REHEARSAL_HOST is not set: run this through the bin folder of a rehearsal host.');
  process.exit(2);
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const argv = process.argv.slice(2);
appendStart(folder, 'torchrun', argv);
const { speed } = readScenario(folder);
const { world, words } = parse(argv);

/** `running` until a signal or a failed rank; then one of the two ends goes its way, once. */
let state = 'running';
logBanner();
const ranks = Array.from({ length: world }, (_, rank) => startRank(rank));
countArrivals(ranks.map(({ child }) => child));
onOwnerGone(folder, () => {
  for (const each of ranks.filter(lives)) each.child.kill('SIGKILL');
  process.exit(1);
});
for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => void interrupt());

function parse(all) {
  const at = all.findIndex((word) => /^--nproc[-_]per[-_]node/.test(word));
  const [, inline] = (all[at] ?? '').split('=');
  const first = all.findIndex((word) => word.endsWith('.py'));
  if (first === -1) {
    process.stderr.write('torchrun: error: the following arguments are required: training_script\n');
    process.exit(2);
  }
  return { world: at === -1 ? 1 : Number(inline ?? all[at + 1]), words: all.slice(first) };
}

function startRank(rank) {
  // V8 gives memory back some seconds after a process has fallen idle: page faults that look like work.
  const child = spawn(process.execPath, ['--no-memory-reducer', rankPath, ...words], {
    argv0: 'python',
    detached: true,
    env: {
      ...process.env,
      RANK: String(rank),
      LOCAL_RANK: String(rank),
      WORLD_SIZE: String(world),
      TORCHELASTIC_RUN_ID: runId,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const each = { rank, child, code: null, at: null };
  child.on('exit', (code, signal) => {
    each.code = code ?? -constants.signals[signal];
    each.at = new Date();
    if (state === 'running' && each.code !== 0) void fail();
    else if (state === 'running' && !ranks.some(lives)) process.exit(0);
  });
  return each;
}

async function fail() {
  state = 'failing';
  await sleep((monitorSeconds * 1000) / speed);
  await close();
  // Survivors that saved and ended well are no failures.
  const failures = ranks.filter(({ code }) => code !== 0).sort((one, other) => one.at - other.at);
  logFailure({
    script: words[0],
    failures: failures.map(({ rank, child, code, at }) => ({ rank, pid: child.pid, code, at })),
  });
  process.exit(1);
}

async function interrupt() {
  if (state !== 'running') return;
  state = 'interrupted';
  logDeathSignal();
  await close();
  logSignalException();
  process.exit(1);
}

/** TERM, and KILL for whoever is left after 30 s. */
async function close() {
  for (const { child } of ranks.filter(lives)) {
    logClosing(child.pid);
    closeRank(child);
  }
  const latest = Date.now() + Math.max(leastCloseMs, (closeSeconds * 1000) / speed);
  while (ranks.some(lives) && Date.now() < latest) await sleep(20);
  for (const { child } of ranks.filter(lives)) {
    logForced(child.pid);
    child.kill('SIGKILL');
  }
  while (ranks.some(lives)) await sleep(5);
}

function lives({ code }) {
  return code === null;
}
