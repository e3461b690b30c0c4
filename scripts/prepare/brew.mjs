// @ts-check
import { PreparationFailed } from './failed.mjs';
import { findProgram } from './find.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/** @param {Machine} machine */
export const hasBrew = (machine) => findProgram(['brew'], machine) !== null;

/**
 * Homebrew starts a service only when told (`brew services start`), so nothing has to be kept off.
 * @param {readonly (readonly string[])[]} wanted words after `brew install`, one list a package
 * @param {Machine} machine
 */
export async function installByBrew(wanted, machine) {
  const brew = findProgram(['brew'], machine) ?? 'brew';
  for (const words of wanted) {
    const { code, output } = await run([brew, 'install', ...words], { env: machine.env });
    if (code !== 0) throw new PreparationFailed(`brew install ${words.join(' ')} failed:\n${lastLines(output)}`);
  }
}
