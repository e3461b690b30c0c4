/** What a run folder keeps of the request: enough to take a run up again without Redis. */

import { z } from 'zod';
import type { Placement } from '../run/holder.ts';
import type { Request } from '../run/request.ts';

export interface Note {
  readonly request: Request;
  /** The channel of its thread. */
  readonly home: string;
  /** The GPUs that it has. */
  readonly placement: Placement | null;
}

export function note(content: Note): string {
  return JSON.stringify(content);
}

/** null for what no Vigil of this version wrote. */
export function readNote(text: string): Note | null {
  try {
    return NoteShape.parse(JSON.parse(text));
  } catch {
    return null; // not JSON or another shape: a foreign file
  }
}

const Address = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tcp'), host: z.string(), port: z.number() }),
  z.object({ kind: z.literal('unix'), path: z.string() }),
]);
const FoundShape = z.object({
  process: z
    .object({
      pid: z.number(),
      group: z.number(),
      user: z.string().nullable(),
      command: z.string(),
      server: z.object({ pid: z.number(), start: z.number() }).nullable(),
    })
    .nullable(),
  size: z.number(),
  trigger: z.string().nullable(),
  answered: z.boolean(),
  isTls: z.literal(true).exactOptional(),
});
const asked = {
  id: z.string(),
  name: z.string(),
  host: z.string(),
  recipe: z.string(),
  argv: z.array(z.string()),
  log: z.string().nullable(),
  gpus: z.union([z.number(), z.array(z.string())]),
  stopGrace: z.number(),
  by: z.string(),
  channel: z.string(),
  at: z.number(),
  /** A server's note had none before servers could be found. */
  found: FoundShape.nullable().default(null),
  budgets: z.record(z.string(), z.number()).exactOptional(),
  again: z.object({ run: z.string(), name: z.string(), trigger: z.string() }).exactOptional(),
};
const RequestShape = z.discriminatedUnion('kind', [
  z.object({ ...asked, kind: z.literal('serve'), address: Address.nullable() }),
  z.object({ ...asked, kind: z.literal('train'), address: Address.nullable(), targetLog: z.string().nullable() }),
]);
const PlacementShape = z.object({
  devices: z.array(z.string()),
  holds: z.array(z.string()),
  freeAt: z.number().nullable(),
});
/** A note of a Vigil that chose no GPUs has no placement. */
const NoteShape = z.object({
  request: RequestShape,
  home: z.string(),
  placement: PlacementShape.nullable().default(null),
});
