import { wait } from '../flow/wait.ts';
import { isEnd } from '../run/run.ts';
import { probe } from './probe.ts';
import { throughOutages, type Watch } from './watch.ts';

/** Asks the server until it is ready. */
export async function watchPort(watch: Watch): Promise<void> {
  const { host, folder, inbox, clock, hostTime, apiKey, timings, signal } = watch;
  if (inbox.run().request.kind !== 'serve') return;
  let told = '';
  return throughOutages(watch, async () => {
    while (!signal.aborted && inbox.run().phase !== 'ready' && !isEnd(inbox.run().phase)) {
      const found = await probe({ host, run: inbox.run(), apiKey, folder }, signal);
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
