/** The shells that a host may have, for running a script without SSH. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXEC_COMMAND, findOutput, renderStdin, type Script } from '../../src/shell/script.ts';
import { makeFolder } from './folder.ts';

export interface Shell {
  readonly name: string;
  readonly path: string;
}

/** A folder whose `sh` is the named shell; for busybox all its tools stand there, and nothing else is on the PATH. */
export function findShells(): readonly Shell[] {
  return [linked('dash', '/usr/bin/dash'), linked('bash', '/usr/bin/bash'), busybox()];
}

/** Busybox as small systems build it. */
export function findBareShell(): Shell {
  const { path } = busybox();
  rmSync(join(path, 'stat'));
  return { name: 'busybox without stat', path };
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly stderr: string;
}

/** `meanwhile` may do something to the shell while it runs. */
export async function runIn(
  shell: Shell,
  script: Script,
  environment: Record<string, string> = {},
  meanwhile: (child: ChildProcess) => unknown = () => undefined,
): Promise<Ran> {
  const child = spawn('sh', ['-c', EXEC_COMMAND], {
    env: { HOME: tmpdir(), ...environment, PATH: shell.path },
    detached: true,
  });
  const output: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(renderStdin(script, 'c0ffee'));
  const during = meanwhile(child);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await during;
  const bytes = Buffer.concat(output);
  return { code, output: bytes.subarray(Math.max(0, findOutput(bytes, 'c0ffee'))).toString('utf8'), stderr };
}

function linked(name: string, binary: string): Shell {
  const folder = makeFolder(name);
  execFileSync('ln', ['-s', binary, join(folder, 'sh')]);
  return { name, path: `${folder}:${process.env.PATH}` };
}

/** Its tools alone, as on a host that has no others. */
export function busybox(): Shell {
  const folder = makeFolder('busybox');
  execFileSync('busybox', ['--install', '-s', folder]);
  return { name: 'busybox', path: folder };
}
