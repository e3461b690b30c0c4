/** The command in this process, its output caught. */

import { explain } from '../../src/explain/command.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runExplain(
  words: readonly string[],
  { folder = '/', stdin = [] as Uint8Array[] } = {},
): Promise<Said> {
  let out = '';
  let err = '';
  async function* chunks() {
    yield* stdin;
  }
  const code = await explain(words, {
    stdin: chunks(),
    folder,
    write: (text) => {
      out += text;
    },
    warn: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

/** The objects that --json printed, one a line. */
export function objectsOf({ out }: Said): unknown[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
