/** An entry of the archive as it is written down, and what is read of it again. What another version wrote and this one can't read is passed over. */

import { z } from 'zod';
import type { HistoryEntry, TeamNote } from '../history/entry.ts';
import { entryOf } from '../history/entry-of.ts';
import type { Happening } from '../run/happening.ts';
import { ENDS, PHASES, type Run } from '../run/run.ts';
import { PlaceShape } from './place-shape.ts';
import { Acceptance } from './records.ts';

/** What the scripts are given of an entry. */
export interface Archived {
  readonly json: string;
  /** Its place in the index. */
  readonly member: string;
  readonly at: number;
  readonly fingerprint: string;
}

/** What a run is found by. */
export interface IndexRow {
  readonly id: string;
  readonly name: string;
  readonly kind: 'serve' | 'train';
  readonly host: string;
  readonly recipe: string;
  readonly fingerprint: string | null;
}

/** What stands in the archive for a run that ended and that nobody can read. */
export const UNREADABLE: Archived = { json: '-', member: '', at: 0, fingerprint: '' };

/** The run as it is kept once it has ended; null where a run of another version lacks what is told of it: its end goes before its history. */
export function archivedOf(run: Run, happened: readonly Happening[]): Archived | null {
  // Our clock where its end is among what happened; a run that ended long ago has that of its last phase.
  const at = happened.find(({ kind }) => ENDS.some((end) => end === kind))?.seen ?? run.visits.at(-1)?.at ?? run.seenAt;
  try {
    const entry = entryOf(run, at);
    return { json: JSON.stringify(entry), member: memberOf(entry), at, fingerprint: entry.fingerprint ?? '' };
  } catch {
    return null;
  }
}

function memberOf({ run, name, kind, host, recipe, fingerprint }: HistoryEntry): string {
  return JSON.stringify([run, name, kind, host, recipe, fingerprint]);
}

/** Id, name, kind, host, recipe, fingerprint; another Vigil may have more to say. */
const Member = z.tuple(
  [z.string(), z.string(), z.enum(['serve', 'train']), z.string(), z.string(), z.string().nullable()],
  z.unknown(),
);
/** What is removed needs no more of the three than this, whoever wrote it. */
const MemberOfAny = z.tuple([z.string()], z.unknown());
const EntryOfAny = z.object({ fingerprint: z.string().nullable() });
const RunOfAny = z.object({ request: z.object({ name: z.string() }) });
const Entry = z.object({
  version: z.literal(1),
  run: z.string(),
  name: z.string(),
  kind: z.enum(['serve', 'train']),
  host: z.string(),
  recipe: z.string(),
  argv: z.array(z.string()),
  devices: z.array(z.string()),
  by: z.string(),
  stoppedBy: z.string().nullable(),
  at: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number(),
  end: z.enum(ENDS),
  isRefused: z.boolean(),
  outcome: z.enum(['ready', 'warnings', 'unusable']).nullable(),
  phases: z.array(z.object({ phase: z.enum(PHASES), ms: z.number() })),
  versions: z.record(z.string(), z.string()),
  exit: z.object({ code: z.number().nullable(), signal: z.number().nullable() }).nullable(),
  cause: z
    .object({
      category: z.string(),
      row: z.string(),
      title: z.string(),
      message: z.string(),
      remedy: z.string(),
      process: z.string().nullable(),
    })
    .nullable(),
  fingerprint: z.string().nullable(),
  numbers: z.object({
    tokensPerSecond: z.number().nullable(),
    isDisturbed: z.boolean().nullable().default(null),
    firstTokenMs: z.number().nullable(),
    acceptance: Acceptance.nullable(),
    loss: z.union([z.number(), z.string()]).nullable(),
    step: z.number().nullable(),
  }),
  thread: PlaceShape.nullable(),
});
const Note = z.object({ text: z.string(), by: z.string(), at: z.number() });

export function readMember(member: string): IndexRow | null {
  const found = parse(Member, member);
  if (found === null) return null;
  const [id, name, kind, host, recipe, fingerprint] = found;
  return { id, name, kind, host, recipe, fingerprint };
}

/** The run that a member of the index stands for. */
export function idIn(member: string): string | null {
  return parse(MemberOfAny, member)?.[0] ?? null;
}

export function fingerprintIn(entry: string | null): string | null {
  return parse(EntryOfAny, entry)?.fingerprint ?? null;
}

/** The short name of a saved run; '' where it can't be read. */
export function nameIn(run: string | null): string {
  return parse(RunOfAny, run)?.request.name ?? '';
}

export function readEntry(json: string | null): HistoryEntry | null {
  return parse(Entry, json);
}

export function readThread(json: string | null): HistoryEntry['thread'] {
  return parse(PlaceShape, json);
}

export function readNote(json: string | null): TeamNote | null {
  return parse(Note, json);
}

function parse<Shape extends z.ZodType>(shape: Shape, json: string | null): z.output<Shape> | null {
  if (json === null || json === '') return null;
  try {
    return shape.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
