/** What a run folder keeps of the request: enough to take a run up again without Redis. */

import { z } from 'zod';
import type { Request } from '../run/request.ts';

export interface Note {
  readonly request: Request;
  /** The channel of its thread. */
  readonly home: string;
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
const asked = {
  id: z.string(),
  name: z.string(),
  host: z.string(),
  recipe: z.string(),
  argv: z.array(z.string()),
  log: z.string().nullable(),
  gpus: z.array(z.string()),
  stopGrace: z.number(),
  by: z.string(),
  channel: z.string(),
  at: z.number(),
};
/** A training that somebody else started has no run folder, and so no note. */
const RequestShape = z.discriminatedUnion('kind', [
  z.object({ ...asked, kind: z.literal('serve'), address: Address }),
  z.object({
    ...asked,
    kind: z.literal('train'),
    address: Address.nullable(),
    targetLog: z.string().nullable(),
    found: z.null(),
  }),
]);
const NoteShape = z.object({ request: RequestShape, home: z.string() });
