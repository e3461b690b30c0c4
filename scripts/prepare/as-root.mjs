// @ts-check
/** The part of the set-up that needs root, as a program of its own for `sudo -n`: one JSON argument says what to do. */
import { fileURLToPath } from 'node:url';
import { finishInterrupted, installQuietly } from './apt.mjs';
import { PreparationFailed } from './failed.mjs';
import { findProgram } from './find.mjs';
import { thisMachine } from './machine.mjs';
import { run } from './run.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */
/**
 * @typedef {{ kind: 'install', wanted: readonly (readonly string[])[] } | { kind: 'finish', names: readonly string[] }} Task
 */

/** Whether root's work can be done without asking for a password. @param {Machine} machine */
export async function canBeRoot(machine) {
  if (machine.uid === 0) return true;
  const sudo = findProgram(['sudo'], machine);
  return sudo !== null && (await run([sudo, '-n', 'true'], { env: machine.env, timeout: 5_000 })).code === 0;
}

/** @param {Task} task @param {Machine} machine */
export async function asRoot(task, machine) {
  if (machine.uid === 0) return perform(task, machine);
  const words = ['sudo', '-n', process.execPath, fileURLToPath(import.meta.url), JSON.stringify(task)];
  const { code, output } = await run(words, { env: machine.env });
  if (code !== 0) throw new PreparationFailed(output.trim());
}

/** @param {Task} task @param {Machine} machine */
async function perform(task, machine) {
  if (task.kind === 'install') return installQuietly(task.wanted, machine);
  return finishInterrupted(task.names, machine);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await perform(JSON.parse(process.argv[2] ?? 'null'), thisMachine());
  } catch (error) {
    if (!(error instanceof PreparationFailed)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
}
