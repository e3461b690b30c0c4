// @ts-check
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { servicesOf } from './services.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */
/**
 * What the set-up installed by apt-get, so that a test can look whether its services are still off.
 * @typedef {object} Installed
 * @property {string} name
 * @property {string} at ISO time
 * @property {'installing' | 'installed'} state 'installing' left behind = cut short
 * @property {readonly string[]} units masked
 * @property {readonly string[]} scripts names in /etc/init.d, switched off
 */

/** @param {Pick<Machine, 'env'>} machine */
export function recordPath({ env }) {
  return join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local/state'), 'vigil/installed.json');
}

/** @param {Pick<Machine, 'env'>} machine @returns {Installed[]} */
export function readRecord(machine) {
  try {
    return JSON.parse(readFileSync(recordPath(machine), 'utf8')).packages;
  } catch {
    return []; // nothing was ever installed, or the record can't be read: nothing is known
  }
}

/** @param {readonly string[]} names @param {Installed['state']} state @param {Machine} machine */
export function recordPackages(names, state, machine) {
  const added = names.map((name) => ({ name, at: new Date().toISOString(), state, ...servicesOf(name) }));
  write([...readRecord(machine).filter((one) => !names.includes(one.name)), ...added], machine);
}

/** @param {readonly string[]} names @param {Machine} machine */
export function forgetPackages(names, machine) {
  write(
    readRecord(machine).filter((one) => !names.includes(one.name)),
    machine,
  );
}

/** @param {readonly Installed[]} packages @param {Machine} machine */
function write(packages, machine) {
  const path = recordPath(machine);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, `${JSON.stringify({ packages }, null, 2)}\n`);
  renameSync(`${path}.tmp`, path);
}
