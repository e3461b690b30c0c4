/** One entry of `recipes`. */

import { readArgv } from './argv.ts';
import type { Recipe } from './config.ts';
import { findDetaching } from './detach.ts';
import type { Tree } from './document.ts';
import { field, readFields } from './fields.ts';
import { readGpus } from './gpus.ts';
import { findBrokenJson } from './json-flags.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { RecipeKeys } from './schema.ts';
import { findLiteralSecrets, holdsToken } from './secret-shapes.ts';
import { readAddress, readStopGrace } from './server.ts';
import { readVariables, type SecretSource } from './variables.ts';

interface Reading {
  readonly tree: Tree;
  readonly path: Path;
  readonly mistakes: Mistakes;
}

/** The recipe with all defaults filled in. With mistakes it is not fit for use, but further checks can go on. */
export function readRecipe(name: string, reading: Reading, source: SecretSource): Recipe {
  const { tree, path, mistakes } = reading;
  const fields = readFields(RecipeKeys, reading);
  const argv = tree.kind === 'map' ? readArgv(field(tree, 'argv'), [...path, 'argv'], mistakes) : [];
  checkWords(argv, [...path, 'argv'], mistakes);
  const environmentPath = [...path, 'environment'];
  const { values: environment, secrets } = readVariables(
    { tree: field(tree, 'environment'), path: environmentPath, mistakes },
    source,
  );
  const { prelude, gpus } = fields;
  if (prelude !== undefined && holdsToken(prelude)) {
    const advice = 'set the variable under environment as {secret: NAME}: prelude sees it';
    mistakes.add([...path, 'prelude'], `found what looks like a token, expected shell text without secrets; ${advice}`);
  }
  const server = { argv, path, mistakes };
  return {
    name,
    argv,
    environment,
    secrets,
    prelude: prelude ?? null,
    directory: fields.directory ?? null,
    log: fields.log ?? null,
    gpus: gpus === undefined ? [] : readGpus(gpus, { argv, environment, prelude, path, mistakes }),
    address: readAddress(fields.port, server),
    stopGrace: readStopGrace(fields.stop_grace, server),
  };
}

/** What argv must not hold. */
function checkWords(argv: readonly string[], path: Path, mistakes: Mistakes): void {
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
    mistakes.add([...path, detaching.index], `found ${detaching.what}, ${why}; write the server's own command`);
  }
  for (const { index, flag, wrong } of findBrokenJson(argv)) {
    const advice = `write it as a map: - ${flag}, then - {key: value}`;
    mistakes.add(
      [...path, index],
      `found ${showText(argv[index] ?? '')}, expected JSON behind ${flag}, but ${wrong}; ${advice}`,
    );
  }
}
