/** Where the bytes of a run arrive on its host: what comes from the hub, what is compiled, what a training saves. */

import { posix } from 'node:path';
import { compileCache } from '../check/caches.ts';
import type { ModelRef } from '../check/subject.ts';
import { hostPath } from '../flow/host-path.ts';
import type { WorkQuestion, WorkView } from '../host/sample.ts';
import type { FolderLook } from '../pulse/look.ts';
import type { Phase, Run } from '../run/run.ts';

/**
 * Caches belong to all runs of a host: what another one fetches or compiles is no work of this one, so they are looked at where this one may do so. While a
 * target server starts it may do both, and so it may before a log says more.
 */
const FETCHES: readonly Phase[] = ['launched', 'configuring', 'downloading', 'loading', 'target_starting', 'preparing'];
const COMPILES: readonly Phase[] = [
  ...(['loading', 'compiling', 'kv_cache', 'capturing', 'verifying'] as const),
  ...(['target_starting', 'preparing'] as const),
];

/** What the run's commands say of it, as far as they could be read. */
export interface Commands {
  /** Of its server, or of a training's target; the drafter too. */
  readonly models: readonly ModelRef[];
  readonly savePath: string | null;
  readonly hiddenStates: readonly string[];
  /** Variables that its processes have; they may hold secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Relative paths start there; null: in the home folder. */
  readonly directory: string | null;
}

export interface Asked {
  readonly question: WorkQuestion;
  /** By the keys of WorkView.bytes. */
  readonly places: readonly { readonly role: FolderLook['role']; readonly key: string }[];
}

/** Without the places of `resting`, by their keys. */
export function workQuestion(run: Run, commands: Commands, resting: ReadonlySet<string> = new Set()): Asked {
  const { environment, directory, models, hiddenStates } = commands;
  const hub = (FETCHES.includes(run.phase) ? models : [])
    .flatMap((model) => (model.kind === 'hub' ? [{ id: model.id, revision: model.revision }] : []))
    .filter(({ id }) => !resting.has(id));
  const folders: [FolderLook['role'], string | null][] = [
    ...(COMPILES.includes(run.phase) ? compileCaches(environment) : []).map((path): [FolderLook['role'], string] => [
      'compile_cache',
      path,
    ]),
    ['checkpoint', checkpointFolder(run, commands)],
    ...hiddenStates.map((path): [FolderLook['role'], string] => ['hidden_states', path]),
  ];
  const own = folders
    .flatMap(([role, path]) => (path === null ? [] : [{ role, key: hostPath(path, directory) }]))
    .filter(({ key }) => !resting.has(key));
  return {
    question: { folders: own.map(({ key }) => key), hub, environment, pids: run.tree },
    places: [...hub.map(({ id }) => ({ role: 'download' as const, key: id })), ...own],
  };
}

/** Those that could be counted. */
export function folderLooks({ places }: Asked, { bytes, totals, partial }: WorkView): FolderLook[] {
  return places.flatMap(({ role, key }) => {
    const found = bytes.get(key) ?? null;
    return found === null
      ? []
      : [{ role, path: key, bytes: found, total: totals.get(key) ?? null, isPartial: partial.has(key) }];
  });
}

/** torch.compile's, Triton's and DeepGEMM's results stand below the first; flashinfer/jit/env.py has the second. */
function compileCaches(environment: Readonly<Record<string, string>>): string[] {
  return [compileCache(environment), `${environment.FLASHINFER_WORKSPACE_BASE || '~'}/.cache/flashinfer`];
}

/** Beside the last checkpoint, else where the command says. */
function checkpointFolder({ request, reading }: Run, { savePath }: Commands): string | null {
  const { checkpoint } = reading.facts;
  if (request.kind !== 'train') return null;
  return typeof checkpoint === 'string' && checkpoint.includes('/') ? posix.dirname(checkpoint) : savePath;
}
