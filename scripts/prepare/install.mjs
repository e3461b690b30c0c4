// @ts-check
import { setTimeout as pause } from 'node:timers/promises';
import { hasApt, installedPackages } from './apt.mjs';
import { asRoot, canBeRoot } from './as-root.mjs';
import { hasBrew, installByBrew } from './brew.mjs';
import { PreparationFailed } from './failed.mjs';
import { policyOwner } from './policy.mjs';
import { forgetPackages, readRecord, recordPackages } from './record.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {import('./needs.mjs').Need} Need */

/** Chromium over a slow line, in ms. */
const WAIT_LIMIT = 15 * 60_000;

/** Waits for a set-up that installs right now, and completes one that was cut short. @param {Machine} machine */
export async function finishOthers(machine) {
  await afterOthers(machine);
  await mendInterrupted(machine);
}

/**
 * Installs what is missing, asking first where a person is there.
 * @param {Need[]} missing
 * @param {'demo' | 'test'} purpose
 * @param {Machine} machine
 */
export async function install(missing, purpose, machine) {
  const names = missing.map((need) => need.name).join(', ');
  const way = await wayToInstall(machine);
  if (!way) throw new PreparationFailed(instruction(missing, purpose));
  if (machine.ask && !(await machine.ask(`Install ${names} with ${way}, services kept off?`))) {
    throw new PreparationFailed(instruction(missing, purpose));
  }
  machine.say(`${names}: installing with ${way}, services kept off`);
  if (way === 'apt-get') return installByApt(missing, machine);
  const byBrew = missing.map((need) => need.brew).filter((words) => words.length > 0);
  await installByBrew(byBrew, machine);
}

/** Two set-ups at once would each put the other's policy-rc.d back: the second waits. @param {Machine} machine */
async function afterOthers(machine) {
  if (isAlive(policyOwner(machine))) machine.say('waiting for another set-up on this machine to end');
  const deadline = Date.now() + WAIT_LIMIT;
  for (let owner = policyOwner(machine); isAlive(owner); owner = policyOwner(machine)) {
    if (Date.now() > deadline)
      throw new PreparationFailed(`process ${owner} still installs packages; end it and run this again`);
    await pause(500);
  }
}

/** @param {Machine} machine */
async function mendInterrupted(machine) {
  const names = readRecord(machine).flatMap((one) => (one.state === 'installing' ? [one.name] : []));
  if (names.length === 0 && policyOwner(machine) === null) return; // the other one has ended well meanwhile
  if (!(await canBeRoot(machine))) {
    throw new PreparationFailed(
      'an earlier installation was cut short; run this once as root or with passwordless sudo',
    );
  }
  machine.say('finishing an installation that was cut short: services stay off, policy-rc.d is put back');
  await asRoot({ kind: 'finish', names }, machine);
  await recordOutcome(names, machine);
}

/** @param {Need[]} missing @param {Machine} machine */
async function installByApt(missing, machine) {
  const before = await installedPackages(machine);
  const fresh = missing.flatMap((need) => need.apt.filter((name) => !before.has(name)));
  recordPackages(fresh, 'installing', machine);
  try {
    await asRoot({ kind: 'install', wanted: missing.map((need) => need.apt) }, machine);
  } finally {
    await recordOutcome(fresh, machine);
  }
}

/** @param {readonly string[]} names @param {Machine} machine */
async function recordOutcome(names, machine) {
  const installed = await installedPackages(machine);
  recordPackages(
    names.filter((name) => installed.has(name)),
    'installed',
    machine,
  );
  forgetPackages(
    names.filter((name) => !installed.has(name)),
    machine,
  );
}

/** @param {Machine} machine @returns {Promise<'apt-get' | 'brew' | null>} */
async function wayToInstall(machine) {
  if (hasApt(machine) && (await canBeRoot(machine))) return 'apt-get';
  return hasBrew(machine) ? 'brew' : null;
}

/** @param {Need[]} missing @param {'demo' | 'test'} purpose */
function instruction(missing, purpose) {
  const wanted = missing.map((need) => need.instead).join('; and ');
  return `npm ${purpose === 'demo' ? 'run demo' : 'test'} needs ${wanted}. Install what is missing and run it again.`;
}

/** @param {number | null} pid */
function isAlive(pid) {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'; // alive, and another user's
  }
}
