// @ts-check
import { rmSync } from 'node:fs';
import { PreparationFailed } from './failed.mjs';
import { findProgram } from './find.mjs';
import { putBack, refuseStarts } from './policy.mjs';
import { lastLines, run } from './run.mjs';
import { keepOff, maskAhead } from './services.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/** @param {Machine} machine */
export const hasApt = (machine) => findProgram(['apt-get'], machine) !== null;

/** Packages that dpkg has installed, whatever their architecture. @param {Machine} machine @returns {Promise<Set<string>>} */
export async function installedPackages(machine) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholders
  const { output } = await run(['dpkg-query', '-W', '-f', '${Package} ${db:Status-Status}\\n'], { env: machine.env });
  const rows = output.split('\n').map((line) => line.split(' '));
  return new Set(rows.flatMap(([name, status]) => (name && status === 'installed' ? [name] : [])));
}

/**
 * Installs packages as root with their services off: masked before apt-get runs, every start refused while it runs, and
 * their boot links switched off after it. A package that doesn't get installed leaves no mask behind.
 * @param {readonly (readonly string[])[]} wanted one list a package: names in order of preference
 * @param {Machine} machine
 */
export async function installQuietly(wanted, machine) {
  const startsAllowedAgain = refuseStarts(machine);
  try {
    await installMasked(wanted, machine);
  } finally {
    startsAllowedAgain();
  }
}

/** @param {readonly (readonly string[])[]} wanted @param {Machine} machine */
async function installMasked(wanted, machine) {
  const env = { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await aptGet(['update'], env);
  const names = [];
  for (const candidates of wanted) names.push(await firstKnown(candidates, env));
  const before = await installedPackages(machine);
  const fresh = names.filter((name) => !before.has(name));
  const masks = new Map(fresh.map((name) => [name, maskAhead(name, machine)]));
  try {
    const install = await aptGet(['install', ...names], env);
    if (install.code === 0) return;
    const hint = update.code === 0 ? '' : `\n(apt-get update had failed too: ${lastLines(update.output)})`;
    throw new PreparationFailed(`apt-get install ${names.join(' ')} failed:\n${lastLines(install.output)}${hint}`);
  } finally {
    await settle(fresh, masks, machine);
  }
}

/** What a killed installation left: starts refused, boot links on. @param {readonly string[]} names @param {Machine} machine */
export async function finishInterrupted(names, machine) {
  putBack(machine);
  await settle(names, new Map(), machine);
}

/** @param {readonly string[]} names @param {Map<string, string[]>} masks those that we added @param {Machine} machine */
async function settle(names, masks, machine) {
  const installed = await installedPackages(machine);
  for (const name of names) {
    if (installed.has(name)) await keepOff(name, machine);
    else for (const path of masks.get(name) ?? []) rmSync(path, { force: true });
  }
}

/** @param {readonly string[]} candidates @param {NodeJS.ProcessEnv} env */
async function firstKnown(candidates, env) {
  for (const name of candidates) {
    const { output } = await run(['apt-cache', 'policy', name], { env: { ...env, LC_ALL: 'C' } });
    if (/Candidate: (?!\(none\))/.test(output)) return name;
  }
  throw new PreparationFailed(`apt-get knows no package ${candidates.join(' or ')}; install it by hand`);
}

/** @param {string[]} words @param {NodeJS.ProcessEnv} env */
function aptGet(words, env) {
  const options = [
    '-y',
    '--no-install-recommends',
    '-o',
    'DPkg::Lock::Timeout=120',
    '-o',
    'Dpkg::Options::=--force-confold',
  ];
  return run(['apt-get', ...options, ...words], { env });
}
