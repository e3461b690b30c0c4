/** A training that somebody started by hand, as a run: watched like any other, stopped by nobody here. */

import { createHash } from 'node:crypto';
import { shownCommand } from '../flow/shown-command.ts';
import type { Checkpoint } from '../journal.ts';
import { EMPTY_CARRY } from '../log/carry.ts';
import type { TrainRequest } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { newRun, UNNAMED } from '../run/step.ts';
import type { PatrolFile, PatrolView, Peek, Writer } from '../tools.ts';

export interface Discovery {
  readonly instance: string;
  readonly host: string;
  readonly channel: string;
  readonly file: PatrolFile;
  readonly from: number;
  readonly peek: Peek;
  readonly facts: PatrolView['facts'];
  /** Host time, ms. */
  readonly now: number;
  /** Our clock, ms. */
  readonly seen: number;
  /** null where nobody is seen to write the log. */
  readonly main: Writer | null;
  /** All that write it. */
  readonly writers: readonly Writer[];
}

/** The run; its id follows from what was found, so that a second look at the same training finds the same run. */
export function foundRun(found: Discovery): Run {
  const { file, main, facts, now } = found;
  const at = main?.since ?? now;
  const started = {
    main: main === null ? { pid: 0, start: 0 } : { pid: main.pid, start: main.start },
    session: 0,
    ...facts,
    log: file.path,
    movedLog: null,
    preludeShell: null,
    at,
  };
  const run = newRun(requestOf(found));
  return {
    ...run,
    phase: 'launched',
    visits: [{ phase: 'launched', at }],
    started,
    attempted: true,
    tree: found.writers.map(({ pid, start }) => ({ pid, start })),
    heard: file.modified,
    seenAt: now,
  };
}

/** Where its log's reading begins: behind what older trainings left in the same file; null = at its start. */
export function startOf({ from, peek }: Discovery): Checkpoint | null {
  if (from === 0) return null;
  return {
    position: { generation: peek.generation, offset: from },
    carry: { ...EMPTY_CARRY, line: peek.line ?? 1 },
    target: null,
  };
}

function requestOf({ instance, host, channel, file, from, peek, seen, main }: Discovery): TrainRequest {
  const { device, inode, path, size } = file;
  // A process tells one training from the next; without one it is the log's beginning and where the news in it began.
  const who = main === null ? [peek.generation.sum, from] : [main.pid, main.start];
  const hash = createHash('sha256')
    .update([host, path, device, inode, ...who].join('\n'))
    .digest('hex')
    .slice(0, 12);
  return {
    kind: 'train',
    id: `${instance}-${host}-${hash}`,
    name: UNNAMED,
    host,
    recipe: path.slice(path.lastIndexOf('/') + 1),
    argv: [],
    log: path,
    gpus: [],
    address: null,
    targetLog: null,
    stopGrace: 0,
    by: '',
    channel,
    at: seen,
    found: {
      process:
        main === null
          ? null
          : { pid: main.pid, group: main.group, user: main.user, command: shownCommand(main.command) },
      size,
    },
  };
}
