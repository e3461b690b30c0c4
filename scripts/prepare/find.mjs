// @ts-check
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What of a machine matters for finding programs. @typedef {Pick<import('./machine.mjs').Machine, 'env' | 'root'>} Place */

/** A plain user's PATH often lacks sbin (Debian) and Homebrew's folders. */
const BEYOND_PATH = [
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];

const MAC_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @type {Place} */
const here = { env: process.env, root: '/' };

/** The path of redis-server or valkey-server, or null. @param {Place} [place] */
export const findRedisServer = (place) => findProgram(['redis-server', 'valkey-server'], place);

/** The path of OpenSSH's server, or null. sshd insists on being called by its absolute path. @param {Place} [place] */
export const findSshd = (place) => findProgram(['sshd'], place);

/** The path of a Chromium-like browser, or null; the environment's CHROMIUM_PATH goes first. @param {Place} [place] */
export function findChromium(place = here) {
  if (place.env.CHROMIUM_PATH) return place.env.CHROMIUM_PATH;
  const onPath = findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], place);
  return onPath ?? MAC_BROWSERS.map((path) => join(place.root, path)).find(isProgram) ?? null;
}

/**
 * The absolute path of the first of these programs that stands on the PATH, or where the PATH often doesn't reach.
 * @param {string[]} names
 * @param {Place} [place]
 * @returns {string | null}
 */
export function findProgram(names, { env, root } = here) {
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const folders = [...onPath, ...BEYOND_PATH.map((folder) => join(root, folder))];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent, or not ours to run
  }
}
