import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LaunchSpec } from '../../../src/host/launch.ts';
import type { Packages } from '../../../src/host/preflight.ts';
import { parsePackages, renderPackages } from '../../../src/shell/preflight/packages.ts';
import { makeFolder } from '../../support/folder.ts';
import { specAt } from '../../support/launch-spec.ts';
import { findShells, runIn, type Shell } from '../../support/shells.ts';

interface Asked extends Partial<LaunchSpec> {
  readonly python?: string | null;
  readonly environments?: readonly string[];
  readonly login?: Record<string, string>;
}

async function ask(shell: Shell, { python = null, environments = [], login = {}, ...more }: Asked): Promise<Packages> {
  const launch = specAt({ path: '/runs/a', run: 'a' }, { argv: ['vllm', 'serve'], ...more });
  const ran = await runIn(shell, renderPackages({ launch, python, environments }), { HOME: '/nowhere', ...login });
  const found = parsePackages(ran.output);
  if (found === null) throw new Error(JSON.stringify(ran));
  return found;
}

function write(path: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** A Python's folder with `vllm` as its program; `infos` stand in its site-packages. */
function makePrefix({ root = makeFolder('python'), version = '3.12', infos = ['vllm-0.20.1.dist-info'] } = {}): string {
  write(join(root, `bin/python${version}`), 'ELF', 0o755);
  for (const name of ['python3', 'python']) symlinkSync(`python${version}`, join(root, 'bin', name));
  write(join(root, 'bin/vllm'), `#!${root}/bin/python\nimport sys\n`, 0o755);
  addInfos(join(root, `lib/python${version}/site-packages`), infos);
  return root;
}

function addInfos(folder: string, infos: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const info of infos) mkdirSync(join(folder, info));
}

function makeVenv(cfg: string, infos?: readonly string[]): string {
  const root = makePrefix(infos === undefined ? {} : { infos: [...infos] });
  write(join(root, 'pyvenv.cfg'), cfg);
  return root;
}

const CLOSED = 'home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.3\n';
const named = ({ distributions }: Packages) => distributions.map(({ name, version }) => `${name} ${version}`).sort();

