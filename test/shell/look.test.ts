import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseLook, renderLook } from '../../src/shell/look.ts';
import { makeFolder } from '../support/folder.ts';
import { findBareShell, findShells, runIn, type Shell } from '../support/shells.ts';

const ODD = [
  'a b.log',
  "it's.log",
  '"q".log',
  'two\nlines.log',
  'end\n',
  '$(touch x).log',
  '-n.log',
  'é.log',
  'a*[b]?.log',
];

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function look(shell: Shell, path: string, globs: readonly string[], environment = {}) {
  const { output, stderr } = await runIn(shell, renderLook({ path, globs }), environment);
  const seen = parseLook(output);
  if (seen === null) throw new Error(JSON.stringify([output, stderr]));
  return seen;
}

/** As the kernel names it: the temporary folder itself may be behind a link. */
function folderOf(name: string): string {
  return realpathSync(makeFolder(name));
}

function write(folder: string, name: string, text = 'a line\n'): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('a log that a glob matches is told with what identifies it', async () => {
    const folder = folderOf('look');
    const log = write(join(folder, 'one', 'logs'), 'run.log', 'x'.repeat(300));
    const seen = await look(shell, log, ['/nowhere/*', `${folder}/*/logs/*.log`]);
    expect(seen).toMatchObject({ kind: 'log', path: log, size: 300, generation: { summed: 256 } });
    if (seen.kind !== 'log') throw new Error('refused');
    expect(seen.generation.inode).toMatch(/^\d+$/);
    expect(Math.abs(seen.now - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(seen.modified - Date.now())).toBeLessThan(60_000);
    expect(seen.facts.bootId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('any name is taken as it is, and nothing in a name is run', async () => {
    const folder = folderOf('look of "$(touch z)"');
    for (const name of ODD) write(folder, name);
    for (const name of ODD) {
      const path = join(folder, name);
      expect(await look(shell, path, [`${folder}/*`])).toMatchObject({ kind: 'log', path });
    }
    expect(readdirSync(folder)).toHaveLength(ODD.length);
  });

  test('~/ is the home folder, in the path and in the globs, whatever it is called', async () => {
    const home = join(folderOf('home'), 'h[o]me *');
    const log = write(join(home, 'logs'), 'vllm.log');
    const environment = { HOME: home };
    for (const path of ['~/logs/vllm.log', log])
      expect(await look(shell, path, ['~/logs/*.log'], environment)).toMatchObject({ kind: 'log', path: log });
    expect(await look(shell, '~/logs/vllm.log', ['~/*.log'], environment)).toMatchObject({ why: 'outside', real: log });
  });

  test('a star stands for one name, and never for a hidden one', async () => {
    const folder = folderOf('look');
    const deep = write(join(folder, 'a', 'b'), 'x.log');
    const hidden = write(folder, '.x.log');
    expect(await look(shell, deep, [`${folder}/*`, `${folder}/*.log`])).toMatchObject({ why: 'outside' });
    expect(await look(shell, hidden, [`${folder}/*`])).toMatchObject({ why: 'outside' });
    expect(await look(shell, deep, [`${folder}/?/[a-c]/x.log`])).toMatchObject({ kind: 'log' });
    expect(await look(shell, deep, [deep])).toMatchObject({ kind: 'log' });
  });

  test('what counts is where a path leads: two dots and links out of the globs are refused with their real path', async () => {
    const folder = folderOf('look');
    const secret = write(join(folder, 'secret'), 'key');
    const logs = join(folder, 'logs');
    write(logs, 'run.log');
    symlinkSync(secret, join(logs, 'link.log'));
    mkdirSync(join(folder, 'runs'));
    symlinkSync(join(folder, 'secret'), join(folder, 'runs', 'one'));
    const globs = [`${logs}/*`, `${folder}/runs/*/key`];
    for (const path of [`${logs}/../secret/key`, `${logs}/link.log`, `${folder}/runs/one/key`, secret])
      expect(await look(shell, path, globs)).toEqual({ kind: 'refused', why: 'outside', real: secret });
  });

  test('a link into the globs is followed to the real path, and so are the folders that a glob itself names', async () => {
    const folder = folderOf('look');
    const log = write(join(folder, 'disk', 'one'), 'run.log');
    symlinkSync(join(folder, 'disk'), join(folder, 'workspace'));
    symlinkSync(log, join(folder, 'latest.log'));
    const globs = [`${folder}/workspace/*/run.log`];
    for (const path of [
      `${folder}/workspace/one/run.log`,
      `${folder}/latest.log`,
      `${folder}//disk/./one/run.log`,
      log,
    ])
      expect(await look(shell, path, globs)).toMatchObject({ kind: 'log', path: log });
  });

  test('what is no regular file is refused by name, and never opened', async () => {
    const folder = folderOf('look');
    execFileSync('busybox', ['mkfifo', join(folder, 'pipe')]);
    const server = createServer().listen(join(folder, 'socket'));
    closers.push(() => server.close());
    await expect.poll(() => readdirSync(folder)).toContain('socket');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    const globs = [`${folder}/*`, '/dev/*', '/proc/self/*'];
    const whyOf = async (path: string) => {
      const seen = await look(shell, path, globs);
      return seen.kind === 'refused' ? seen.why : seen.kind;
    };
    expect(await whyOf(folder)).toBe('folder');
    expect(await whyOf(join(folder, 'pipe'))).toBe('pipe');
    expect(await whyOf(join(folder, 'socket'))).toBe('pipe');
    expect(await whyOf('/dev/null')).toBe('device');
    expect(await whyOf('/proc/self/environ')).toBe('kernel');
    expect(await whyOf('/sys/kernel/mm/transparent_hugepage/enabled')).toBe('kernel');
    expect(await whyOf(join(folder, 'dangling'))).toBe('missing');
    expect(await whyOf(join(folder, 'gone.log'))).toBe('missing');
    expect(await whyOf(join(folder, 'gone', 'x.log'))).toBe('missing');
  });

  test('without globs nothing may be watched', async () => {
    const log = write(folderOf('look'), 'run.log');
    expect(await look(shell, log, [])).toEqual({ kind: 'refused', why: 'outside', real: log });
  });
});

test('a name that leads elsewhere from one moment to the next never makes one file pass for another', async () => {
  const folder = folderOf('look');
  const secret = write(join(folder, 'secret'), 'key', 'secret');
  const log = write(join(folder, 'logs'), 'run.log', 'log');
  const path = join(folder, 'logs', 'now.log');
  const script = `while :; do ln -sfn "$1" "$3"; ln -sfn "$2" "$3"; done`;
  const flipper = spawn('sh', ['-c', script, 'sh', secret, log, path], { stdio: 'ignore' });
  closers.push(() => flipper.kill('SIGKILL'));
  await expect.poll(() => readdirSync(join(folder, 'logs'))).toContain('now.log');
  const [dash] = findShells();
  if (dash === undefined) throw new Error('no shell');
  const found = new Set<string>();
  for (let turn = 0; turn < 20; turn++) {
    const seen = await look(dash, path, [`${folder}/logs/*`]);
    found.add(seen.kind === 'log' ? `${seen.path} ${seen.size}` : `${seen.why} ${seen.real}`);
  }
  const allowed = [`${log} 3`, `outside ${secret}`, 'missing null'];
  expect([...found].filter((what) => !allowed.includes(what))).toEqual([]);
});

test('a file that the SSH user may not read is told as such', async () => {
  const folder = folderOf('look');
  const log = write(folder, 'theirs.log');
  chmodSync(log, 0o600);
  chmodSync(folder, 0o755);
  const [dash] = findShells();
  if (dash === undefined) throw new Error('no shell');
  const script = renderLook({ path: log, globs: [`${folder}/*`] });
  const { output } = await runIn(asNobody(dash), script);
  expect(parseLook(output)).toEqual({ kind: 'refused', why: 'unreadable', real: null });
});

/** The same shell, run by the user nobody. */
function asNobody(shell: Shell): Shell {
  const folder = makeFolder('nobody');
  writeFileSync(
    join(folder, 'sh'),
    `#!/bin/bash\nPATH=${shell.path}\nexec setpriv --reuid 65534 --regid 65534 --clear-groups sh "$@"\n`,
    { mode: 0o755 },
  );
  chmodSync(folder, 0o755);
  return { name: 'nobody', path: `${folder}:${shell.path}` };
}
