import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, Recipe } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/errors.ts';

/** A right vigil.yaml whose recipe `r` has the given lines (from line 9 on, indented by four), and whose host has more lines if given. */
export function vigilYaml({ recipe = RECIPE, host = HOST }: { recipe?: string; host?: string } = {}): string {
  return `instance: vigil\nhosts:\n  kpro5:\n${indent(host)}\nrecipes:\n  r:\n${indent(recipe)}\n`;
}

export const HOST = 'address: 192.0.2.172\nuser: root\nchannel: C0VIGIL';
export const RECIPE = 'argv: [vllm, serve, m]\ngpus: 1';
export const TRAINING = 'kind: train\nargv: [bash, train.sh]\ngpus: 4';

/** Loads the text as a file; `environment` is Vigil's own. */
export function load(yaml: string | Uint8Array, environment: NodeJS.ProcessEnv = { HOME: '/home/v' }): Config {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-config-'));
  try {
    const path = join(folder, 'vigil.yaml');
    writeFileSync(path, yaml);
    return loadConfig(path, environment);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function recipeOf(recipe: string, environment?: NodeJS.ProcessEnv): Recipe {
  const found = load(vigilYaml({ recipe }), environment).recipes.r;
  if (found === undefined) throw new Error('no recipe r');
  return found;
}

/** The mistakes, with the file's folder left out; none = []. */
export function mistakes(yaml: string | Uint8Array, environment?: NodeJS.ProcessEnv): readonly string[] {
  try {
    load(yaml, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((line) => line.replace(/^\/\S*\/(?=vigil\.yaml)/, ''));
  }
}

function indent(lines: string): string {
  return lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
