// @ts-check
import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationFailed } from './failed.mjs';
import { run } from './run.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {{ units: readonly string[], scripts: readonly string[] }} Services systemd units and names in /etc/init.d */

/** The services that a package brings, all of which would start at once and after each reboot. @type {Readonly<Record<string, Services>>} */
const SERVICES = {
  'redis-server': { units: ['redis-server.service', 'redis.service'], scripts: ['redis-server'] },
  'openssh-server': { units: ['ssh.service', 'ssh.socket', 'sshd.service'], scripts: ['ssh'] },
};

/** @param {string} name of a package @returns {Services} */
export const servicesOf = (name) => SERVICES[name] ?? { units: [], scripts: [] };

/**
 * Masks the services that a package will bring, before it is there; gives the masks that did not stand before.
 * @param {string} name @param {Machine} machine @returns {string[]} paths
 */
export function maskAhead(name, machine) {
  const paths = servicesOf(name).units.map((unit) => unitPath(unit, machine));
  const administered = paths.find((path) => kindOf(path) === 'file');
  if (administered) {
    throw new PreparationFailed(
      `${administered} stands though ${name} is not installed: an administrator's own service, left alone; install ${name} by hand`,
    );
  }
  const added = paths.filter((path) => kindOf(path) === 'absent');
  mask(paths);
  return added;
}

/**
 * Makes sure that an installed package's services stay off, whatever its installation did: Debian's scripts take away a
 * mask that they know from an earlier removal, and /etc/rc?.d links start a service where there is no systemd.
 * @param {string} name @param {Machine} machine
 */
export async function keepOff(name, machine) {
  const { units, scripts } = servicesOf(name);
  mask(units.map((unit) => unitPath(unit, machine)));
  for (const script of scripts) {
    const { output } = await run(['update-rc.d', script, 'disable'], { env: machine.env });
    const left = startLinks(script, machine);
    if (left.length > 0)
      throw new PreparationFailed(`${left.join(', ')} would start ${name} at boot; update-rc.d said: ${output}`);
  }
}

/** The links that start a service at boot without systemd. @param {string} script @param {Machine} machine */
export function startLinks(script, { root }) {
  const folders = ['rc2.d', 'rc3.d', 'rc4.d', 'rc5.d', 'rcS.d'].map((level) => join(root, 'etc', level));
  return folders.flatMap((folder) => {
    const names = kindOf(folder) === 'absent' ? [] : readdirSync(folder);
    return names.filter((name) => /^S\d\d/.test(name) && name.slice(3) === script).map((name) => join(folder, name));
  });
}

/** @param {string} unit @param {Machine} machine */
export const isMasked = (unit, machine) => kindOf(unitPath(unit, machine)) === 'mask';

/** @param {readonly string[]} paths */
function mask(paths) {
  for (const path of paths.filter((one) => kindOf(one) !== 'mask')) {
    mkdirSync(join(path, '..'), { recursive: true });
    rmSync(path, { force: true }); // an alias that the package's installation made
    symlinkSync('/dev/null', path);
  }
}

/** @param {string} path @returns {'absent' | 'mask' | 'link' | 'file'} */
function kindOf(path) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return 'absent';
  if (!stat.isSymbolicLink()) return 'file';
  return readlinkSync(path) === '/dev/null' ? 'mask' : 'link';
}

/** @param {string} unit @param {Machine} machine */
const unitPath = (unit, { root }) => join(root, 'etc/systemd/system', unit);