describe.each(findShells())('in $name', (shell) => {
  test('the distributions of the environment that the program stands in are told by their normal names', async () => {
    const infos = [
      'vllm-0.20.1rc1.dev5+gabc123.d20260101.dist-info',
      'Flash_Attn-2.8.3.dist-info',
      'flash_attn_4-4.0.0b5.dist-info',
      'nvidia_nccl_cu12-2.27.5.dist-info',
      'huggingface.hub-1.19.0.dist-info',
      'old_thing-1.2-py3.12.egg-info',
      '~orch-2.9.0.dist-info',
    ];
    const venv = makeVenv(CLOSED, infos);
    const found = await ask(shell, { argv: [join(venv, 'bin/vllm'), 'serve'] });
    expect(found).toMatchObject({
      python: join(venv, 'bin/python'),
      why: null,
      folders: [join(venv, 'lib/python3.12/site-packages')],
      flashAttn: null,
    });
    expect(named(found)).toEqual([
      'flash-attn 2.8.3',
      'flash-attn-4 4.0.0b5',
      'huggingface-hub 1.19.0',
      'nvidia-nccl-cu12 2.27.5',
      'old-thing 1.2',
      'vllm 0.20.1rc1.dev5+gabc123.d20260101',
    ]);
  });

  test.each<[string, (venv: string) => Asked]>([
    ['its full path', (venv) => ({ argv: [join(venv, 'bin/vllm')] })],
    ['a path from the working directory', (venv) => ({ argv: ['bin/vllm'], directory: venv })],
    ['the PATH of the recipe', (venv) => ({ environment: { PATH: `/nowhere:${venv}/bin` } })],
    ['the PATH of the login', (venv) => ({ argv: ['../bin/vllm'], directory: join(venv, 'lib') })],
    ['an environment of the prelude', (venv) => ({ environments: [venv] })],
    ['the last of two environments', (venv) => ({ environments: [makeVenv(CLOSED), venv] })],
    ['itself, as a Python', (venv) => ({ argv: [join(venv, 'bin/python'), '-m', 'vllm.entrypoints'] })],
    ['a Python on the PATH', (venv) => ({ argv: ['python', '-m', 'vllm'], environments: [venv] })],
    ['what wraps it', (venv) => ({ argv: ['env', 'A=b', join(venv, 'bin/vllm'), 'serve'] })],
    ['the recipe', (venv) => ({ argv: ['no-such-program'], python: join(venv, 'bin/python') })],
    ['the recipe, below home', (venv) => ({ argv: ['x'], python: '~/bin/python', login: { HOME: venv } })],
  ])('a Python is found by %s', async (_, asked) => {
    const venv = makeVenv(CLOSED);
    const found = await ask(shell, asked(venv));
    expect(found.python).toBe(join(venv, 'bin/python'));
    expect(named(found)).toEqual(['vllm 0.20.1']);
  });

  test.each<[string, (venv: string) => string]>([
    ['env', () => '#!/usr/bin/env python3\n'],
    ['env with options', () => '#!/usr/bin/env -S PYTHONUNBUFFERED=1 python3 -u\n'],
    ['an option behind it', (venv) => `#! ${venv}/bin/python3 -I\n`],
    ["pip's long line", (venv) => `#!/bin/sh\n'''exec' ${venv}/bin/python3 "$0" "$@"\n' '''\n`],
    ["pip's long line with a blank", (venv) => `#!/bin/sh\n'''exec' "${venv}/bin/python3" "$0" "$@"\n' '''\n`],
    ["uv's", (venv) => `#!/bin/sh\n'''exec' '${venv}/bin/python3' "$0" "$@"\n' '''\n`],
  ])('a first line names it by %s', async (_, text) => {
    const venv = makeVenv(CLOSED);
    const program = write(join(makeFolder('bin'), 'vllm'), text(venv), 0o755);
    const link = join(makeFolder('link'), 'vllm');
    symlinkSync(program, link);
    const found = await ask(shell, { argv: [link], environments: [venv] });
    expect(found.python).toBe(join(venv, 'bin/python3'));
  });

  test("uv's movable environment names its Python beside the program", async () => {
    const venv = makeVenv(CLOSED);
    const text = `#!/bin/sh\n'''exec' "$(dirname -- "$(realpath -- "$0")")"/'python' "$0" "$@"\n' '''\n`;
    write(join(venv, 'bin/vllm'), text, 0o755);
    expect((await ask(shell, { environments: [venv] })).python).toBe(join(venv, 'bin/python'));
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['a shell script', '#!/bin/bash\nvllm serve\n', /vllm` is a shell or a shell script/],
    ['a binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 10, 0]), /vllm` is no Python script/],
    [
      'a script of a Python that is gone',
      '#!/opt/gone/bin/python3\n',
      /The Python `\/opt\/gone\/bin\/python3` is not there/,
    ],
    ['a script of another language', '#!/usr/bin/env node\n', /vllm` is no Python script/],
  ])('of %s no Python is known, and why is said', async (_, text, why) => {
    const bin = makeFolder('bin');
    writeFileSync(join(bin, 'vllm'), text, { mode: 0o755 });
    const found = await ask(shell, { argv: [join(bin, 'vllm')] });
    expect(found).toMatchObject({ python: null, folders: [], distributions: [], flashAttn: null });
    expect(found.why).toMatch(why);
  });

  test('a program that is not there has no Python, and a shell none that is known', async () => {
    expect((await ask(shell, { argv: ['no-such'] })).why).toMatch(/^The program `no-such` was not found/);
    expect((await ask(shell, { argv: ['sh', 'run.sh'] })).why).toMatch(/sh` is a shell or a shell script/);
  });

  test("the system's and the user's packages count where the environment lets them in, in the order of import", async () => {
    const base = makePrefix({ infos: ['torch-2.9.0.dist-info'] });
    const home = makeFolder('home');
    const user = join(home, '.local/lib/python3.12/site-packages');
    addInfos(user, ['triton-3.6.0.dist-info']);
    addInfos(join(home, '.local/lib/python3.11/site-packages'), ['triton-2.0.0.dist-info']);
    const venv = makeVenv(`home = ${base}/bin\ninclude-system-site-packages = true\nversion_info = 3.12.3.final.0`);
    const login = { HOME: home };
    const own = join(venv, 'lib/python3.12/site-packages');
    const systems = join(base, 'lib/python3.12/site-packages');
    expect((await ask(shell, { environments: [venv], login })).folders).toEqual([own, user, systems]);
    const without = { environment: { PYTHONNOUSERSITE: '1' } };
    expect((await ask(shell, { environments: [venv], login, ...without })).folders).toEqual([own, systems]);
    write(join(venv, 'pyvenv.cfg'), CLOSED);
    expect((await ask(shell, { environments: [venv], login })).folders).toEqual([own]);
    const bare = await ask(shell, { argv: [join(base, 'bin/vllm')], login });
    expect(bare.folders).toEqual([user, systems]);
    expect(named(bare)).toEqual(['torch 2.9.0', 'triton 3.6.0']);
  });

  test("the system's Python has what was installed beside it before its own", async () => {
    const root = makeFolder('root');
    makePrefix({ root: join(root, 'usr') });
    const local = join(root, 'usr/local/lib/python3.12/dist-packages');
    addInfos(local, ['torch-2.9.0.dist-info']);
    const launch = specAt({ path: '/runs/a', run: 'a' }, { argv: [join(root, 'usr/bin/vllm')] });
    const script = renderPackages({ launch, python: null, environments: [] });
    const moved = { ...script, text: script.text.replaceAll(' /usr', ` ${root}/usr`) };
    const { output } = await runIn(shell, moved, { HOME: '/nowhere' });
    expect(parsePackages(output)?.folders).toEqual([local, join(root, 'usr/lib/python3.12/site-packages')]);
  });

  test('a Python that is a shell script, as a version manager has it, says nothing of its packages', async () => {
    const bin = makeFolder('shims');
    write(join(bin, 'python3'), '#!/usr/bin/env bash\n', 0o755);
    const found = await ask(shell, { argv: ['python3', '-m', 'vllm'], environment: { PATH: bin } });
    expect(found).toMatchObject({ python: null, why: expect.stringContaining('python3` is a shell') });
  });

  test("a distribution's Python has its packages in dist-packages, and lib64 is no second folder where it is a link", async () => {
    const root = makePrefix();
    addInfos(join(root, 'lib/python3/dist-packages'), ['torch-2.9.0.dist-info']);
    symlinkSync('lib', join(root, 'lib64'));
    expect((await ask(shell, { argv: [join(root, 'bin/vllm')] })).folders).toEqual([
      join(root, 'lib/python3.12/site-packages'),
      join(root, 'lib/python3/dist-packages'),
    ]);
  });

  test('what stands in the module flash_attn is told, of the folder that import takes', async () => {
    const venv = makeVenv(CLOSED);
    const site = join(venv, 'lib/python3.12/site-packages');
    mkdirSync(join(site, 'flash_attn/cute'), { recursive: true });
    expect((await ask(shell, { environments: [venv] })).flashAttn).toEqual(['cute']);
    write(join(venv, 'lib64/python3.12/site-packages/flash_attn/__init__.py'), '');
    expect((await ask(shell, { environments: [venv] })).flashAttn).toEqual(['__init__.py']);
  });
});

test('an answer that was cut off is none', () => {
  expect(parsePackages('python /usr/bin/python3\0')).toBeNull();
});
