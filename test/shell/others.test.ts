import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { EXEC_COMMAND, findOutput, renderStdin, type Script } from '../../src/shell/script.ts';
import {
  parseHidden,
  parseLeft,
  parseRemaining,
  renderKill,
  renderLeft,
  renderRunning,
} from '../../src/shell/signal.ts';
import { begin } from '../support/processes.ts';
import { findShells, type Shell } from '../support/shells.ts';

const NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups';
const PATIENT = { timeout: 20_000, interval: 10 };
const isRoot = userInfo().uid === 0;
/** A /proc of one's own needs rights that root of a container may lack. */
const canHide = spawnSync('unshare', ['-pfm', 'mount', '-t', 'proc', '-o', 'hidepid=2', 'proc', '/proc']).status === 0;

async function runAsNobody(shell: Shell, script: Script): Promise<string> {
  return collect(shell, script, ['sh', '-c', `${NOBODY} env PATH="$1" sh -c "$2"`]);
}

/** In a namespace of processes whose /proc is mounted with these options: 1 is a shell of root, 3 its sleep, 4 a sleep of nobody. */
async function runWhere(options: string, shell: Shell, script: Script): Promise<string> {
  const begun = `sleep 61 & ${NOBODY} sleep 62 & until [ "$(stat -c %u /proc/4)" = 65534 ]; do sleep 0.01; done`;
  const text = `mount -t proc -o ${options} proc /proc && { ${begun}; ${NOBODY} env PATH="$1" sh -c "$2"; exit; }`;
  return collect(shell, script, ['unshare', '-pfm', '--kill-child', 'sh', '-c', text]);
}

async function collect(shell: Shell, script: Script, [program = '', ...words]: readonly string[]): Promise<string> {
  for (const folder of shell.path.split(':').slice(0, 1)) chmodSync(folder, 0o755);
  const child = spawn(program, [...words, 'sh', shell.path, EXEC_COMMAND]);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stdin.end(renderStdin(script, 'c0ffee'));
  await new Promise((resolve) => child.once('close', resolve));
  const bytes = Buffer.concat(output);
  const at = findOutput(bytes, 'c0ffee');
  if (at < 0) throw new Error(`the script did not run: ${bytes.toString('utf8')}`);
  return bytes.subarray(at).toString('utf8');
}

describe.each(findShells())('in $name', (shell) => {
  test.skipIf(!isRoot)("another user's process is told as such, and outlives the signals", async () => {
    const one = begin('exec sleep 61');
    await expect.poll(() => readFileSync(`/proc/${one.pid}/comm`, 'utf8'), PATIENT).toBe('sleep\n');
    expect(await runAsNobody(shell, renderKill([one], 'TERM'))).toBe('');
    expect(await runAsNobody(shell, renderKill([one], 'KILL'))).toBe('');
    const left = parseRemaining(await runAsNobody(shell, renderRunning([one])));
    expect(left).toEqual([{ ...one, parent: process.pid, state: 'S', isOurs: false }]);
    expect(parseLeft(await runAsNobody(shell, renderLeft([one])))).toEqual([
      { pid: one.pid, state: 'S', user: 'root', isOurs: false, command: 'sleep 61' },
    ]);
  });

  test.skipIf(!canHide)('where /proc hides them, the known number of one is told as hidden', async () => {
    const known = [3, 4, 4000].map((pid) => ({ pid, start: 7 }));
    const hidden = async (options: string) => parseHidden(await runWhere(options, shell, renderRunning(known)));
    expect(await hidden('hidepid=2')).toEqual([known[0]]);
    expect(await hidden('hidepid=1')).toEqual([known[0]]);
    expect(await hidden('hidepid=0')).toEqual([]);
  });
});
