/** A host that vanishes without a word: a network namespace of its own, whose link goes down. Needs root's rights, else it is skipped. */

import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/errors.ts';
import { stream } from '../../src/ssh/exec.ts';
import { openNetwork, visit } from '../support/entering.ts';
import { startSshd } from '../support/sshd.ts';

const NAME = `vigil${process.pid}`;
/** RFC 2544's addresses, which nobody routes. */
const HERE = '198.18.77.1';
const THERE = '198.18.77.2';
const PREFIX = ['ip', 'netns', 'exec', NAME];

/** The link between here and there, or null where this user may make none. */
function layCable(): { cut: () => void; mend: () => void; remove: () => void } | null {
  if (spawnSync('ip', ['netns', 'add', NAME]).status !== 0) return null;
  const ip = (...words: string[]) => execFileSync('ip', words);
  const [near, far] = [`v${process.pid}a`, `v${process.pid}b`];
  const remove = () => execFileSync('ip', ['netns', 'del', NAME]);
  try {
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', NAME);
    ip('addr', 'add', `${HERE}/30`, 'dev', near);
    ip('-n', NAME, 'addr', 'add', `${THERE}/30`, 'dev', far);
    ip('link', 'set', near, 'up');
    ip('-n', NAME, 'link', 'set', far, 'up');
    ip('-n', NAME, 'link', 'set', 'lo', 'up');
    return {
      cut: () => ip('-n', NAME, 'link', 'set', far, 'down'),
      mend: () => ip('-n', NAME, 'link', 'set', far, 'up'),
      remove,
    };
  } catch {
    // Containers may have namespaces and no right to links.
    remove();
    return null;
  }
}

const cable = layCable();
afterAll(() => cable?.remove());

test.skipIf(cable === null)(
  'a host that vanished is found out, and is back by the next use after its return',
  async () => {
    const sshd = await startSshd({ place: { address: THERE, prefix: PREFIX } });
    const network = openNetwork([sshd.host], { keepalive: 500, connect: 500 });
    const sessions = network.host('kpro5');
    const text = 'while sleep 0.1; do echo; done';
    const held = stream({
      sessions,
      script: { name: 'forever', text, input: '' },
      signal: new AbortController().signal,
    });
    await held.next();
    cable?.cut();
    const read = async () => {
      for await (const _ of held);
    };
    const [ended, asked] = await Promise.all([read().catch((error: unknown) => error), visit(sessions)]);
    for (const error of [ended, asked]) {
      expect(error).toBeInstanceOf(HostUnreachable);
      expect(String(error)).toContain('The connection to kpro5 was lost');
    }
    expect(String(await visit(sessions))).toMatch(/kpro5 can't be reached at 198\.18\.77\.2:\d+ \(/);
    cable?.mend();
    await vi.waitFor(async () => expect(await visit(sessions)).toBeNull(), { timeout: 30_000, interval: 250 });
    network.close();
    await sshd.stop();
  },
);
