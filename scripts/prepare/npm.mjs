// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationFailed } from './failed.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {Record<string, { version?: string, resolved?: string, optional?: boolean, link?: boolean }>} Packages */

/** Installs the npm dependencies unless node_modules holds what package-lock.json asks for. @param {import('./machine.mjs').Machine} machine */
export async function ensureNpmDependencies(machine) {
  const wanted = readPackages(join(machine.repo, 'package-lock.json'));
  if (!wanted) throw new PreparationFailed(`no readable package-lock.json in ${machine.repo}; take it from git`);
  const found = readPackages(join(machine.repo, 'node_modules/.package-lock.json'));
  if (found && isInStep(found, wanted)) return;

  machine.say(`npm dependencies: ${found ? 'out of step with package-lock.json' : 'missing'}; running npm ci`);
  // Without --include=dev, NODE_ENV=production would leave out what the demo and the tests run on.
  const { code, output } = await run([...npm(machine.env), 'ci', '--include=dev', '--no-audit', '--no-fund'], {
    env: machine.env,
    cwd: machine.repo,
  });
  if (code !== 0) throw new PreparationFailed(`npm ci failed (exit ${code}):\n${lastLines(output)}`);
}

/**
 * Whether what npm last installed is what is wanted. npm writes the found list (node_modules/.package-lock.json) last,
 * so an installation that was cut short has none. Optional packages may lack: npm skips other platforms'.
 * @param {Packages} found
 * @param {Packages} wanted
 */
function isInStep(found, wanted) {
  const needed = Object.entries(wanted).filter(([folder, one]) => folder !== '' && !one.optional);
  return (
    needed.every(([folder, one]) => found[folder]?.version === one.version) &&
    Object.entries(found).every(([folder, one]) => wanted[folder]?.version === one.version)
  );
}

/** @param {string} file @returns {Packages | null} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null; // absent, or cut short: the same as absent
  }
}

/** The npm that started us, else the one on the PATH. @param {NodeJS.ProcessEnv} env */
function npm(env) {
  const started = env.npm_execpath;
  return started && /npm-cli\.[cm]?js$/.test(started) ? [process.execPath, started] : ['npm'];
}
