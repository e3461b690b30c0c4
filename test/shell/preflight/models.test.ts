import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelLook } from '../../../src/host/preflight.ts';
import { parseModels, renderModels } from '../../../src/shell/preflight/models.ts';
import { makeFolder } from '../../support/folder.ts';
import { asNobody } from '../../support/plain-user.ts';
import { writeSafetensors, writeShards } from '../../support/safetensors.ts';
import { findBareShell, findShells, runIn, type Shell } from '../../support/shells.ts';

const GIB = 1024 ** 3;

async function looks(shell: Shell, paths: readonly string[], directory: string | null = null) {
  const ran = await runIn(shell, renderModels(paths, directory), { HOME: directory ?? '/' });
  const found = parseModels(ran.output, paths);
  if (found === null) throw new Error(JSON.stringify(ran).slice(0, 2000));
  return found;
}

type Folder = ModelLook & { readonly kind: 'model' };

async function look(shell: Shell, folder: string): Promise<Folder> {
  const found = (await looks(shell, [folder])).get(folder);
  if (found?.kind !== 'model') throw new Error(JSON.stringify(found));
  return found;
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('a model is told by its headers, its index and its config, however large its weights are', async () => {
    const folder = makeFolder('model');
    const first = writeSafetensors(join(folder, 'model-1.safetensors'), { bytes: 5 * GIB, names: ['ключ', 'b'] });
    const second = writeSafetensors(join(folder, 'model-2.safetensors'), { bytes: 9, size: 30 });
    const map = { a: 'model-1.safetensors', b: 'model-2.safetensors', c: 'model-1.safetensors' };
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map: map }));
    writeFileSync(join(folder, 'config.json'), '{"hidden_size":\n5120}\n');
    mkdirSync(join(folder, '1_Pooling'));
    const link = join(makeFolder('link'), 'model');
    symlinkSync(folder, link);
    const found = await look(shell, link);
    expect(found).toMatchObject({
      path: folder,
      index: ['model-1.safetensors', 'model-2.safetensors'],
      config: '{"hidden_size":\n5120}\n',
      partial: [],
    });
    expect([...found.names].sort()).toEqual([
      'config.json',
      'model-1.safetensors',
      'model-2.safetensors',
      'model.safetensors.index.json',
    ]);
    const length = Buffer.byteLength(first);
    expect(found.weights).toEqual([
      {
        name: 'model-1.safetensors',
        size: 8 + length + 5 * GIB,
        first: expect.stringContaining('\0\0\0{"__metadata__"'),
        headerLength: length,
        header: first,
      },
      {
        name: 'model-2.safetensors',
        size: 30,
        first: expect.anything(),
        headerLength: second.length,
        header: second.slice(0, 22),
      },
    ]);
  });

  test('what stands in the place of weights shows itself: a pointer, a page, nothing, a link to nowhere', async () => {
    const folder = makeFolder('broken');
    const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
    write('a.safetensors', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n');
    write('b.safetensors', '<!DOCTYPE html>');
    write('c.safetensors', '');
    symlinkSync('/nowhere/at all', join(folder, 'd.safetensors'));
    write('config.json', '{"a":\0 1}');
    write('f.safetensors', Buffer.from([5, 0, 0, 0, 0, 0, 0, 0, 123, 0, 0, 125, 125, 9]));
    write('e.bin', Buffer.from([128, 2, 0, 255, 10]));
    write('model.safetensors.index.json', '{"weight_map": {');
    const { weights, index, config } = await look(shell, folder);
    expect(
      weights.map(({ name, size, first, headerLength, header }) => [name, size, first, headerLength, header]),
    ).toEqual([
      ['a.safetensors', 63, 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n', null, ''],
      ['b.safetensors', 15, '<!DOCTYPE html>', null, ''],
      ['c.safetensors', 0, '', null, ''],
      ['d.safetensors', null, '', null, ''],
      ['e.bin', 5, '\x80\x02\0\xff\n', null, ''],
      ['f.safetensors', 14, '\x05\0\0\0\0\0\0\0{\0\0}}\t', 5, '{}}'],
    ]);
    expect([index, config]).toEqual(['broken', '{"a": 1}']);
  });

  test('of a long header its end is told', async () => {
    const folder = makeFolder('long');
    const names = Array.from({ length: 6000 }, (_, at) => `layers.${at}.weight`);
    const header = writeSafetensors(join(folder, 'm.safetensors'), { bytes: 7 * GIB, names });
    const [weight] = (await look(shell, folder)).weights;
    expect(header.length).toBeGreaterThan(256 * 1024);
    expect(weight?.headerLength).toBe(header.length);
    expect(weight?.header === header.slice(-256 * 1024)).toBe(true);
  });

  test('many long headers are told with shorter ends, and a long index by its files', async () => {
    const folder = makeFolder('shards');
    const names = writeShards(folder, { count: 20, bytes: GIB, tensors: 2300 });
    const map = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, at) => [`layer ${at} {",: ${'x'.repeat(60)}`, names[at % 20]]),
    );
    const index = join(folder, 'model.safetensors.index.json');
    writeFileSync(index, JSON.stringify({ metadata: { total_size: 5 }, weight_map: map }, null, 2));
    const found = await look(shell, folder);
    expect(found.index).toEqual(names);
    expect(found.weights).toHaveLength(20);
    const kept = (4 * 1024 * 1024) / 20;
    for (const { header, headerLength } of found.weights) {
      expect([header.endsWith('}}'), header.length]).toEqual([true, Math.floor(kept)]);
      expect(headerLength).toBeGreaterThan(kept);
    }
    const cut = makeFolder('cut');
    writeFileSync(join(cut, 'model.safetensors.index.json'), JSON.stringify({ weight_map: map }, null, 2).slice(0, -5));
    expect((await look(shell, cut)).index).toBe('broken');
  });

  test('what downloads have left is told with its age', async () => {
    const folder = makeFolder('partial');
    const deep = join(folder, '.cache/huggingface/download/sub');
    mkdirSync(deep, { recursive: true });
    const old = Date.now() / 1000 - 3600;
    for (const [path, bytes] of [
      [join(folder, 'a.part'), 3],
      [join(deep, 'x.1a.incomplete'), 7],
    ] as const) {
      writeFileSync(path, 'x'.repeat(bytes));
      utimesSync(path, old, old);
    }
    const { partial } = await look(shell, folder);
    expect(partial.map(({ name, size }) => [name, size])).toEqual([
      ['a.part', 3],
      ['.cache/huggingface/download/sub/x.1a.incomplete', 7],
    ]);
    for (const { age } of partial) expect(Math.abs(age - 3600)).toBeLessThan(300);
  });

  test('paths start where the launch does, and what is no folder is said', async () => {
    const folder = makeFolder('places');
    mkdirSync(join(folder, "a b'c"));
    writeFileSync(join(folder, 'one.gguf'), 'x');
    const found = await looks(shell, ["a b'c", './one.gguf', '~/none'], folder);
    expect([...found].map(([path, { kind }]) => [path, kind])).toEqual([
      ["a b'c", 'model'],
      ['./one.gguf', 'file'],
      ['~/none', 'missing'],
    ]);
  });
});

test('a folder that the user may not read is told as such', async () => {
  const [shell] = findShells();
  if (shell === undefined) throw new Error('no shell');
  const folder = makeFolder('roots');
  chmodSync(folder, 0o700);
  const ran = await runIn(asNobody(shell, { hidepid: false }), renderModels([folder], null));
  expect(parseModels(ran.output, [folder])?.get(folder)).toEqual({ kind: 'unreadable' });
});

test('an answer that was cut off is none', () => {
  expect(parseModels('model 0\0kind missing\0', ['/a'])).toBeNull();
});
