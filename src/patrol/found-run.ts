/** What somebody started by hand, as a run: watched like any other, ended only process by process as somebody confirms it. */

import { createHash } from 'node:crypto';
import type { ServerAddress } from '../address.ts';
import { TRAINING_GRACE } from '../config/training.ts';
import type { Started } from '../host/launch.ts';
import type { Generation, PatrolFile, PatrolView } from '../host/log.ts';
import type { Pid, Writer } from '../host/process.ts';
import type { Checkpoint } from '../journal.ts';
import { EMPTY_CARRY } from '../log/carry.ts';
import { shownCommand } from '../log/shown-command.ts';
import type { Found, Request } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { newRun, UNNAMED } from '../run/step.ts';

export interface Discovery {
  readonly instance: string;
  readonly host: string;
  readonly channel: string;
  readonly kind: Request['kind'];
  readonly log: Pick<PatrolFile, 'path' | 'device' | 'inode' | 'size' | 'modified'>;
  readonly generation: Generation;
  /** The byte where its reading begins, and the number of that byte's line. */
  readonly from: number;
  readonly line: number;
  readonly facts: PatrolView['facts'];
  /** Host time, ms. */
  readonly now: number;
  /** Our clock, ms. */
  readonly seen: number;
  /** The process whose end is its end; null where nobody is seen to write the log. */
  readonly main: FirstProcess | null;
  /** All that are seen to belong to it. */
  readonly tree: readonly Pid[];
  /** Who named the log; null where a patrol found it. */
  readonly asked: Asked | null;
  /** Of a server that says on its command line that it is one. */
  readonly server: FoundServer | null;
}

export type FirstProcess = Pick<Writer, 'pid' | 'start' | 'group' | 'user' | 'since' | 'command'>;

export interface Asked {
  readonly by: string;
  readonly trigger: string;
  /** The same was followed before, and that has ended: this is another run. */
  readonly isAgain: boolean;
}

export interface FoundServer {
  readonly process: Pid;
  readonly address: ServerAddress | null;
  /** Seconds. */
  readonly stopGrace: number;
  /** It answers already. */
  readonly answers: boolean;
  /** It serves HTTPS. */
  readonly isTls: boolean;
}

/** Seconds that a stop waits for a server that doesn't say how long it takes. */
const SERVER_GRACE = 60;

/** The run; its id follows from what was found, so that a second look at the same finds the same run. */
export function foundRun(found: Discovery): Run {
  const { log, main, facts, now, asked } = found;
  const at = main?.since ?? now;
  const started = {
    main: main === null ? { pid: 0, start: 0 } : { pid: main.pid, start: main.start },
    session: 0,
    ...facts,
    log: log.path,
    movedLog: null,
    preludeShell: null,
    warnings: [],
    at,
  };
  const tree = found.tree.map(({ pid, start }) => ({ pid, start }));
  // How long it was silent before somebody asked for it is history.
  return begunByHand(requestOf(found), { started, tree, heard: asked === null ? log.modified : now, now });
}

/** Its run at the moment when it is taken up; times are the host's, ms. */
export function begunByHand(
  request: Request,
  { started, tree, heard, now }: { started: Started; tree: readonly Pid[]; heard: number; now: number },
): Run {
  return {
    ...newRun(request),
    phase: 'launched',
    visits: [{ phase: 'launched', at: started.at }],
    started,
    attempted: true,
    tree,
    heard,
    seenAt: now,
  };
}

/** Where its log's reading begins: behind what older trainings left in the same file; null = at its start. */
export function startOf({ from, line, generation }: Discovery): Checkpoint | null {
  if (from === 0) return null;
  return { position: { generation, offset: from }, carry: { ...EMPTY_CARRY, line }, target: null };
}

function requestOf(found: Discovery): Request {
  const { instance, host, channel, kind, log, seen, asked, server } = found;
  const { path } = log;
  const request = {
    id: `${instance}-${host}-${hashOf(found)}`,
    name: UNNAMED,
    host,
    recipe: path.slice(path.lastIndexOf('/') + 1),
    argv: [],
    log: path,
    gpus: [],
    stopGrace: kind === 'train' ? TRAINING_GRACE : (server?.stopGrace ?? SERVER_GRACE),
    by: asked?.by ?? '',
    channel,
    at: seen,
    found: whatWasSeen(found),
  };
  if (kind === 'serve') return { ...request, kind, address: server?.address ?? null };
  return { ...request, kind, address: null, targetLog: null };
}

/** A process tells one training from the next; without one it is the log's beginning and where the news in it began. */
function hashOf({ host, log, main, generation, from, asked }: Discovery): string {
  const who = main === null ? [generation.sum, from] : [main.pid, main.start];
  const again = asked?.isAgain === true ? [asked.trigger] : [];
  return createHash('sha256')
    .update([host, log.path, log.device, log.inode, ...who, ...again].join('\n'))
    .digest('hex')
    .slice(0, 12);
}

function whatWasSeen({ log, main, asked, server }: Discovery): Found {
  const isOther = main !== null && server !== null && server.process.pid !== main.pid;
  return {
    process:
      main === null
        ? null
        : {
            pid: main.pid,
            group: main.group,
            user: main.user,
            command: shownCommand(main.command),
            server: isOther ? server.process : null,
          },
    size: log.size,
    trigger: asked?.trigger ?? null,
    answered: server?.answers ?? false,
    ...(server?.isTls === true ? { isTls: true } : {}),
  };
}
