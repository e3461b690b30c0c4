/** Launching without SSH: the launch script as a host would run it, in one of the shells. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LaunchSpec, Started } from '../../src/host/launch.ts';
import { parseLaunch, renderLaunch } from '../../src/shell/launch.ts';
import { parseExit } from '../../src/shell/record.ts';
import { makeFolder } from './folder.ts';
import { specAt } from './launch-spec.ts';
import { runIn, type Shell } from './shells.ts';

let count = 0;

export function makeSpec(more: Partial<LaunchSpec> = {}): LaunchSpec {
  count += 1;
  return specAt({ path: join(makeFolder('run'), 'run'), run: `lab-kpro5-${process.pid}-${count}` }, more);
}

export async function launch(shell: Shell, spec: LaunchSpec, claim = 'c1', environment = {}) {
  const ran = await runIn(shell, renderLaunch(spec, claim), environment);
  return { ran, outcome: parseLaunch(ran.output) };
}

export async function launchStarted(shell: Shell, spec: LaunchSpec): Promise<Started> {
  const { ran, outcome } = await launch(shell, spec);
  if (outcome?.kind !== 'started') throw new Error(JSON.stringify([ran, outcome]));
  return outcome.started;
}

export async function exitOf(spec: LaunchSpec) {
  const path = join(spec.path, 'exit');
  await expect.poll(() => existsSync(path), { timeout: 20_000, interval: 10 }).toBe(true);
  return parseExit(readFileSync(path, 'utf8'));
}

/** Waits until the run folder holds so many files, so that what follows comes at another moment of the launch each time. */
export async function readSome(path: string, files: number): Promise<void> {
  const isEnough = () =>
    files === 0 || existsSync(join(path, 'started')) || (existsSync(path) && readdirSync(path).length >= files);
  await expect.poll(isEnough, { timeout: 20_000, interval: 1 }).toBe(true);
}

export function logOf(spec: LaunchSpec): string {
  return readFileSync(join(spec.path, 'log'), 'utf8');
}
