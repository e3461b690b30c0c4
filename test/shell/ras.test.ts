import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { parseRasAnswer, renderRas } from '../../src/shell/ras.ts';
import { makeFolder } from '../support/folder.ts';
import { writeProgram } from '../support/program.ts';
import { openRasServer, RAS_ANSWER } from '../support/ras-server.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

const port = await openRasServer();

/** nc's input is held open for a moment only. */
async function ask(shell: Shell, address: { host: string; port: number }): Promise<string | null> {
  const script = renderRas(address);
  const hasty = { ...script, text: script.text.replace('sleep 3', 'sleep 0.3') };
  expect(hasty.text).not.toBe(script.text);
  return parseRasAnswer((await runIn(shell, hasty)).output);
}

// Of busybox all tools are its own: it has nc, and no bash.
describe.each(findShells())('in $name', (shell) => {
  test('RAS is asked by what the host has', async () => {
    expect(await ask(shell, { host: '127.0.0.1', port })).toBe(RAS_ANSWER);
  });

  test('where nobody listens there is no answer', async () => {
    expect(await ask(shell, { host: '127.0.0.1', port: await findFreePort() })).toBeNull();
  });

  test('ncclras is asked first; one that fails leaves it to the others', async () => {
    const folder = makeFolder('ncclras');
    const own = { ...shell, path: `${folder}:${shell.path}` };
    writeProgram(folder, 'ncclras', `echo "$*" >${folder}/asked; echo by ncclras`);
    expect(await ask(own, { host: '::1', port: 7 })).toBe('by ncclras\n');
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('-v -h ::1 -p 7\n');
    writeProgram(folder, 'ncclras', 'exit 1');
    expect(await ask(own, { host: '127.0.0.1', port })).toBe(RAS_ANSWER);
  });
});
