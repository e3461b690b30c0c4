/** Prints what is kept of runs that ended, from Redis, a few at a time. */

import { readEnvironment } from '../config/environment.ts';
import { readConfig } from '../config/load.ts';
import { ConfigError } from '../errors.ts';
import { type ArchiveParts, readEntries, readIndex } from '../queue/archive-read.ts';
import { keysOf } from '../queue/keys.ts';
import { connectOnce, RedisAway } from '../queue/redis.ts';
import { type Asked, readArguments, USAGE } from './arguments.ts';

/** So many entries are held at a time. */
const PAGE = 100;

export interface Terminal {
  write(text: string): Promise<void>;
  warn(text: string): void;
}

/** The exit code: 0 when all was printed, also where there is nothing; 1 where it can't be read, 2 on misuse. */
export async function exportHistory(
  words: readonly string[],
  variables: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<0 | 1 | 2> {
  const asked = readArguments(words);
  if (asked === 'help') {
    await terminal.write(USAGE);
    return 0;
  }
  if ('mistake' in asked) {
    terminal.warn(`${asked.mistake}\n${USAGE}`);
    return 2;
  }
  try {
    const { configPath, redisUrl } = readEnvironment(variables);
    // Of the configuration it needs the instance's name alone: secrets have no part in it.
    const { instance } = readConfig(configPath, { variables, missing: 'empty' });
    const redis = await connectOnce(redisUrl);
    try {
      const count = await printAll({ redis, keys: keysOf(instance) }, asked, terminal);
      if (count === 0) terminal.warn(`Nothing is kept of such runs of ${instance}.\n`);
      return 0;
    } finally {
      redis.disconnect();
    }
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof RedisAway)) throw error;
    terminal.warn(`${error.message}\n`);
    return 1;
  }
}

/** How many there are. */
async function printAll(parts: ArchiveParts, { host, recipe, kind }: Asked, terminal: Terminal): Promise<number> {
  const rows = (await read(readIndex(parts))).toReversed().filter((row) => {
    return (kind ?? row.kind) === row.kind && (host ?? row.host) === row.host && (recipe ?? row.recipe) === row.recipe;
  });
  let count = 0;
  for (let first = 0; first < rows.length; first += PAGE) {
    const ids = rows.slice(first, first + PAGE).map(({ id }) => id);
    const entries = await read(readEntries(parts, ids));
    count += entries.length;
    await terminal.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
  const left = rows.length - count;
  if (left > 0) terminal.warn(leftOut(left));
  return rows.length;
}

function leftOut(count: number): string {
  const [runs, one] =
    count === 1 ? ['One run is', 'its entry, or it was'] : [`${count} runs are`, 'them, or they were'];
  return `${runs} left out: another version of Vigil wrote ${one} removed meanwhile.\n`;
}

/** Throws RedisAway where Redis refuses, or goes away on the way. */
async function read<Value>(question: Promise<Value>): Promise<Value> {
  try {
    return await question;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Redis could not be read to the end (${why}). What was printed is not all: start it again when Redis answers.`;
    throw new RedisAway(message, { cause: error });
  }
}
