/** What a recipe's prelude leaves in the environment of the command behind it, read as bash would run it, and not run. */

import type { Recipe } from '../config/config.ts';
import { CHOOSES_CACHE } from './caches.ts';
import { Runner } from './training/bash/runner.ts';
import { Scope } from './training/bash/scope.ts';
import { known } from './training/bash/value.ts';

type Before = Pick<Recipe, 'prelude' | 'environment' | 'directory'>;

export interface AfterPrelude {
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that checks look at and that only the shell knows. */
  readonly unread: readonly string[];
  /** Where it has gone to, as `below` takes it: '' where it stays in the recipe's own folder, null where nobody knows. */
  readonly folder: string | null;
}

export function readPrelude({ prelude, environment, directory }: Before): AfterPrelude {
  if (prelude === null) return { environment, unread: [], folder: '' };
  const scope = new Scope(known(''), { environment });
  const own = directory ?? '.';
  scope.folder = known(own);
  new Runner({ scripts: new Map(), visit: () => undefined }).runText(prelude, scope, 1);
  const after: Record<string, string> = {};
  const unread = new Set<string>();
  for (const [name, value] of scope.passedOn()) {
    if (value.unknown === null) after[name] = value.text;
    else unread.add(name);
  }
  const isOpen = scope.isOpen || SETS_ANYTHING.test(prelude);
  const { text, unknown } = scope.folder;
  const folder = text === own ? '' : text;
  return {
    environment: after,
    unread: isOpen ? [...unread, ...openVariables(after)] : [...unread],
    folder: unknown === null ? folder : null,
  };
}

/** A login file, a module, and what another program prints. */
const SETS_ANYTHING = /(?:^|[\s/;&|(])(?:\.bashrc|\.bash_profile|\.profile|(?:module|ml)[ \t]|eval[ \t])/;

/** What a file that isn't read may set: what nobody else has set, as far as checks look at it. */
export function openVariables(environment: Readonly<Record<string, string>>): readonly string[] {
  return [...CHOOSES_CACHE, ALLOWS_LENGTH].filter((name) => environment[name] === undefined);
}

/** With it a length above the model's own is no error. */
export const ALLOWS_LENGTH = 'VLLM_ALLOW_LONG_MAX_MODEL_LEN';
