/** Temporary folders that go with their test file. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `vigil-${name}-`));
  made.push(folder);
  return folder;
}

/** Called after each test file (support/after-file.ts). */
export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
