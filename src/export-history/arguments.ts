/** What the words after `npm run history --` ask for. */

import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run --silent history [-- [--host HOST] [--recipe RECIPE] [--kind serve|train]]
  One JSON object a line for each run that ended and is still kept, the oldest first. Needs vigil.yaml (VIGIL_CONFIG, else ./vigil.yaml)
  for the instance's name, and Redis (REDIS_URL).
  --host HOST         of this host only
  --recipe RECIPE     of this recipe only; of what somebody started by hand, the name of its log
  --kind serve|train  servers or trainings only
  --help              this text

Exit code: 0 all of it that can be read was printed, 1 it could not be read, 2 wrong usage.
`;

export interface Asked {
  readonly host: string | null;
  readonly recipe: string | null;
  readonly kind: 'serve' | 'train' | null;
}

/** What was asked, or what is wrong with it. */
export function readArguments(words: readonly string[]): Asked | 'help' | { readonly mistake: string } {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        host: { type: 'string' },
        recipe: { type: 'string' },
        kind: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    const { host = null, recipe = null, kind = null } = values;
    if (kind === null || kind === 'serve' || kind === 'train') return { host, recipe, kind };
    return { mistake: `--kind: found ${JSON.stringify(kind)}, expected serve or train` };
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}
