import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HubId, HubLook } from '../../../src/host/preflight.ts';
import { parseHub, renderHub } from '../../../src/shell/preflight/hub.ts';
import { makeFolder } from '../../support/folder.ts';
import { writeSafetensors } from '../../support/safetensors.ts';
import { findShells, runIn, type Shell } from '../../support/shells.ts';

const COMMIT = 'a'.repeat(40);
const MODEL: HubId = { id: 'Qwen/Qwen3.6-27B', revision: 'main' };
const SECRET = 'hf_do_not_tell_anybody_this';

async function look(
  shell: Shell,
  {
    hub = [MODEL],
    environment = {},
    login = {},
  }: { hub?: HubId[]; environment?: Record<string, string>; login?: Record<string, string> },
): Promise<ReadonlyMap<string, HubLook>> {
  const script = renderHub(hub, environment);
  const ran = await runIn(shell, script, login);
  expect(script.input + ran.output).not.toContain(SECRET);
  const found = parseHub(ran.output, hub);
  if (found === null) throw new Error(JSON.stringify(ran));
  return found;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A cache with one snapshot of the model, laid out as huggingface_hub does. */
function makeCache(folder = makeFolder('cache')): string {
  const model = join(folder, 'models--Qwen--Qwen3.6-27B');
  write(join(model, 'refs/main'), COMMIT);
  write(join(model, 'refs/refs/pr/1'), COMMIT);
  write(join(model, 'blobs/c0ffee'), '{}');
  writeSafetensors(join(model, 'blobs/beef'), { bytes: 5000 });
  write(join(model, 'blobs/d00d.incomplete'), 'xyz');
  mkdirSync(join(model, 'snapshots', COMMIT), { recursive: true });
  symlinkSync('../../blobs/c0ffee', join(model, 'snapshots', COMMIT, 'config.json'));
  symlinkSync('../../blobs/beef', join(model, 'snapshots', COMMIT, 'model.safetensors'));
  return folder;
}

describe.each(findShells())('in $name', (shell) => {
  test.each(['main', 'refs/pr/1', COMMIT])(
    'a model that is cached as %s is told with its snapshot',
    async (revision) => {
      const cache = makeCache();
      const hub = [{ ...MODEL, revision }];
      const found = (await look(shell, { hub, environment: { HF_HUB_CACHE: cache } })).get(MODEL.id);
      expect(found).toMatchObject({
        cache,
        snapshot: {
          kind: 'model',
          path: join(cache, 'models--Qwen--Qwen3.6-27B/snapshots', COMMIT),
          weights: [
            { name: 'model.safetensors', headerLength: expect.any(Number), header: expect.stringContaining('"w"') },
          ],
          config: '{}',
        },
        partial: [{ name: 'd00d.incomplete', size: 3, age: expect.any(Number) }],
      });
    },
  );

  test('what is not cached, or in another revision only, has no snapshot', async () => {
    const cache = makeCache();
    const hub = [
      { ...MODEL, revision: 'b'.repeat(40) },
      { id: 'Qwen/other', revision: 'main' },
    ];
    const found = await look(shell, { hub, environment: { HF_HUB_CACHE: cache } });
    expect([...found.values()].map(({ snapshot, partial }) => [snapshot, partial.length])).toEqual([
      [null, 1],
      [null, 0],
    ]);
  });

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['HF_HUB_CACHE', { HF_HUB_CACHE: '/a', HF_HOME: '/b' }, { HF_HUB_CACHE: '/c' }, '/a'],
    ['HUGGINGFACE_HUB_CACHE', { HUGGINGFACE_HUB_CACHE: '/a' }, { HF_HOME: '/c' }, '/a'],
    ["the login's HF_HOME", {}, { HF_HOME: '/c' }, '/c/hub'],
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x' }, {}, '/x/huggingface/hub'],
    ['home', {}, {}, '/h/.cache/huggingface/hub'],
  ])('the cache is where %s says', async (_, environment, login, cache) => {
    const found = await look(shell, { environment, login: { HOME: '/h', ...login } });
    expect(found.get(MODEL.id)).toEqual({ cache, snapshot: null, partial: [], token: null });
  });

  test('a token is told by where it was found, never by its value', async () => {
    const home = makeFolder('home');
    const tokenOf = async (environment: Record<string, string>, login: Record<string, string> = {}) =>
      (await look(shell, { environment, login: { HOME: home, ...login } })).get(MODEL.id)?.token;
    const file = join(home, 'hf/token');
    write(file, '');
    expect(await tokenOf({ HF_HOME: join(home, 'hf') })).toBeNull();
    write(file, SECRET);
    expect(await tokenOf({})).toBeNull();
    expect(await tokenOf({ HF_HOME: join(home, 'hf') })).toBe('file');
    expect(await tokenOf({}, { HF_HOME: join(home, 'hf') })).toBe('file');
    expect(await tokenOf({ HF_TOKEN_PATH: file })).toBe('file');
    expect(await tokenOf({ HF_TOKEN: SECRET })).toBe('environment');
    expect(await tokenOf({}, { HUGGING_FACE_HUB_TOKEN: SECRET })).toBe('environment');
    write(join(home, '.cache/huggingface/token'), SECRET);
    expect(await tokenOf({})).toBe('file');
  });
});
