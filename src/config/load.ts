/** vigil.yaml -> Config. */

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import type { Config } from './config.ts';
import { readDiagnoses } from './diagnoses.ts';
import { type Entry, parseYaml, type Tree } from './document.ts';
import { bare, field, readFields, readNamed } from './fields.ts';
import { readHost, type Surroundings } from './host.ts';
import { refuseJumps } from './jumps.ts';
import { Mistakes } from './mistakes.ts';
import { readRecipe } from './recipe.ts';
import { TopKeys } from './schema.ts';
import type { SecretSource } from './variables.ts';

/** Reads the file once; `environment` (process.env) gives the secrets and HOME. Throws ConfigError with every mistake at once. */
export function loadConfig(path: string, environment: NodeJS.ProcessEnv): Config {
  return readConfig(path, { variables: environment, missing: 'mistake' });
}

/** As loadConfig; `missing: 'empty'` checks a file where its secrets aren't at hand. */
export function readConfig(path: string, secrets: SecretSource): Config {
  const { tree, faults } = parseYaml(readText(path));
  const mistakes = new Mistakes(path, tree);
  for (const fault of faults) mistakes.addFault(fault);
  if (tree === null) throw new ConfigError(mistakes.lines);
  const places = { home: secrets.variables.HOME || homedir(), folder: dirname(resolve(path)) };
  const config = buildConfig(tree, mistakes, { places, secrets });
  if (mistakes.lines.length > 0) throw new ConfigError(mistakes.lines);
  return config;
}

function buildConfig(tree: Tree, mistakes: Mistakes, surroundings: Surroundings): Config {
  const top = readFields(TopKeys, { tree, path: [], mistakes });
  const hosts = readNamed(field(tree, 'hosts'), ['hosts'], mistakes);
  const recipes = readNamed(field(tree, 'recipes'), ['recipes'], mistakes);
  refuseRunNames(hosts, mistakes);
  const hostConfigs = bare(
    hosts.map(({ key, value }) => [key, readHost(key, { tree: value, path: ['hosts', key], mistakes }, surroundings)]),
  );
  refuseJumps(hostConfigs, mistakes);
  return {
    instance: top.instance ?? '',
    hosts: hostConfigs,
    recipes: bare(
      recipes.map(({ key, value }) => [
        key,
        readRecipe(key, { tree: value, path: ['recipes', key], mistakes }, surroundings.secrets),
      ]),
    ),
    diagnoses: readDiagnoses(field(tree, 'diagnoses'), ['diagnoses'], mistakes),
  };
}

/** `kpro5-3` is the third run on kpro5; a host of that name could never be told from it. */
function refuseRunNames(hosts: readonly Entry[], mistakes: Mistakes): void {
  const names = hosts.map(({ key }) => key);
  for (const name of names) {
    const base = /^(?<base>.+)-\d+$/.exec(name)?.groups?.base;
    if (base === undefined || !names.includes(base)) continue;
    const expected = `expected a name that no run of ${base} can have; rename it, for example ${base}.${name.slice(base.length + 1)}`;
    mistakes.addAboutKey(['hosts', name], `found the name ${JSON.stringify(name)}, ${expected}`);
  }
}

const MAX_FILE_BYTES = 1024 * 1024;

function readText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new ConfigError([
      `${path}: found ${bytes.length} bytes, expected at most ${MAX_FILE_BYTES}; is it the right file?`,
    ]);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError([`${path}: found bytes that aren't UTF-8, expected UTF-8 text; save the file as UTF-8`]);
  }
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    const found = READ_ERRORS[code] ?? `an error (${code})`;
    const advice = 'copy vigil.example.yaml there, or set VIGIL_CONFIG to the right path';
    throw new ConfigError([`${path}: found ${found}, expected a readable file; ${advice}`]);
  }
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'that this user may not read it',
  EISDIR: 'a folder',
};
