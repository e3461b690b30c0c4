/** `npm run explain`: reads logs one after the other and tells what happened in each. */

import { resolve } from 'node:path';
import type { LogKind } from '../log/events.ts';
import { clean } from '../report/escape.ts';
import { type Asked, readArguments, USAGE } from './arguments.ts';
import { asJson } from './as-json.ts';
import { asText } from './as-text.ts';
import { type Explained, explainAll, type ReadFile, type UnreadFile } from './explained.ts';
import { openLog, whyUnreadable } from './open-log.ts';
import { readLog } from './read-log.ts';
import { NoLog, textOf } from './text-of.ts';

export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Relative paths begin here. */
  readonly folder: string;
  write(text: string): void;
  warn(text: string): void;
}

/** The exit code: 0, 1 where a file could not be read, 2 on misuse. */
export async function explain(words: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const asked = readArguments(words);
  if (asked === 'help') {
    terminal.write(USAGE);
    return 0;
  }
  if ('mistake' in asked) {
    terminal.warn(`${asked.mistake}\n${USAGE}`);
    return 2;
  }
  return (await explainFiles(asked, terminal)) ? 0 : 1;
}

/** A pair may be a training and its target, which explain each other; of more files each is told as soon as it is read. */
async function explainFiles({ files, evidence, ...asked }: Asked, terminal: Terminal): Promise<boolean> {
  const tell = teller(asked.isJson, terminal);
  const held: (ReadFile | UnreadFile)[] = [];
  let isWhole = true;
  for (const file of files) {
    const read = await readFile(file, asked.kind, terminal);
    isWhole = isWhole && !('error' in read);
    held.push(read);
    if (files.length === 2 && held.length === 1) continue;
    for (const explained of explainAll(held.splice(0), evidence)) tell(explained);
  }
  return isWhole;
}

async function readFile(file: string, kind: LogKind | null, terminal: Terminal): Promise<ReadFile | UnreadFile> {
  const opened = await openLog(file === '-' ? file : resolve(terminal.folder, file), terminal.stdin);
  if ('error' in opened) return { file, error: opened.error };
  const notices: string[] = [];
  try {
    const text = textOf(opened.chunks, (notice) => notices.push(notice));
    return { file, log: await readLog(text, { kind, name: file }), notices };
  } catch (error) {
    return { file, error: error instanceof NoLog ? error.message : whyUnreadable(error) };
  } finally {
    await opened.close();
  }
}

/** Tells one after the other, with an empty line between texts. */
function teller(isJson: boolean, { write, warn }: Terminal): (explained: Explained | UnreadFile) => void {
  let before = '';
  return (explained) => {
    if (isJson) write(asJson(explained));
    else if ('error' in explained) warn(`${clean(explained.file)}: ${explained.error}\n`);
    else {
      write(before + asText(explained));
      before = '\n';
    }
  };
}
