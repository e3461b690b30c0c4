/** The bytes of a log, from a position on, for as long as the caller wants. */

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailed, HostRefused } from '../errors.ts';
import type { FollowTarget, LogChunk, LogPosition } from '../host/log.ts';
import { parseAside, type Reason, renderFollow } from '../shell/follow.ts';
import type { Script } from '../shell/script.ts';
import { spellDescriptor } from '../shell/tail-voice.ts';
import { linkTo } from './deadline.ts';
import { failure, stream } from './exec.ts';
import { Followed, Unfollowable } from './followed.ts';
import { Rest, withRests } from './rests.ts';
import type { Sessions } from './sessions.ts';

interface Following {
  readonly sessions: Sessions;
  readonly target: FollowTarget;
  readonly signal: AbortSignal;
}

/** Between two openings (ms): a file that is cut all the time must not cost its host a shell each time. */
const BETWEEN_OPENINGS = 1_000;

/**
 * Throws CommandFailed when another follower of the run took over or the log can't be read, HostUnreachable when the connection broke: the
 * caller goes on from the last position. Throws HostRefused where the log's path leads to another file than the allowed one.
 */
export async function* follow({ sessions, target, signal }: Following): AsyncGenerator<LogChunk> {
  let from = target.from;
  let reason: Reason = { how: 'resume' };
  for (;;) {
    const begun = performance.now();
    const opening = followOnce({ sessions, target: { ...target, from }, signal }, reason);
    try {
      for (let next = await opening.next(); ; next = await opening.next()) {
        if (next.done) {
          reason = next.value;
          break;
        }
        from = advance(from, next.value);
        yield next.value;
      }
    } finally {
      await opening.return(reason);
    }
    const rest = Math.max(0, BETWEEN_OPENINGS - (performance.now() - begun));
    await pause(rest, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function* followOnce({ sessions, target, signal }: Following, why: Reason): AsyncGenerator<LogChunk, Reason> {
  const spelling = spellDescriptor(randomBytes(8));
  const script = renderFollow(target, why, spelling);
  const followed = new Followed(spelling);
  const rest = new Rest();
  const link = linkTo(signal);
  const onStderr = (text: string) => {
    followed.note(text);
    rest.wake();
  };
  const source = stream({ sessions, script, signal: link.signal, onStderr });
  try {
    for await (const came of withRests(source, () => rest.over(followed.patience))) {
      yield* typeof came === 'string' ? followed.settle({ isLate: came === 'late' }) : followed.take(came);
      const reason = followed.ending();
      if (reason !== null) return reason;
    }
    throw failure(sessions, script, 'tail ended by itself');
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, { sessions, target, script });
  } finally {
    link.abort();
    link.unlink();
  }
}

function advance(from: LogPosition, chunk: LogChunk): LogPosition {
  if (chunk.kind === 'opened') return { generation: chunk.generation, offset: chunk.offset };
  if (chunk.kind === 'known') return { ...from, generation: chunk.generation };
  return chunk.kind === 'bytes' ? { ...from, offset: from.offset + chunk.bytes.length } : from;
}

interface Failing {
  readonly sessions: Sessions;
  readonly target: FollowTarget;
  readonly script: Script;
}

function explain(error: unknown, { sessions, target, script }: Failing): unknown {
  if (error instanceof Unfollowable && error.elsewhere === null) return failure(sessions, script, error.message);
  if (error instanceof Unfollowable) {
    const { host } = sessions;
    const text = `${target.log} on ${host} is ${error.elsewhere} now; it was allowed as ${target.real}. It is not read: put the log back in its place, or have the other path watched.`;
    return new HostRefused(host, text, { cause: error });
  }
  if (!(error instanceof CommandFailed)) return error;
  const isEnded = error.stderr.startsWith('ended by signal SIGTERM');
  const said = error.stderr.split('\n').filter((line) => line !== '' && parseAside(line) === null);
  const stderr = isEnded ? 'another follower of this run took over' : said.join('\n');
  return new CommandFailed({ host: error.host, script: script.name, exitCode: error.exitCode, stderr, cause: error });
}
