// @ts-check
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationFailed } from './failed.mjs';
import { missingNeeds } from './needs.mjs';
import { ensureNpmDependencies } from './npm.mjs';
import { policyOwner } from './policy.mjs';
import { readRecord } from './record.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * Makes the clone ready, or throws PreparationFailed with what to do. What installs is loaded only when it is needed:
 * this runs before every demo and every test.
 * @param {'demo' | 'test'} purpose
 * @param {Machine} machine
 */
export async function prepare(purpose, machine) {
  await ensureNpmDependencies(machine);
  if (isUnfinished(machine)) {
    const { finishOthers } = await import('./install.mjs');
    await finishOthers(machine);
  }
  const missing = await missingNeeds(purpose, machine);
  if (missing.length > 0) {
    const { install } = await import('./install.mjs');
    await install(missing, purpose, machine);
    const stillMissing = (await missingNeeds(purpose, machine)).map((need) => need.name).join(', ');
    if (stillMissing) throw new PreparationFailed(`installed ${stillMissing}, but found no program of it on the PATH`);
  }
  if (purpose === 'test') ensureSshdFolder(machine);
}

/** Whether another set-up installs packages right now, or was cut short. @param {Machine} machine */
function isUnfinished(machine) {
  return policyOwner(machine) !== null || readRecord(machine).some((one) => one.state === 'installing');
}

/** root's sshd refuses to start without it, and it is gone after a reboot. @param {Machine} machine */
function ensureSshdFolder({ platform, uid, root }) {
  const path = join(root, 'run/sshd');
  if (platform === 'linux' && uid === 0 && !existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o755 });
}
