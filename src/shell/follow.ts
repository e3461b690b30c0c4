/** Following a log by descriptor: what is behind the name is opened once, told apart from what was read before, and read on. */

import type { FollowTarget, Generation, LossReason } from '../host/log.ts';
import { FOLLOW } from './follower.ts';
import { HEAD } from './opening.ts';
import { line, type Script } from './script.ts';

/** What comes behind a file that was read to its end; not sure where there may have been another between the two. */
export interface Next extends Omit<Generation, 'device'> {
  readonly isSure: boolean;
}

/** Why a log is opened: to go on, since the file was cut or overwritten, or since it is read to its end and another follows. */
export type Reason =
  | { readonly how: 'resume' }
  | { readonly how: 'cut' }
  | { readonly how: 'next'; readonly next: Next };

export interface Opening {
  readonly generation: Generation;
  readonly size: number;
  readonly offset: number;
  readonly skipped: number;
  /** Bytes of the generation before may have been lost, or null. */
  readonly loss: LossReason | null;
  /** The file was cut and holds nothing yet: another opening is told before the first byte. */
  readonly isEmpty: boolean;
}

/** What the script says before the log's bytes. */
export type FollowHeader =
  | { readonly kind: 'opened'; readonly opening: Opening }
  | { readonly kind: 'missing' }
  /** The opened descriptor is not the file that was allowed. */
  | { readonly kind: 'elsewhere'; readonly path: string };

/** What the script says beside the log's bytes. */
export type FollowAside =
  /** Another file stands behind the name, and this one has ended at `size`. */
  | { readonly kind: 'moved'; readonly size: number; readonly next: Next }
  /** Checksum of the first `summed` bytes at a moment when the file had `size`. */
  | { readonly kind: 'head'; readonly sum: string; readonly summed: number; readonly size: number };

/** `spelling`: /proc/self/fd/3 as `tail` names it (spellDescriptor). */
export function renderFollow(target: FollowTarget, reason: Reason, spelling: string): Script {
  const { generation, offset } = target.from;
  const known = generation ?? { device: '-', inode: '-', sum: '-', summed: 0 };
  const next = reason.how === 'next' ? reason.next : { inode: '-', sum: '-', summed: 0, isSure: false };
  const words = [
    ...[target.path, FOLLOWERS[target.role], target.log, target.real ?? ''],
    ...[reason.how, next.inode, next.sum, next.summed, next.isSure ? 1 : 0],
    ...[offset, known.device, known.inode, known.sum, known.summed, spelling],
  ];
  return { name: 'follow', text: FOLLOW, input: words.map(line).join('') };
}

/** Where the bytes begin that come behind an opening: those before its offset are given once more, so that the file is known by them. */
export function startOf({ offset }: Pick<Opening, 'offset'>): number {
  return offset < HEAD ? 0 : offset;
}

/** One line before the log's bytes; null when it isn't one. */
export function parseHeader(text: string): FollowHeader | null {
  if (text === 'missing') return { kind: 'missing' };
  if (text.startsWith('elsewhere ')) return { kind: 'elsewhere', path: text.slice('elsewhere '.length) };
  const match = /^opened (\S+) (\S+) (\S+) (\d+) (\d+) (\d+) (\d+) (same|new|cut|empty|replaced)$/.exec(text);
  if (!match) return null;
  const [, device = '', inode = '', sum = '', summed, size, offset, skipped, verdict] = match;
  const opening = {
    generation: { device, inode, sum, summed: Number(summed) },
    ...{ size: Number(size), offset: Number(offset), skipped: Number(skipped) },
    loss: lossOf(verdict),
    isEmpty: verdict === 'empty',
  };
  return { kind: 'opened', opening };
}

function lossOf(verdict: string | undefined): LossReason | null {
  if (verdict === 'replaced') return verdict;
  return verdict === 'cut' || verdict === 'empty' ? 'cut' : null;
}

/** One line of stderr; null when it is something else. */
export function parseAside(text: string): FollowAside | null {
  const moved = /^moved (\d+) (\S+) (\S+) (\d+) ([01])$/.exec(text);
  if (moved) {
    const [, size, inode = '', sum = '', summed, sure] = moved;
    return { kind: 'moved', size: Number(size), next: { inode, sum, summed: Number(summed), isSure: sure === '1' } };
  }
  const head = /^head (\S+) (\d+) (\d+)$/.exec(text);
  return head && { kind: 'head', sum: head[1] ?? '', summed: Number(head[2]), size: Number(head[3]) };
}

/** In the run folder, one file a role. */
const FOLLOWERS: Readonly<Record<FollowTarget['role'], string>> = { main: 'follower', target: 'follower.target' };
