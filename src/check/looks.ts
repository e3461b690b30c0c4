/** What the host showed of a model, folder or hub. */

import { lastFlag } from '../config/flags.ts';
import type { ModelLook } from '../host/preflight.ts';
import type { Known } from './check.ts';
import { asObject, type JsonObject, parseJson } from './json.ts';
import { pathOf } from './model-ref.ts';
import type { ModelRef, Server } from './subject.ts';

type Shown = Pick<Known, 'models' | 'hub'>;

/** A folder of that name below the working directory wins over the hub. null where it isn't there, or isn't cached. */
export function lookOf(ref: ModelRef, { models, hub }: Shown): ModelLook | null {
  const local = models.get(pathOf(ref));
  if (ref.kind === 'folder') return local ?? null;
  return local?.kind === 'model' ? local : (hub.get(ref.id)?.snapshot ?? null);
}

/** config.json of a model; null where none can be read. */
export function configOf(ref: ModelRef | null, shown: Shown): JsonObject | null {
  const look = ref === null ? null : lookOf(ref, shown);
  return look?.kind === 'model' && look.config !== null ? asObject(parseJson(look.config)) : null;
}

/** config.json of a server's own model; null as well where `--hf-config-path` has it elsewhere. */
export function targetConfig(server: Server, shown: Shown): JsonObject | null {
  return lastFlag(server.argv, '--hf-config-path') === null ? configOf(server.model, shown) : null;
}

/** The part that describes the text model: all of it, or `text_config` of one that sees, too. */
export function textConfig(config: JsonObject): JsonObject {
  return asObject(config.text_config) ?? asObject(config.llm_config) ?? config;
}

/** A server's models, each with its part in it. */
export function modelsOf({
  model,
  drafter,
}: Server): readonly { readonly ref: ModelRef; readonly isDrafter: boolean }[] {
  return [
    ...(model === null ? [] : [{ ref: model, isDrafter: false }]),
    ...(drafter === null ? [] : [{ ref: drafter, isDrafter: true }]),
  ];
}
