// @ts-check
import { findChromium, findProgram, findRedisServer, findSshd } from './find.mjs';
import { run } from './run.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */
/**
 * @typedef {object} Need
 * @property {string} name how a person calls it
 * @property {readonly ('demo' | 'test')[]} for
 * @property {(machine: Machine) => boolean | Promise<boolean>} isThere quick, or asked last
 * @property {readonly string[]} apt Debian's packages, the first that apt knows is taken
 * @property {readonly string[]} brew Homebrew's words after `brew install`
 * @property {string} instead what a person can do when nothing can be installed
 */

/**
 * What a clone needs beside npm packages. To add one, add a row; if its package brings a service, name that in services.mjs.
 * @type {readonly Need[]}
 */
const NEEDS = [
  {
    name: 'redis-server',
    for: ['demo', 'test'],
    isThere: (machine) => Boolean(machine.env.REDIS_URL || findRedisServer(machine)) || isDockerRunning(machine),
    apt: ['redis-server'],
    brew: ['redis'],
    instead: 'redis-server or valkey-server on the PATH, a running Docker, or REDIS_URL',
  },
  {
    name: 'openssh-server',
    for: ['test'],
    isThere: (machine) => findSshd(machine) !== null,
    apt: ['openssh-server'],
    brew: ['openssh'],
    instead: 'openssh-server (the tests start their own sshd on a loopback port)',
  },
  {
    name: 'busybox',
    for: ['test'],
    isThere: (machine) => machine.platform !== 'linux' || findProgram(['busybox'], machine) !== null,
    apt: ['busybox'],
    brew: [],
    instead: 'busybox',
  },
  {
    name: 'procps',
    for: ['test'],
    isThere: (machine) => machine.platform !== 'linux' || findProgram(['ps'], machine) !== null,
    apt: ['procps'],
    brew: [],
    instead: 'ps (the tests look at processes with it)',
  },
  {
    name: 'curl',
    for: ['test'],
    isThere: (machine) => machine.platform !== 'linux' || findProgram(['curl'], machine) !== null,
    apt: ['curl'],
    brew: [],
    instead: 'curl (the tests reach a server by it where SSH forwarding is forbidden)',
  },
  {
    name: 'chromium',
    for: ['test'],
    isThere: (machine) => findChromium(machine) !== null,
    apt: ['chromium', 'chromium-browser'],
    brew: ['--cask', 'google-chrome'],
    instead: 'Chromium or Chrome on the PATH, or CHROMIUM_PATH',
  },
];

/** @param {'demo' | 'test'} purpose @param {Machine} machine @returns {Promise<Need[]>} */
export async function missingNeeds(purpose, machine) {
  const missing = [];
  for (const need of NEEDS) {
    if (need.for.includes(purpose) && !(await need.isThere(machine))) missing.push(need);
  }
  return missing;
}

/** Whether a Docker daemon answers, not only whether its client is installed. @param {Machine} machine */
async function isDockerRunning(machine) {
  const docker = findProgram(['docker'], machine);
  if (!docker) return false;
  const { code } = await run([docker, 'info'], { env: machine.env, timeout: 5_000 });
  return code === 0;
}
