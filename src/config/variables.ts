/** A recipe's environment: names to values, secret references replaced. */

import { holdsToken } from '../token-shapes.ts';
import { refuseUnusable } from './argv.ts';
import type { Tree } from './document.ts';
import { bare, toPlain } from './fields.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';
import { SecretReference, VariableName } from './schema.ts';
import { isSecretName } from './secret-shapes.ts';

/** Vigil's own environment, and whether a missing secret is a mistake there. */
export interface SecretSource {
  readonly variables: NodeJS.ProcessEnv;
  readonly missing: 'mistake' | 'empty';
}

export interface Variables {
  readonly values: Readonly<Record<string, string>>;
  /** Values to mask everywhere: all referenced ones, and literal ones of variables whose name says secret. */
  readonly secrets: readonly string[];
}

interface Reading {
  readonly tree: Tree | null;
  readonly path: Path;
  readonly mistakes: Mistakes;
}

/** Masking a shorter literal (`USE_AUTH_TOKEN: 1`) would blacken half a log. */
const SHORTEST_MASKED = 6;

export function readVariables({ tree, path, mistakes }: Reading, source: SecretSource): Variables {
  const secrets = new Set<string>();
  const entries = tree?.kind === 'map' ? tree.entries : [];
  const values = entries.map(({ key, value }) => {
    const at = [...path, key];
    const issue = VariableName.safeParse(key).error?.issues[0];
    if (issue !== undefined) mistakes.addAboutKey(at, `found the name ${showText(key)}, expected ${issue.message}`);
    if (value.kind !== 'scalar') {
      const reference = SecretReference.safeParse(toPlain(value));
      if (!reference.success) return [key, ''] as const;
      const secret = lookUpSecret(reference.data.secret, { path: [...at, 'secret'], mistakes }, source);
      if (secret !== '') secrets.add(secret);
      return [key, secret] as const;
    }
    const { text } = value;
    refuseUnusable(`${key}=${text}`, at, mistakes);
    if (holdsToken(text)) {
      const advice = `write ${key}: {secret: ${key}} and set ${key} in Vigil's own environment`;
      mistakes.add(at, `found what looks like a token, expected a reference; ${advice}`);
    }
    if (isSecretName(key) && text.length >= SHORTEST_MASKED) secrets.add(text);
    return [key, text] as const;
  });
  return { values: bare(values), secrets: [...secrets] };
}

/** The variable's value; '' where it isn't set, which is a mistake where the source says so. */
export function lookUpSecret(name: string, { path, mistakes }: Omit<Reading, 'tree'>, source: SecretSource): string {
  const value = source.variables[name] ?? '';
  if (value === '' && source.missing === 'mistake') {
    const expected = `expected the secret in the variable ${name}; set ${name} where Vigil is started`;
    mistakes.add(path, `found no ${name} in Vigil's own environment, ${expected}`);
  }
  refuseUnusable(value, path, mistakes);
  return value;
}
