import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkQuestion, WorkView } from '../../src/host/sample.ts';
import { parseWork, renderWork } from '../../src/shell/work.ts';
import { makeFolder } from '../support/folder.ts';
import { begin, lineIn, usedBy } from '../support/processes.ts';
import { writeProgram } from '../support/program.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

const MIB = 1024 * 1024;
const HUB = [{ id: 'org/model', revision: 'main' }];

async function look(
  shell: Shell,
  question: Partial<WorkQuestion>,
  environment: Record<string, string> = {},
): Promise<WorkView> {
  const whole = { folders: [], hub: [], environment: {}, pids: [], ...question };
  const { output } = await runIn(shell, renderWork(whole), environment);
  const view = parseWork(output, whole);
  if (view === null) throw new Error(`no whole answer: ${output}`);
  return view;
}

/** A cache that holds one blob of a model, and the folder that its name is given by. */
function makeCache(below: string): string {
  const folder = makeFolder('hub');
  const blobs = join(folder, below, 'models--org--model', 'blobs');
  mkdirSync(blobs, { recursive: true });
  writeFileSync(join(blobs, 'a.incomplete'), Buffer.alloc(3 * MIB, 1));
  return folder;
}

describe.each(findShells())('in $name', (shell) => {
  test('the bytes of a folder are those on disk, of a file made in its full length only what was written', async () => {
    const folder = join(makeFolder('work'), "it's $(x)\n *");
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    writeFileSync(join(folder, 'deep/er/one'), Buffer.alloc(2 * MIB, 1));
    writeFileSync(join(folder, 'sparse'), '');
    truncateSync(join(folder, 'sparse'), 900 * MIB);
    const linked = join(makeFolder('work'), 'link');
    symlinkSync(folder, linked);
    const missing = join(folder, 'missing');
    const before = Date.now();
    const { at, bytes } = await look(shell, { folders: [folder, missing, linked] });
    expect(Math.abs(at - before)).toBeLessThan(60_000);
    expect([...bytes.keys()]).toEqual([folder, missing, linked]);
    expect(bytes.get(missing)).toBeNull();
    expect(bytes.get(linked)).toBe(bytes.get(folder));
    expect(bytes.get(folder)).toBeGreaterThanOrEqual(2 * MIB);
    expect(bytes.get(folder)).toBeLessThan(2.5 * MIB);
  });

  test.each([
    ['HF_HUB_CACHE', '', ''],
    ['HUGGINGFACE_HUB_CACHE', '', ''],
    ['HF_HOME', 'hub', ''],
    ['XDG_CACHE_HOME', 'huggingface/hub', ''],
    ['HOME', '.cache/huggingface/hub', ''],
    ['HF_HOME', 'data/hub', '~/data'],
  ])('a model that comes from the hub is counted in the cache that %s names (%s)', async (name, below, value) => {
    const folder = makeCache(below);
    const environment = value === '' ? { [name]: folder } : { [name]: value, HOME: folder };
    const own = await look(shell, { hub: HUB, environment });
    expect(own.bytes.get('org/model')).toBeGreaterThanOrEqual(3 * MIB);
    const inherited = await look(shell, { hub: HUB }, environment);
    expect(inherited.bytes).toEqual(own.bytes);
    const other = await look(shell, { hub: HUB, environment: { HF_HUB_CACHE: makeFolder('empty') } }, environment);
    expect(other.bytes.get('org/model')).toBeNull();
  });

  test('what a prelude has set counts, by the process itself', async () => {
    const main = begin('exec sleep 61', { PATH: process.env.PATH, HF_HOME: makeCache('hub') });
    const environment = { HF_HOME: makeFolder('empty') };
    const { bytes } = await look(shell, { hub: HUB, environment, pids: [main] });
    expect(bytes.get('org/model')).toBeGreaterThanOrEqual(3 * MIB);
  });

  test('what a model will hold in the end is told as soon as its index is there', async () => {
    const cache = makeCache('');
    const [model, question] = [join(cache, 'models--org--model'), { hub: HUB, environment: { HF_HUB_CACHE: cache } }];
    expect((await look(shell, question)).totals).toEqual(new Map());
    for (const [commit, total] of [
      ['a', 16_381_470_720],
      ['b', 5],
    ] as const) {
      mkdirSync(join(model, 'snapshots', commit), { recursive: true });
      const index = { metadata: { total_size: total }, weight_map: { 'a.weight': 'model-00001-of-00002.safetensors' } };
      writeFileSync(join(model, 'snapshots', commit, 'model.safetensors.index.json'), JSON.stringify(index, null, 2));
    }
    expect((await look(shell, question)).totals).toEqual(new Map([['org/model', 16_381_470_720]]));
  });

  test('a model of which a file is not whole is told apart from one that is', async () => {
    const cache = makeCache('');
    const question = { hub: HUB, environment: { HF_HUB_CACHE: cache } };
    expect((await look(shell, question)).partial).toEqual(new Set(['org/model']));
    const blobs = join(cache, 'models--org--model', 'blobs');
    renameSync(join(blobs, 'a.incomplete'), join(blobs, 'a'));
    expect((await look(shell, question)).partial).toEqual(new Set());
  });

  test('a folder that takes too long to count is not told, and holds up no other', async () => {
    const [slow, quick] = [makeFolder('slow'), makeFolder('quick')];
    const tools = makeFolder('bin');
    writeProgram(tools, 'du', `case $2 in ${slow}) exec sleep 61 ;; esac; echo "12 $2"`);
    // The limit of the real script is 5 s.
    const script = renderWork({ folders: [slow, quick], hub: [], environment: {}, pids: [] });
    const hasty = { ...script, text: script.text.replace('vigil_within 5 du', 'vigil_within 1 du') };
    expect(hasty.text).not.toBe(script.text);
    const { output } = await runIn({ ...shell, path: `${tools}:${shell.path}` }, hasty);
    const view = parseWork(output, { folders: [slow, quick], hub: [] });
    expect(view?.bytes).toEqual(
      new Map([
        [slow, null],
        [quick, 12 * 1024],
      ]),
    );
  });

  test('what the host received leaves loopback out', async () => {
    const { received } = await look(shell, {});
    const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo');
    const isAlone = readFileSync('/proc/net/dev', 'utf8').trim().split('\n').length === 3;
    if (isAlone && others.length === 0) expect(received).toBeNull();
    else expect(received).toBeGreaterThanOrEqual(0);
  });

  test('a process that sleeps is told with the state that the kernel gives it, one that is gone not at all', async () => {
    const folder = makeFolder('states');
    const program = join(folder, 'odd) S 1 name');
    execFileSync('cp', [execFileSync('sh', ['-c', 'command -v sleep']).toString().trim(), program]);
    const odd = begin(`exec '${program}' 61`);
    const spin = begin(`echo $$ >${folder}/spin; while :; do :; done`);
    await lineIn(join(folder, 'spin'));
    await expect.poll(() => readFileSync(`/proc/${odd.pid}/comm`, 'utf8')).toContain('odd');
    const { states, tree } = await look(shell, {
      pids: [odd, spin, { ...odd, start: 1 }, { pid: 2 ** 22 - 3, start: 1 }],
    });
    expect(states).toEqual([
      { ...odd, state: 'S', wchan: expect.any(String), name: 'odd) S 1 name' },
      { ...spin, state: 'R', wchan: '', name: 'sh' },
    ]);
    expect(tree.map(({ pid, start }) => ({ pid, start }))).toEqual([odd, spin]);
    expect(tree[0]).toEqual({ ...odd, ...usedBy(odd.pid) });
    const wchan = readFileSync(`/proc/${odd.pid}/wchan`, 'utf8');
    expect(states[0]?.wchan).toBe(wchan === '0' ? '' : wchan);
  });
});

test('an answer that is cut off is no answer', () => {
  expect(parseWork('now 5\nnet eth0 7\n', { folders: [], hub: [] })).toBeNull();
  expect(parseWork('', { folders: [], hub: [] })).toBeNull();
});

test('received bytes are those of all interfaces but loopback, null where none is told', () => {
  const of = (output: string) => parseWork(output, { folders: [], hub: [] })?.received;
  expect(of('now 5\nnet lo 100\nnet eth0 7\nnet ib0 8\nwhole\n')).toBe(15);
  expect(of('now 5\nnet lo 100\nnet eth0 0\nwhole\n')).toBe(0);
  expect(of('now 5\nwhole\n')).toBeNull();
});
