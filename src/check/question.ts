/** What the checks have to ask of a host, in one question. */

import { posix } from 'node:path';
import type { ServerAddress } from '../address.ts';
import type { LaunchSpec } from '../host/launch.ts';
import type { PreflightQuestion } from '../host/preflight.ts';
import { activatedBy } from './activated.ts';
import { CHOOSES_CACHE, compileCache, hubCache } from './caches.ts';
import { modelsOf } from './looks.ts';
import { pathOf } from './model-ref.ts';
import { pythonOf } from './python-of.ts';
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
    launch: { ...launch, environment: { ...launch.environment, ...cacheOf(subject) } },
    address,
    files: distinct(recipe.expect.map(({ file }) => file)),
    // A folder of a hub id's name below the working directory would win over the hub.
    models: distinct([...refs.map(pathOf), ...training.models]),
    hub: hubIds(refs),
    saves: training.saves,
    room: roomOf(subject, launch),
    python: pythonOf(subject),
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

/** Where a prelude or a script moves the cache, it is that one which counts. */
function cacheOf({ servers }: Subject): Readonly<Record<string, string>> {
  const [environment = {}] = servers.map((server) => server.environment);
  const named = Object.entries(environment).filter(([name]) => CHOOSES_CACHE.includes(name));
  return Object.fromEntries(named);
}

function hubIds(refs: readonly ModelRef[]): PreflightQuestion['hub'] {
  const found = new Map<string, PreflightQuestion['hub'][number]>();
  for (const ref of refs) if (ref.kind === 'hub') found.set(ref.id, { id: ref.id, revision: ref.revision });
  return [...found.values()];
}

function distinct(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
