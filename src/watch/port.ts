import { CommandFailed } from '../errors.ts';
import { reach } from '../flow/verify/reach.ts';
import { type Verified, verify } from '../flow/verify/verify.ts';
import { wait } from '../flow/wait.ts';
import { NotListening } from '../http.ts';
import { isEnd } from '../run/run.ts';
import { isRunningUnasked, isUnasked, whyUnasked } from '../run/unasked.ts';
import { CURL_MISSING } from '../shell/curl.ts';
import { throughOutages, type Watch } from './watch.ts';

/** Between two looks whether the log has been read as far as it stands (ms). */
const READING_MS = 20;
/** A first request may still compile kernels. */
const FIRST_MS = 120_000;
/** So often in a row a server has to complete nothing before it is told; from then on it is tried at a slower pace. */
const FAILURES_TOLD = 3;
const SLOWER = 10;

/** Asks the server until it is verified. Readiness is told after what the log says of the way there. */
export async function watchPort(watch: Watch): Promise<void> {
  const { inbox, timings, signal } = watch;
  if (inbox.run().request.kind !== 'serve') return;
  const notice = openNotices(watch);
  let failures = 0;
  return throughOutages(watch, async () => {
    while (!signal.aborted && !isEnd(inbox.run().phase)) {
      const run = inbox.run();
      // That it can't be asked its log may say only later. A server that a script starts again is verified again.
      const isOpen = run.phase !== 'ready' && run.stopBy === null && !isUnasked(run);
      if (isRunningUnasked(run)) tellUnverified(watch);
      const found = isOpen ? await look(watch, notice) : null;
      failures = found?.kind === 'fails' ? failures + 1 : 0;
      if (found !== null) tell(watch, found, failures);
      await wait(failures >= FAILURES_TOLD ? SLOWER * timings.probe : timings.probe, signal);
    }
  });
}

/** null where there is nothing to be told of it yet. */
async function look(watch: Watch, notice: (text: string) => void): Promise<Verified | null> {
  const { host, folder, inbox, clock, hostTime, terms, timings, records, signal } = watch;
  const subject = () => ({ host, folder, run: inbox.run(), terms });
  const reached = await reach(subject(), signal).catch((error: unknown) => {
    const isClosed = error instanceof CommandFailed && error.exitCode === CURL_MISSING;
    if (isClosed) notice(`Its server can't be verified: ${error.stderr}.`);
    throw error;
  });
  if (reached.kind === 'silent') return null;
  if (reached.kind === 'foreign') {
    notice(`${reached.text} The run is not counted as ready.`);
    return null;
  }
  inbox.put({ kind: 'answering', at: hostTime.read().now, seen: clock.now() });
  if (reached.kind === 'answering') return null;
  await catchUp(watch);
  const order = { by: null, accept: false, tryMs: FIRST_MS, trafficMs: timings.traffic };
  try {
    return await verify(subject(), reached, order, { records, clock });
  } catch (error) {
    if (error instanceof NotListening) return null;
    throw error;
  }
}

function tell({ inbox, clock, hostTime }: Watch, found: Verified, failures: number): void {
  const { readiness, verification, record } = found;
  const times = { at: hostTime.read().now, seen: clock.now() };
  if (found.kind === 'completes')
    inbox.put({ kind: 'verified', readiness, verification, ...(record === null ? {} : { record }), ...times });
  else if (failures >= FAILURES_TOLD) inbox.put({ kind: 'unusable', verification, ...times });
}

/** Once a run: it is as far as it will ever be known. */
function tellUnverified({ inbox, clock, hostTime }: Watch): void {
  const run = inbox.run();
  const why = whyUnasked(run);
  if (why === null || run.isToldUnverified === true) return;
  inbox.put({ kind: 'unverified', why, at: hostTime.read().now, seen: clock.now() });
}

/** Tells a thing once in a row. */
function openNotices({ inbox, clock, hostTime }: Watch): (text: string) => void {
  let told = '';
  return (text) => {
    if (text === told) return;
    told = text;
    inbox.put({ kind: 'notice', text, at: hostTime.read().now, seen: clock.now() });
  };
}

/** Waits until the log is read as far as it stands now: a watch that took over may still be behind. Not for long, since a log may have been moved. */
async function catchUp({ host, started, log, clock, timings, signal }: Watch): Promise<void> {
  const until = clock.now() + timings.contact;
  const stands = await host.peek(started.log, { from: 0, most: 0, countsLines: false }, signal);
  if (stands === null) return;
  while (!signal.aborted && log.position().offset < stands.size && clock.now() < until) await wait(READING_MS, signal);
}
