import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import type { Hosts } from '../../src/tools.ts';
import { openRasServer, RAS_ANSWER } from '../support/ras-server.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';

const NEVER = new AbortController().signal;
const ROW = `${'x'.repeat(1000)}\n`;
const port = await openRasServer();
const endless = await openRasServer(ROW.repeat(300), { keepsOpen: true });
const mute = await openRasServer('', { keepsOpen: true });
let open: Sshd;
let closed: Sshd;
let hosts: Hosts;

beforeAll(async () => {
  open = await startSshd({ name: 'open' });
  closed = await startSshd({ name: 'closed', config: ['AllowTcpForwarding no'] });
  hosts = openHosts({ instance: 'lab', hosts: { open: open.host, closed: closed.host }, clock: { now: Date.now } });
});

afterAll(async () => {
  await hosts.close();
  await Promise.all([open.stop(), closed.stop()]);
});

describe.each([['open'], ['closed']])('on a host whose forwarding is %s', (name) => {
  test('RAS is asked, and its whole answer is read', async () => {
    expect(await hosts.get(name).ras({ host: '127.0.0.1', port }, NEVER)).toBe(RAS_ANSWER);
  });

  test('where nobody listens there is no answer', async () => {
    expect(await hosts.get(name).ras({ host: '127.0.0.1', port: await findFreePort() }, NEVER)).toBeNull();
  });
});

test('an answer that does not end is cut behind a whole line', async () => {
  const text = await hosts.get('open').ras({ host: '127.0.0.1', port: endless }, NEVER);
  expect(text?.length).toBe(Math.floor((256 * 1024) / ROW.length) * ROW.length);
  expect(text?.endsWith('x\n')).toBe(true);
});

test('whoever lets go of the question is not kept', async () => {
  const letGo = new AbortController();
  const asked = hosts.get('open').ras({ host: '127.0.0.1', port: mute }, letGo.signal);
  letGo.abort(new Error('let go'));
  await expect(asked).rejects.toThrow('let go');
});
