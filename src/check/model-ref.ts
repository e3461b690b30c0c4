/** Whether the word behind `vllm serve` is a folder on the host or a model of the hub. */

import { posix } from 'node:path';
import type { ModelRef } from './subject.ts';

/**
 * As vllm takes it: what isn't there as a path is asked of the hub. One or two plain words are taken for a hub id here, though a folder of that
 * name below the working directory would win: the host is asked for both. null for what is neither (`s3://bucket/model`, `org/model:Q4_K_M`,
 * `org/model/model-Q4_K_M.gguf`).
 */
export function modelRef(word: string, revision: string | null): ModelRef | null {
  if (HUB_ID.test(word)) return { kind: 'hub', id: word, revision: revision || 'main' };
  if (HUB_FILE.test(word)) return null;
  return /^[/.~]/.test(word) || !word.includes(':') ? { kind: 'folder', path: word } : null;
}

/** As the command names it. */
export function nameOf(ref: ModelRef): string {
  return ref.kind === 'folder' ? (ref.name ?? ref.path) : ref.id;
}

/** Where a folder of it would be. */
export function pathOf(ref: ModelRef): string {
  return ref.kind === 'folder' ? ref.path : (ref.local ?? ref.id);
}

/** The same from the folder on that a script has gone to ('' = none); null where nobody knows that folder. */
export function below(ref: ModelRef, folder: string | null): ModelRef | null {
  const name = nameOf(ref);
  if (folder === '' || /^(?:\/|~)/.test(name)) return ref;
  if (folder === null) return ref.kind === 'folder' ? null : ref;
  const path = posix.join(folder, name);
  return ref.kind === 'folder' ? { ...ref, path, name } : { ...ref, local: path };
}

/** A file of a hub's model. */
const HUB_FILE = /^[A-Za-z0-9_][\w.-]{0,95}\/[A-Za-z0-9_][\w.-]{0,95}\/[^/:]{1,200}\.gguf$/i;
/** huggingface_hub/utils/_validators.py: no dot or dash first. */
const HUB_ID = /^[A-Za-z0-9_][\w.-]{0,95}(?:\/[A-Za-z0-9_][\w.-]{0,95})?$/;
