/** One host behind a real sshd, for the tests of a file: opened while the file is read, closed after its last test. */

import { afterAll } from 'vitest';
import { openHosts } from '../../src/ssh/hosts.ts';
import type { Host } from '../../src/tools.ts';
import { type Sshd, type SshdOptions, startSshd } from './sshd.ts';

/** `atEnd`: what closes it; a test that opens one of its own gives `onTestFinished`. */
export async function openLab(
  options: SshdOptions = {},
  atEnd: (close: () => Promise<void>) => void = afterAll,
): Promise<{ sshd: Sshd; host: Host }> {
  const sshd = await startSshd(options);
  const hosts = openHosts({ instance: 'lab', hosts: { kpro5: sshd.host }, clock: { now: Date.now } });
  atEnd(async () => {
    await hosts.close();
    await sshd.stop();
  });
  return { sshd, host: hosts.get('kpro5') };
}
