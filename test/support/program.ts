import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a program of that name into a folder: shell text. Returns its path. */
export function writeProgram(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}
