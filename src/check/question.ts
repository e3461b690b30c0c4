/** What the checks have to ask of a host, in one question. */

import { posix } from 'node:path';
import type { ServerAddress } from '../address.ts';
import type { LaunchSpec } from '../host/launch.ts';
import type { PreflightQuestion } from '../host/preflight.ts';
import { activatedBy } from './activated.ts';
import { compileCache, hubCache } from './caches.ts';
import { modelsOf } from './looks.ts';
import { nameOf } from './model-ref.ts';
import { SHARED_MEMORY_PATH } from './rows/shared-memory.ts';
import type { ModelRef, Subject } from './subject.ts';
import { trainingAsks } from './training/asks.ts';

interface Asking {
  readonly launch: LaunchSpec;
  /** Of a training: its target server's. */
  readonly address: ServerAddress | null;
}

export function questionFor(subject: Subject, { launch, address }: Asking): PreflightQuestion {
  const { recipe, servers } = subject;
  const training = trainingAsks(subject);
  const refs = servers.flatMap((server) => modelsOf(server).map(({ ref }) => ref));
  return {
    launch,
    address,
    files: distinct(recipe.expect.map(({ file }) => file)),
    // A folder of a hub id's name below the working directory would win over the hub.
    models: distinct([...refs.map(nameOf), ...training.models]),
    hub: hubIds(refs),
    saves: training.saves,
    room: roomOf(subject, launch),
    python: recipe.python ?? pythonBeside(subject),
    environments: activatedBy(recipe.prelude),
  };
}

function roomOf({ recipe, servers, trainer }: Subject, launch: LaunchSpec): readonly string[] {
  const environments = servers.length === 0 ? [recipe.environment] : servers.map(({ environment }) => environment);
  const asksHub = servers.some((server) => modelsOf(server).some(({ ref }) => ref.kind === 'hub'));
  return distinct([
    launch.log === null ? launch.path : posix.dirname(launch.log),
    ...launch.aside.map((log) => posix.dirname(log)),
    ...environments.map(compileCache),
    ...(asksHub ? environments.map(hubCache) : []),
    SHARED_MEMORY_PATH,
    ...trainingAsks({ servers, trainer }).room,
  ]);
}

function hubIds(refs: readonly ModelRef[]): PreflightQuestion['hub'] {
  const found = new Map<string, PreflightQuestion['hub'][number]>();
  for (const ref of refs) if (ref.kind === 'hub') found.set(ref.id, { id: ref.id, revision: ref.revision });
  return [...found.values()];
}

/** A training's script names its target's Python by the program's own path; a server's program says it by its first line. */
function pythonBeside({ recipe, servers }: Subject): string | null {
  if (recipe.kind === 'serve') return null;
  const program = servers[0]?.argv.find((word) => /^\/.{1,300}\/bin\/(?:vllm|python[\d.]{0,5})$/.test(word));
  return program === undefined ? null : posix.join(posix.dirname(program), 'python');
}

function distinct(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
