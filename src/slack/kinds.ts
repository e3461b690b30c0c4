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
  /** A run's name, as people see them. */
  readonly example: string;
}

export const KINDS: Readonly<Record<Kind, KindWords>> = {
  serve: { slash: '/vllm', start: 'launch', one: 'server', many: 'servers', works: 'serves', example: 'kpro5-3' },
  train: {
    slash: '/dflash',
    start: 'train',
    one: 'training',
    many: 'trainings',
    works: 'trains',
    example: 'trainer-1',
  },
};

export function otherThan(kind: Kind): Kind {
  return kind === 'serve' ? 'train' : 'serve';
}

/** The command that tells how a run stands, or how all of its kind do: `/dflash status trainer-1`. */
export function statusLine(kind: Kind, ...run: readonly string[]): string {
  return [KINDS[kind].slash, 'status', ...run].join(' ');
}
