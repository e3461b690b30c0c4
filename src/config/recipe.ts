/** One entry of `recipes`. */

import type { z } from 'zod';
import { holdsToken } from '../token-shapes.ts';
import { readArgv } from './argv.ts';
import type { Recipe } from './config.ts';
import { findDetaching } from './detach.ts';
import type { Tree } from './document.ts';
import { readExpectations } from './expectations.ts';
import { field, readFields } from './fields.ts';
import { readFloor } from './floor.ts';
import { readGpus } from './gpus.ts';
import { findBrokenJson } from './json-flags.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { RecipeKeys } from './schema.ts';
import { findLiteralSecrets } from './secret-shapes.ts';
import { readAddress, readStopGrace } from './server.ts';
import { readTarget, TRAINING_GRACE, trainingEnvironment } from './training.ts';
import { readVariables, type SecretSource } from './variables.ts';
import { readVersions } from './versions.ts';

interface Reading {
  readonly tree: Tree;
  readonly path: Path;
  readonly mistakes: Mistakes;
}

/** The recipe with all defaults filled in. With mistakes it is not fit for use, but further checks can go on. */
export function readRecipe(name: string, reading: Reading, source: SecretSource): Recipe {
  const { path, mistakes } = reading;
  const fields = readFields(RecipeKeys, reading);
  checkKind(fields.kind, reading);
  const kind = fields.kind ?? 'serve';
  const command = { name, ...readCommand({ ...fields, kind }, reading, source) };
  if (kind === 'train') {
    const environment = trainingEnvironment(command.environment);
    const target = readTarget(fields, { path, mistakes });
    const stopGrace = fields.stop_grace ?? TRAINING_GRACE;
    return { ...command, kind, environment, ...target, stopGrace, resume: fields.resume ?? false };
  }
  const server = { argv: command.argv, path, mistakes };
  const stopGrace = readStopGrace(fields.stop_grace, server);
  return {
    ...command,
    kind,
    address: readAddress(fields.port, server),
    stopGrace,
    floor: readFloor(fields.floor ?? {}),
  };
}

type Fields = Partial<z.output<typeof RecipeKeys>>;

/** What both kinds have: the process and what it occupies. */
function readCommand(
  { kind, prelude, directory, log, gpus, versions, python, budgets }: Fields & Pick<Recipe, 'kind'>,
  { tree, path, mistakes }: Reading,
  source: SecretSource,
) {
  const argv = tree.kind === 'map' ? readArgv(field(tree, 'argv'), [...path, 'argv'], mistakes) : [];
  checkWords(argv, { kind, path: [...path, 'argv'], mistakes });
  const variables = { tree: field(tree, 'environment'), path: [...path, 'environment'], mistakes };
  const { values: environment, secrets } = readVariables(variables, source);
  if (prelude !== undefined && holdsToken(prelude)) {
    const advice = 'set the variable under environment as {secret: NAME}: prelude sees it';
    mistakes.add([...path, 'prelude'], `found what looks like a token, expected shell text without secrets; ${advice}`);
  }
  return {
    argv,
    environment,
    secrets,
    prelude: prelude ?? null,
    directory: directory ?? null,
    log: log ?? null,
    expect: readExpectations(field(tree, 'expect'), [...path, 'expect'], mistakes),
    versions: readVersions(versions ?? {}, [...path, 'versions'], mistakes),
    python: python ?? null,
    budgets: budgets ?? {},
    gpus: gpus === undefined ? [] : readGpus(gpus, { kind, argv, environment, prelude, path, mistakes }),
  };
}

/** Keys of the other kind, each told with its place; nothing while `kind` itself is a mistake. */
function checkKind(kind: Recipe['kind'] | undefined, { tree, path, mistakes }: Reading): void {
  if (kind === undefined && field(tree, 'kind') !== null) return;
  if (kind === 'train' && field(tree, 'port') !== null) {
    const expected = 'expected no port of its own: a training listens nowhere';
    mistakes.addAboutKey(
      [...path, 'port'],
      `found port beside kind: train, ${expected}; write the target server's as target: {port: …}, or remove it`,
    );
  }
  if (kind !== 'train' && field(tree, 'target') !== null) {
    const expected = 'expected it beside kind: train: it is the server that a training asks for hidden states';
    mistakes.addAboutKey(
      [...path, 'target'],
      `found target in a serve recipe, ${expected}; write kind: train, or remove it (port and log are keys of the recipe itself)`,
    );
  }
  if (kind !== 'train' && field(tree, 'resume') !== null) {
    const expected = 'expected it beside kind: train: it lets a training go on from the checkpoints of its save path';
    mistakes.addAboutKey([...path, 'resume'], `found resume in a serve recipe, ${expected}; remove it`);
  }
}

/** Whose command it is, in a mistake's words. */
const OWNERS: Readonly<Record<Recipe['kind'], string>> = { serve: "the server's", train: "the training's" };

/** What argv must not hold. */
function checkWords(
  argv: readonly string[],
  { kind, path, mistakes }: { kind: Recipe['kind']; path: Path; mistakes: Mistakes },
): void {
  for (const { index, what, name } of findLiteralSecrets(argv)) {
    const why = 'expected no secret in argv (every user of the host sees it in ps)';
    mistakes.add(
      [...path, index],
      `found ${what}, ${why}; remove it and write ${name}: {secret: ${name}} under environment`,
    );
  }
  const detaching = findDetaching(argv);
  if (detaching !== null) {
    const why =
      'expected a command that stays in the foreground: Vigil detaches it by itself, and could not see a detached one end, or stop it';
    mistakes.add([...path, detaching.index], `found ${detaching.what}, ${why}; write ${OWNERS[kind]} own command`);
  }
  for (const { index, flag, wrong } of findBrokenJson(argv)) {
    const advice = `write it as a map: - ${flag}, then - {key: value}`;
    mistakes.add(
      [...path, index],
      `found ${showText(argv[index] ?? '')}, expected JSON behind ${flag}, but ${wrong}; ${advice}`,
    );
  }
}
