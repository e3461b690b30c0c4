/** What a reader must remember to go on at a byte: plain JSON, masked text only. */

import { z } from 'zod';
import { keyBlock } from './private-keys.ts';
import { EMPTY_TRAINING, trainingState } from './training/state.ts';
import { wrapperName } from './wrapper.ts';

/** Grows with every change of what the reader makes of the same bytes: a carry of another version is not read. */
export const READER_VERSION = 6;

const speaker = z.object({ process: z.string().nullable(), pid: z.number().nullable() });

const failure = z.object({
  line: z.number(),
  stamp: z.string().nullable(),
  process: z.string().nullable(),
  pid: z.number().nullable(),
  type: z.string(),
  message: z.array(z.string()),
});

const openTraceback = z.object({
  /** Process and pid of those who may write it. */
  speaker: z.string(),
  /** The record's `core.py:1136`, or '' for an unlogged traceback. */
  source: z.string(),
  stamp: z.string().nullable(),
  first: z.number(),
  last: z.number(),
  text: z.array(z.string()),
  /** Characters of `text`. */
  size: z.number(),
  /** Lines that were left out of `text`. */
  left: z.number(),
  /** null while its frames are read. */
  failure: failure.nullable(),
  /** A blank line of the message counts only when text follows. */
  blanks: z.number(),
  hasCarriageReturns: z.boolean(),
  /** It is not told: logged below ERROR, or announced as harmless. */
  isSilent: z.boolean(),
  /** Lines of others among its frames. */
  strangers: z.number(),
  /** Of a sub-exception and of a group: the column of its bar; else 0. */
  margin: z.number(),
  /** Spaces before all of its lines, as in torchrun's block. */
  indent: z.number(),
  /** The line of the JSON record that holds it, or null. */
  record: z.number().nullable(),
  /** What it hangs on. */
  chain: z
    .object({ line: z.number(), how: z.enum(['cause', 'context', 'group', 'quoted']), what: z.string() })
    .nullable(),
  /** No "Traceback" line stands above it. */
  isHeadless: z.boolean(),
  /** C++ printed something since: a C++ stack is that one's. */
  isPastNative: z.boolean(),
});
export type OpenTraceback = z.infer<typeof openTraceback>;

const link = z.object({
  speaker: z.string(),
  margin: z.number(),
  line: z.number(),
  what: z.string(),
  isSilent: z.boolean(),
});
export const tracebackLinks = z.object({
  /** The last exception of each speaker, and what a sentence behind it said of the next one. */
  told: z.array(link.extend({ how: z.enum(['cause', 'context']).nullable() })),
  /** Groups whose sub-exceptions are being read: for so many lines more. */
  groups: z.array(link.extend({ left: z.number() })),
});

const files = z.object({ total: z.number(), finished: z.array(z.number()) });

const readerCarry = z.object({
  version: z.literal(READER_VERSION),
  line: z.number().int().min(1),
  isLineStart: z.boolean(),
  /** Of the line that the offset stands in: who spoke, and what a person would see of it. */
  speaker,
  prefix: z.string(),
  shown: z.string(),
  /** A private key whose lines come next, or null. */
  key: keyBlock.nullable(),
  /** What stands before every line, once the file has proved it. */
  wrapper: wrapperName.nullable(),
  engine: z.enum(['vllm', 'sglang']),
  hasStarted: z.boolean(),
  /** Something was seen that a new start would make old. */
  isUsed: z.boolean(),
  /** API servers that have been heard. */
  servers: z.number(),
  /** Weight files that come from a hub. */
  files: files.nullable(),
  /** SGLang captures graphs: a bar without a name is that one's. */
  isCapturing: z.boolean(),
  open: z.array(openTraceback),
  /** Speakers whose next traceback is harmless: for so many lines more. */
  harmless: z.array(z.object({ speaker: z.string(), left: z.number() })),
  links: tracebackLinks,
  /** Of a training's log. */
  training: trainingState,
});
export type ReaderCarry = z.infer<typeof readerCarry>;

/** False for a carry of another reader version: the log is then read again from its start. */
export function isReadable(carry: unknown): carry is ReaderCarry {
  return readerCarry.safeParse(carry).success;
}

export const EMPTY_CARRY: ReaderCarry = {
  version: READER_VERSION,
  line: 1,
  isLineStart: true,
  speaker: { process: null, pid: null },
  prefix: '',
  shown: '',
  key: null,
  wrapper: null,
  engine: 'vllm',
  hasStarted: false,
  isUsed: false,
  servers: 0,
  files: null,
  isCapturing: false,
  open: [],
  harmless: [],
  links: { told: [], groups: [] },
  training: EMPTY_TRAINING,
};
