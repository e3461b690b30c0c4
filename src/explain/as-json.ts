/** What is told of a log as one JSON object on one line: the fields of the labelled logs' `expected.json`, and some more. */

import type { Cause } from '../diagnosis/cause.ts';
import { differencesOf } from './engine-lines.ts';
import type { Explained, UnreadFile } from './explained.ts';
import type { Mark } from './timeline.ts';

export function asJson(explained: Explained | UnreadFile): string {
  return `${JSON.stringify('error' in explained ? explained : fieldsOf(explained))}\n`;
}

function fieldsOf({ file, log, evidence, isAssumed, judgement, ruledOut, notices }: Explained) {
  const { verdict, phases, progress, cause, facts } = judgement;
  return {
    file,
    kind: log.kind,
    alive: evidence.alive,
    exit_code: evidence.exitCode,
    evidence: isAssumed ? 'assumed' : 'given',
    verdict,
    phases,
    progress,
    cause: cause === null ? null : causeOf(cause),
    facts,
    remedy: cause?.remedy ?? null,
    ruled_out: ruledOut,
    asked: log.reading.asked,
    engine: log.reading.engine,
    engine_differences: differencesOf(log.reading),
    timeline: log.marks.map(markOf),
    bytes: log.bytes,
    lines: log.lines,
    starts: log.starts,
    start_line: log.startLine ?? 1,
    notices,
  };
}

/** All of the cause but the traceback's text: its lines say where it stands. */
function causeOf({ traceback, ...cause }: Cause) {
  return { ...cause, traceback_lines: traceback === null ? null : [traceback.first, traceback.last] };
}

function markOf({ phase, line, stamp, isNear, isTargets }: Mark) {
  return { phase, line, stamp, is_near: isNear, of: isTargets ? 'target' : 'log' };
}
