/** How much a program may be given: Linux bounds each word, and argv and environment together (execve(2)). */

import type { LaunchSpec } from '../host/launch.ts';

/** MAX_ARG_STRLEN without the NUL: 32 pages of 4 KiB. */
const MOST_WORD = 131_071;
/** The kernel never takes more, whatever the stack limit. */
const MOST_TOTAL = 6 * 1024 * 1024;
/** It always takes so much. */
const LEAST_TOTAL = 128 * 1024;
/** Each word has a pointer and a NUL. */
const BESIDE_WORD = 9;
/** What the launcher puts around a prelude. */
const PRELUDE_END = '\nexec "$@"';

/** Bytes of argv, environment and prelude as the kernel counts them. */
export function weigh({ argv, environment, prelude }: LaunchSpec): number {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const words = [...argv, ...variables, ...(prelude === null ? [] : [prelude + PRELUDE_END])];
  return words.reduce((sum, word) => sum + Buffer.byteLength(word) + BESIDE_WORD, 0);
}

/** Says which word no Linux takes, or that all together are too much for any, or null. */
export function findTooLong(spec: LaunchSpec): string | null {
  const { argv, environment, prelude } = spec;
  const named: [name: string, word: string][] = [
    ...argv.map((word, index): [string, string] => [`Word ${index + 1} of argv`, word]),
    ...Object.entries(environment).map(([name, value]): [string, string] => [
      `The variable ${name}`,
      `${name}=${value}`,
    ]),
    ['The prelude', prelude === null ? '' : prelude + PRELUDE_END],
  ];
  const long = named.find(([, word]) => Buffer.byteLength(word) > MOST_WORD);
  if (long !== undefined) {
    const [name, word] = long;
    return `${name} is ${Buffer.byteLength(word)} bytes long, and Linux takes ${MOST_WORD} at most: put it into a file on the host, and give the program the file.`;
  }
  const total = weigh(spec);
  if (total <= MOST_TOTAL) return null;
  return `argv and environment are ${total} bytes together, and Linux takes ${MOST_TOTAL} at most: put what is long into a file on the host.`;
}

/** `TOTAL STACK` as the launcher says it: the bytes, the login's own environment included, and the stack limit in KiB or "unlimited". */
export function describeLimit(detail: string): string {
  const [total, stack] = detail.split(' ');
  const quarter = stack === 'unlimited' ? MOST_TOTAL : (Number(stack) * 1024) / 4;
  const limit = Math.min(MOST_TOTAL, Math.max(LEAST_TOTAL, quarter));
  return (
    `argv and environment are about ${total} bytes together, and this host takes ${limit} (a quarter of the SSH user's stack limit, "ulimit -s": ${stack} KiB): ` +
    'put what is long into a file on the host, or raise that limit.'
  );
}
