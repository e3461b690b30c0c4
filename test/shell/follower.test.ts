import type { ChildProcess } from 'node:child_process';
import { appendFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { parseAside, parseHeader, renderFollow } from '../../src/shell/follow.ts';
import { makeFolder } from '../support/folder.ts';
import { killGroup } from '../support/processes.ts';
import { findBareShell, findShells, runIn, type Shell } from '../support/shells.ts';

const PATIENT = { timeout: 40_000, interval: 10 };
const SPELLING = '/proc/self/fd/.//./3';
const CUT = `tail: ${SPELLING}: file truncated\n`;

/** What a follower says while things happen to its log; it is ended afterwards. */
async function followIn(shell: Shell, log: string, happen: (heard: { out: string; err: string }) => Promise<void>) {
  const from = { generation: null, offset: 0 };
  const target = { path: '/nowhere/run', run: 'r', log, real: null, role: 'main', from } as const;
  const script = renderFollow(target, { how: 'resume' }, SPELLING);
  const meanwhile = async (child: ChildProcess) => {
    const heard = { out: '', err: '' };
    child.stdout?.on('data', (bytes: Buffer) => (heard.out += bytes.toString('latin1')));
    child.stderr?.on('data', (bytes: Buffer) => (heard.err += bytes.toString('latin1')));
    await happen(heard).finally(() => killGroup(child));
  };
  const { output, stderr } = await runIn(shell, script, {}, meanwhile);
  const end = output.indexOf('\n');
  return { header: parseHeader(output.slice(0, end)), text: output.slice(end + 1), asides: stderr.split('\n') };
}

// All they do is wait for looks, once a second.
describe.concurrent.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('the bytes of a log come as it grows, and where it was cut tail’s words stand', async ({ expect }) => {
    const log = join(makeFolder('follower'), 'a log');
    writeFileSync(log, 'one\n');
    const { header, text } = await followIn(shell, log, async (heard) => {
      await expect.poll(() => heard.out, PATIENT).toMatch(/one\n$/);
      appendFileSync(log, 'two\n\0end');
      await expect.poll(() => heard.out, PATIENT).toMatch(/end$/);
      truncateSync(log, 0);
      await expect.poll(() => heard.out, PATIENT).toContain(CUT);
    });
    expect(header).toMatchObject({ kind: 'opened', opening: { size: 4, offset: 0, loss: null } });
    expect(text).toBe(`one\ntwo\n\0end${CUT}`);
  });

  test('another file in its place is told once the log is quiet, and what the log began with', async ({ expect }) => {
    const log = join(makeFolder('follower'), 'a log');
    writeFileSync(log, 'one\n');
    const { asides } = await followIn(shell, log, async (heard) => {
      await expect.poll(() => heard.out, PATIENT).toMatch(/one\n$/);
      renameSync(log, `${log}.old`);
      appendFileSync(`${log}.old`, 'two\n');
      writeFileSync(log, 'another\n');
      await expect.poll(() => heard.err, PATIENT).toMatch(/^moved .*\n/m);
    });
    const [head, moved] = asides
      .map(parseAside)
      .filter((aside) => aside !== null)
      .slice(-2);
    expect(head).toMatchObject({ kind: 'head', summed: 8, size: 8 });
    const next = { inode: String(statSync(log).ino), summed: 8, isSure: true };
    expect(moved).toMatchObject({ kind: 'moved', size: 8, next });
  });
});
