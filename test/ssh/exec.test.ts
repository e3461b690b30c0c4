import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { HostRefused } from '../../src/errors.ts';
import { line } from '../../src/shell/script.ts';
import { run, stream } from '../../src/ssh/exec.ts';
import { enter, entrance, knowAt, openNetwork } from '../support/entering.ts';
import { startSshd } from '../support/sshd.ts';

const PATIENCE = { timeout: 20_000 };
const sshd = await startSshd();
const network = openNetwork([sshd.host]);
const sessions = network.host('kpro5');

afterAll(async () => {
  network.close();
  await sshd.stop();
});

const text = 'IFS= read -r vigil_file; echo $$ >"$vigil_file"; sleep 30\n';

/** Aborts the work once its script runs; returns the script's pid. */
async function abortOnce(
  name: string,
  start: (signal: AbortSignal, input: string) => Promise<unknown>,
): Promise<string> {
  const file = join(sshd.folder, name);
  const control = new AbortController();
  const failed = start(control.signal, line(file)).catch((error: unknown) => error);
  const pid = await vi.waitFor(async () => {
    const written = await readFile(file, 'utf8');
    expect(written).toMatch(/^\d+\n$/);
    return written.trim();
  }, PATIENCE);
  control.abort(new Error('enough'));
  expect(await failed).toEqual(new Error('enough'));
  return pid;
}

test('a script that says nothing is let go of at once', async () => {
  await abortOnce('run', (signal, input) => run({ sessions, script: { name: 'silent', text, input }, signal }));
  await abortOnce('stream', (signal, input) =>
    stream({ sessions, script: { name: 'silent', text, input }, signal }).next(),
  );
});

// sshd signals no session of root's.
test.skipIf(process.getuid?.() === 0)('it ends on the host, too', async () => {
  const pid = await abortOnce('ended', (signal, input) =>
    run({ sessions, script: { name: 'silent', text, input }, signal }),
  );
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), PATIENCE);
});

test('a shell that ends before anybody listens is refused with its exit code', async () => {
  const server = await startHasty(join(sshd.folder, 'host'));
  await knowAt(sshd, server.port);
  const error = await enter(entrance(sshd.host, { port: server.port }));
  await server.stop();
  expect(error).toBeInstanceOf(HostRefused);
  expect(String(error)).toContain('no usable shell (exit code 7)');
});

/** An SSH server whose shells end in the same breath as they start: all that it says of them arrives at once. */
async function startHasty(hostKey: string) {
  const server = new ssh2.Server({ hostKeys: [await readFile(hostKey)] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (request) => request.accept());
    client.on('session', (accept) => {
      accept().on('exec', (start) => {
        const channel = start();
        channel.exit(7);
        channel.end();
      });
    });
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port, stop: () => new Promise((resolve) => server.close(resolve)) };
}
