import { wait } from '../flow/wait.ts';
import { isEnd } from '../run/run.ts';
import { probe } from './probe.ts';
import { throughOutages, type Watch } from './watch.ts';

/** Between two looks whether the log has been read as far as it stands (ms). */
const READING_MS = 20;

/** Asks the server until it is ready. Readiness is told after what the log says of the way there. */
export async function watchPort(watch: Watch): Promise<void> {
  const { host, folder, inbox, clock, hostTime, apiKey, timings, signal } = watch;
  if (inbox.run().request.kind !== 'serve') return;
  let told = '';
  return throughOutages(watch, async () => {
    while (!signal.aborted && inbox.run().phase !== 'ready' && !isEnd(inbox.run().phase)) {
      const found = await probe({ host, run: inbox.run(), apiKey, folder }, signal);
      if (found.kind === 'ready') await catchUp(watch);
      const times = { at: hostTime.read().now, seen: clock.now() };
      if (found.kind === 'answering') inbox.put({ kind: 'answering', ...times });
      if (found.kind === 'ready') inbox.put({ kind: 'verified', readiness: found.readiness, ...times });
      if (found.kind === 'foreign' && found.text !== told) {
        told = found.text;
        inbox.put({ kind: 'notice', text: found.text, ...times });
      }
      await wait(timings.probe, signal);
    }
  });
}

/** Waits until the log is read as far as it stands now: a watch that took over may still be behind. Not for long, since a log may have been moved. */
async function catchUp({ host, started, log, clock, timings, signal }: Watch): Promise<void> {
  const until = clock.now() + timings.contact;
  const stands = await host.peek(started.log, { from: 0, most: 0, countsLines: false }, signal);
  if (stands === null) return;
  while (!signal.aborted && log.position().offset < stands.size && clock.now() < until) await wait(READING_MS, signal);
}
