/** What the commands of a run say of where its bytes go. */

import { modelsOf } from '../check/looks.ts';
import { readSubject } from '../check/read-subject.ts';
import { readServer } from '../check/server.ts';
import type { Subject } from '../check/subject.ts';
import type { Recipe } from '../config/config.ts';
import { lastFlag } from '../config/flags.ts';
import { readScripts } from '../flow/preflight.ts';
import type { Request } from '../run/request.ts';
import type { Host } from '../tools.ts';
import type { Commands } from './work-question.ts';

/** Before anything is known of them. */
export const NO_COMMANDS: Commands = { models: [], savePath: null, hiddenStates: [], environment: {}, directory: null };

/** `recipe` null: somebody started it by hand, or vigil.yaml has lost it. A training's script is read on its host; throws what the host throws. */
export async function readCommands(
  { request, recipe }: { readonly request: Request; readonly recipe: Recipe | null },
  host: Host,
  signal: AbortSignal,
): Promise<Commands> {
  if (recipe === null) {
    const server = readServer(request.argv, {});
    return commandsOf(request, { servers: server === null ? [] : [server], trainer: null, recipe: null });
  }
  const scripts = await readScripts({ request, recipe }, host, signal);
  const own = { ...recipe, argv: request.argv };
  const subject = readSubject({ host: request.host, recipe: own, devices: null, scripts });
  return commandsOf(request, subject);
}

type Parts = Pick<Subject, 'servers' | 'trainer'> & { readonly recipe: Recipe | null };

function commandsOf({ argv }: Request, { servers, trainer, recipe }: Parts): Commands {
  const states = servers.map(({ extraction }) => extraction?.folder ?? null);
  return {
    models: servers.flatMap(modelsOf).map(({ ref }) => ref),
    savePath: trainer?.savePath ?? lastFlag(argv, '--save-path')?.value ?? null,
    hiddenStates: [...new Set([...states, trainer?.hiddenStatesPath ?? null])].filter((path) => path !== null),
    environment: { ...recipe?.environment, ...servers[0]?.environment },
    directory: recipe?.directory ?? null,
  };
}
