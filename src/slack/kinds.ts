/** The two kinds of run as people meet them: each has a slash command of its own, and words of its own. */

import type { Request } from '../run/request.ts';

export type Kind = Request['kind'];

interface KindWords {
  readonly slash: string;
  /** The verb that starts one. */
  readonly start: string;
  readonly one: string;
  readonly many: string;
  /** What a live one does. */
  readonly works: string;
}

export const KINDS: Readonly<Record<Kind, KindWords>> = {
  serve: { slash: '/vllm', start: 'launch', one: 'server', many: 'servers', works: 'serves' },
  train: { slash: '/dflash', start: 'train', one: 'training', many: 'trainings', works: 'trains' },
};

/** The command that tells how a run stands, or how all of its kind do: `/dflash status trainer-1`. */
export function statusLine(kind: Kind, ...run: readonly string[]): string {
  return [KINDS[kind].slash, 'status', ...run].join(' ');
}
