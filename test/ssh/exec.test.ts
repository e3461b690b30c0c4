import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { line } from '../../src/shell/script.ts';
import { run, stream } from '../../src/ssh/exec.ts';
import { openNetwork } from '../support/entering.ts';
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
