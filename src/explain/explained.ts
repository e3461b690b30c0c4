/** What is told of one log: what stands in it, what is known of its process, and what follows from both. */

import type { Cause } from '../diagnosis/cause.ts';
import { judge } from '../diagnosis/judge.ts';
import type { Evidence, Judgement } from '../diagnosis/judgement.ts';
import { type RuledOut, ruledOut } from '../diagnosis/ruled-out.ts';
import { createMask } from '../log/mask.ts';
import { assume } from './assume.ts';
import type { ReadLog } from './read-log.ts';

const mask = createMask([]);

export interface ReadFile {
  readonly file: string;
  readonly log: ReadLog;
  /** What a person should know of the file itself: packed, cut. */
  readonly notices: readonly string[];
}

export interface UnreadFile {
  readonly file: string;
  readonly error: string;
}

export interface Explained extends ReadFile {
  readonly evidence: Evidence;
  /** Nobody said whether the process lives. */
  readonly isAssumed: boolean;
  readonly judgement: Judgement;
  readonly ruledOut: readonly RuledOut[];
}

/** Each by itself; of a training and a server together the server is the training's target, and `evidence` speaks of the training alone. */
export function explainAll(
  files: readonly (ReadFile | UnreadFile)[],
  evidence: Evidence | null,
): readonly (Explained | UnreadFile)[] {
  const server = files.length === 2 && files.some((each) => isOf(each, 'train')) ? files.find(isServer) : undefined;
  const target = server === undefined ? null : explainOne(server, null, null);
  return files.map((each) => {
    if ('error' in each) return each;
    if (target !== null && each === server) return target;
    return explainOne(each, evidence, target?.judgement.cause ?? null);
  });
}

function explainOne(file: ReadFile, given: Evidence | null, target: Cause | null): Explained {
  const { reading } = file.log;
  const { alive, exitCode } = given ?? assume(file.log);
  const judgement = judge(reading, { alive, exitCode, target });
  const evidence = { alive, exitCode: given?.exitCode ?? null };
  return {
    ...file,
    log: { ...file.log, tail: shownLines(file.log.tail) },
    evidence,
    isAssumed: given === null,
    judgement: { ...judgement, cause: judgement.cause && showable(judgement.cause) },
    ruledOut: ruledOut(reading, judgement).map((each) => ({ ...each, what: mask(each.what) })),
  };
}

function showable(cause: Cause): Cause {
  const { message, traceback } = cause;
  const shown = traceback && { ...traceback, text: shownLines(traceback.text) };
  return { ...cause, message: mask(message), traceback: shown };
}

/** Together: of a private key that the log begins within, the end alone tells what stands before it. */
function shownLines(lines: readonly string[]): readonly string[] {
  return mask(lines.join('\n')).split('\n');
}

function isOf(each: ReadFile | UnreadFile, kind: 'serve' | 'train'): each is ReadFile {
  return 'log' in each && each.log.kind === kind;
}

function isServer(each: ReadFile | UnreadFile): each is ReadFile {
  return isOf(each, 'serve');
}
