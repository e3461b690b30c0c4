/** The real ssh client with a configuration of the test's own: an `ssh` in front of it on the PATH. */

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export interface SshClient {
  /** What stands in ~/.ssh/config for it. */
  configure(text: string): Promise<void>;
}

/** For this test file and the processes that it starts, until its end. */
export async function useSshClient(folder: string): Promise<SshClient> {
  const bin = join(folder, 'bin');
  const config = join(folder, 'ssh_config');
  const ssh = execFileSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).trim();
  await mkdir(bin);
  await writeFile(config, '');
  await writeFile(join(bin, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${config} "$@"\n`);
  await chmod(join(bin, 'ssh'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${bin}:${before}`;
  afterAll(() => {
    process.env.PATH = before;
  });
  return { configure: (text) => writeFile(config, text) };
}
