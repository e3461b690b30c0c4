/** Whether the word behind `vllm serve` is a folder on the host or a model of the hub. */

import type { ModelRef } from './subject.ts';

/**
 * As vllm takes it: what isn't there as a path is asked of the hub. One or two plain words are taken for a hub id here, though a folder of that
 * name below the working directory would win: the host is asked for both. null for what is neither (`s3://bucket/model`, `org/model:Q4_K_M`).
 */
export function modelRef(word: string, revision: string | null): ModelRef | null {
  if (HUB_ID.test(word)) return { kind: 'hub', id: word, revision: revision || 'main' };
  return /^[/.~]/.test(word) || !word.includes(':') ? { kind: 'folder', path: word } : null;
}

/** What is told of it: the path, or the id. */
export function nameOf(ref: ModelRef): string {
  return ref.kind === 'folder' ? ref.path : ref.id;
}

/** huggingface_hub/utils/_validators.py: no dot or dash first. */
const HUB_ID = /^[A-Za-z0-9_][\w.-]{0,95}(?:\/[A-Za-z0-9_][\w.-]{0,95})?$/;
