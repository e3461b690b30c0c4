import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFiles, renderFiles } from '../../../src/shell/preflight/files.ts';
import { makeFolder } from '../../support/folder.ts';
import { findBareShell, findShells, runIn, type Shell } from '../../support/shells.ts';

async function looks(shell: Shell, paths: readonly string[], folder: string) {
  const ran = await runIn(shell, renderFiles(paths, folder), { HOME: folder });
  const found = parseFiles(ran.output, paths);
  if (found === null) throw new Error(JSON.stringify(ran).slice(0, 2000));
  return [...found];
}

describe.each([...findShells(), findBareShell()])('in $name', (shell) => {
  test('each file is told by the path as it was asked for', async () => {
    const folder = makeFolder('files');
    const text = '{"ключ": "a\\\\b $(id)"}\r\n\n';
    writeFileSync(join(folder, 'config.json'), text);
    writeFileSync(join(folder, "it's $HOME *"), '');
    writeFileSync(join(folder, 'binary'), Buffer.from([1, 0, 2]));
    mkdirSync(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const size = Buffer.byteLength(text);
    const asked = ['config.json', '~/config.json', "it's $HOME *", 'binary', 'sub', 'pipe', '/nowhere/a\nb'];
    expect(await looks(shell, asked, folder)).toEqual([
      ['config.json', { kind: 'file', path: `${folder}/config.json`, size, text }],
      ['~/config.json', { kind: 'file', path: `${folder}/config.json`, size, text }],
      ["it's $HOME *", { kind: 'file', path: `${folder}/it's $HOME *`, size: 0, text: '' }],
      ['binary', { kind: 'file', path: `${folder}/binary`, size: 3, text: '\x01?\x02' }],
      ['sub', { kind: 'folder' }],
      ['pipe', { kind: 'unreadable' }],
      ['/nowhere/a\nb', { kind: 'missing' }],
    ]);
  });

  test('a file above 1 MiB is told by its size, and so is what comes after 4 MiB', async () => {
    const folder = makeFolder('large');
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) writeFileSync(join(folder, name), 'x'.repeat(1024 * 1024));
    truncateSync(join(folder, 'b'), 1024 * 1024 + 1);
    const lengths = (await looks(shell, names, folder)).map(([, look]) => look.kind === 'file' && look.text?.length);
    expect(lengths).toEqual([1024 * 1024, undefined, 1024 * 1024, 1024 * 1024, 1024 * 1024, undefined]);
  });
});
