/** The bytes of a log, from a position on, for as long as the caller wants. */

import { CommandFailed } from '../errors.ts';
import { type Opening, parseOpening, renderFollow } from '../shell/follow.ts';
import type { FollowTarget, LogChunk, LogPosition } from '../tools.ts';
import { type Linked, linkTo } from './deadline.ts';
import { failure, stream } from './exec.ts';
import type { Sessions } from './sessions.ts';

interface Following {
  readonly sessions: Sessions;
  readonly target: FollowTarget;
  readonly signal: AbortSignal;
}

/** Stands in for a checksum: no file has it, so the log is read from its start. */
const TRUNCATED = 'truncated';

/**
 * Throws CommandFailed when another follower of the run took over, HostUnreachable when the connection broke: the caller goes on from the
 * last position.
 */
export async function* follow({ sessions, target, signal }: Following): AsyncGenerator<LogChunk> {
  let from: LogPosition = target.from;
  for (;;) {
    const truncation = linkTo(signal);
    try {
      for await (const chunk of followOnce(
        { sessions, target: { ...target, from }, signal: truncation.signal },
        truncation,
      )) {
        from = advance(from, chunk);
        yield chunk;
      }
      throw failure(sessions, renderFollow(target), 'tail ended by itself');
    } catch (error) {
      signal.throwIfAborted();
      if (!truncation.signal.aborted) throw explain(error);
      if (from.generation !== null) from = { ...from, generation: { ...from.generation, sum: TRUNCATED } };
    } finally {
      truncation.unlink();
    }
  }
}

async function* followOnce({ sessions, target, signal }: Following, truncation: Linked): AsyncGenerator<LogChunk> {
  const script = renderFollow(target);
  const onStderr = (text: string) => {
    if (text.includes('truncated')) truncation.abort();
  };
  let head: Buffer | null = Buffer.alloc(0);
  for await (const bytes of stream({ sessions, script, signal, onStderr })) {
    if (head === null) {
      yield { kind: 'bytes', bytes };
      continue;
    }
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf(0x0a);
    if (end < 0) continue;
    const opening = parseOpening(head.toString('utf8', 0, end));
    if (opening === null) throw failure(sessions, script, 'the log was opened, but what it is was not told');
    yield* announce(opening);
    const rest: Buffer = head.subarray(end + 1);
    head = null;
    if (rest.length > 0) yield { kind: 'bytes', bytes: rest };
  }
}

function* announce({ generation, size, offset, hasLoss }: Opening): Generator<LogChunk> {
  yield { kind: 'opened', generation, size, offset };
  if (hasLoss) yield { kind: 'lost', bytes: null };
}

function advance(from: LogPosition, chunk: LogChunk): LogPosition {
  if (chunk.kind === 'opened') return { generation: chunk.generation, offset: chunk.offset };
  return chunk.kind === 'bytes' ? { ...from, offset: from.offset + chunk.bytes.length } : from;
}

function explain(error: unknown): unknown {
  if (!(error instanceof CommandFailed) || !error.stderr.startsWith('ended by signal SIGTERM')) return error;
  const stderr = 'another follower of this run took over';
  return new CommandFailed({ host: error.host, script: error.script, exitCode: null, stderr, cause: error });
}
