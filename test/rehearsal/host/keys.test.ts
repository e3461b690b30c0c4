import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { makeKeys } from '../../../rehearsal/host/keys.ts';

test('every pair that is made can be read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-keys-'));
  for (let i = 0; i < 150; i++) {
    const keys = await makeKeys(join(folder, String(i)));
    for (const key of [keys.hostPrivate, keys.hostPublic, await readFile(keys.userPath, 'utf8')]) {
      expect(ssh2.utils.parseKey(key)).not.toBeInstanceOf(Error);
    }
  }
  await rm(folder, { recursive: true });
});
