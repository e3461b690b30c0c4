import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { line } from '../../src/shell/script.ts';
import { makeFolder } from '../support/folder.ts';
import { exitOf, launch, launchStarted, logOf, makeSpec } from '../support/local-launch.ts';
import { findShells, runIn } from '../support/shells.ts';

const NASTY = [
  '',
  "it's",
  '"',
  '$HOME',
  '`id`',
  '*',
  'a\nb\n',
  '\n',
  '\\0101',
  '%s',
  '-n',
  '{"method":"dflash","n":15}',
  '  ',
  'é',
  '\t',
  "'$(reboot)'",
];

describe.each(findShells())('in $name', (shell) => {
  test('any word survives the way through a line', async () => {
    const list = fc.sample(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...NASTY)), 500);
    const plain = list.map((word) => word.replaceAll('\0', ''));
    const script = {
      name: 'words',
      text: 'while :; do vigil_word; printf "%s\\0" "$vigil_w"; done',
      input: plain.map(line).join(''),
    };
    const { output } = await runIn(shell, script);
    expect(output).toBe(plain.map((word) => `${Buffer.from(word).toString()}\0`).join(''));
  });

  test('environment values arrive byte for byte, and nothing else is added but VIGIL_RUN', async () => {
    const environment = { TOKEN: 'a\n"b" $c\\', EMPTY: '', LC_ALL: 'C.UTF-8', IFS: 'x' };
    const spec = makeSpec({ argv: ['/usr/bin/env', '-0'], environment });
    await launchStarted(shell, spec);
    await exitOf(spec);
    const rows = logOf(spec).split('\0').filter(Boolean);
    for (const [name, value] of Object.entries(environment)) expect(rows).toContain(`${name}=${value}`);
    expect(rows).toContain(`VIGIL_RUN=${spec.run}`);
    expect(rows.filter((row) => row.startsWith('vigil_'))).toEqual([]);
  });

  test('the child has default signals, the umask of the login and no descriptors of ours', async () => {
    const spec = makeSpec({ argv: ['/bin/sh', '-c', 'grep ^SigIgn /proc/self/status; umask; ls /proc/self/fd'] });
    await launchStarted(shell, spec);
    await exitOf(spec);
    const [ignored, umask, ...descriptors] = logOf(spec).trim().split('\n');
    expect(ignored).toBe('SigIgn:\t0000000000000000');
    expect(umask).toBe(process.umask().toString(8).padStart(4, '0'));
    const inherited = execFileSync('ls', ['/proc/self/fd'], { encoding: 'utf8' }).trim().split('\n');
    expect(descriptors.sort()).toEqual(inherited.sort());
  });

  test('an exit code and a signal are told apart', async () => {
    const coded = makeSpec({ argv: ['/bin/sh', '-c', 'exit 7'] });
    await launchStarted(shell, coded);
    expect(await exitOf(coded)).toMatchObject({ code: 7, signal: null });
    const killed = makeSpec({ argv: ['/bin/sh', '-c', 'kill -KILL $$'] });
    await launchStarted(shell, killed);
    expect(await exitOf(killed)).toMatchObject({ code: null, signal: 9 });
  });

  test('a prelude runs before and argv stays words', async () => {
    const prelude = 'export GREETING="hi there"; cd / # a comment';
    const spec = makeSpec({ argv: ['sh', '-c', 'echo "$GREETING $PWD $1"', 'x', "a 'b' $c"], prelude });
    const started = await launchStarted(shell, spec);
    await exitOf(spec);
    expect(logOf(spec)).toBe("hi there / a 'b' $c\n");
    expect(started.preludeShell).toBe(shell.name === 'busybox' ? 'sh' : 'bash');
  });

  test("a prelude sees the recipe's environment as it is: its shell reads no ~/.bashrc, although it runs under sshd", async () => {
    const home = makeFolder('home');
    writeFileSync(join(home, '.bashrc'), 'echo noise\nMODE=changed\n');
    const spec = makeSpec({
      argv: ['sh', '-c', 'echo "$MODE $1"', 'x', 'word'],
      environment: { MODE: 'meant' },
      prelude: ':',
    });
    const { outcome } = await launch(shell, spec, 'c1', { HOME: home, SSH_CLIENT: '127.0.0.1 1 22' });
    expect(outcome?.kind).toBe('started');
    await exitOf(spec);
    expect(logOf(spec)).toBe('meant word\n');
  });

  test('a path with ~/ and a relative one start in the home folder', async () => {
    const home = makeFolder('home');
    const spec = makeSpec({ path: '~/.vigil/run', argv: ['pwd'], directory: 'work', log: '~/serve.log' });
    mkdirSync(join(home, 'work'));
    const { outcome } = await launch(shell, spec, 'c1', { HOME: home });
    expect(outcome).toMatchObject({ kind: 'started', started: { log: join(home, 'serve.log') } });
    await exitOf({ ...spec, path: join(home, '.vigil/run') });
    expect(readFileSync(join(home, 'serve.log'), 'utf8')).toBe(`${join(home, 'work')}\n`);
  });

  test('values stand in no file of the run folder', async () => {
    const spec = makeSpec({ argv: ['true'], environment: { HF_TOKEN: 'hf_secretvalue' } });
    await launchStarted(shell, spec);
    await exitOf(spec);
    const texts = readdirSync(spec.path, { recursive: true, withFileTypes: true }).flatMap((file) =>
      file.isFile() ? [readFileSync(join(file.parentPath, file.name), 'utf8')] : [],
    );
    expect(texts.length).toBeGreaterThan(4);
    for (const text of texts) expect(text).not.toContain('secretvalue');
    expect(readFileSync(join(spec.path, 'environment.names'), 'utf8')).toBe('HF_TOKEN\nVIGIL_RUN\n');
    expect(statSync(spec.path).mode & 0o077).toBe(0);
  });

  test('TERM to the launcher leaves the child alone and the exit record is still written', async () => {
    const spec = makeSpec({ argv: ['sleep', '60'] });
    const started = await launchStarted(shell, spec);
    process.kill(started.session, 'SIGTERM');
    process.kill(started.session, 'SIGHUP');
    expect(existsSync(`/proc/${started.main.pid}`)).toBe(true);
    process.kill(started.main.pid, 'SIGTERM');
    expect(await exitOf(spec)).toMatchObject({ code: null, signal: 15 });
  });
});
