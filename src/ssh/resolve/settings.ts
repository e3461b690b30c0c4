/** What ~/.ssh/config says for a host: as `ssh -G` prints it, or read by us where there is no ssh client. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HostRefused } from '../../errors.ts';
import type { Jump } from './jump.ts';
import { readWithoutClient } from './ssh-config.ts';

export interface Settings {
  /** The first value of a keyword, which is given in lower case. */
  one(keyword: string): string | undefined;
  all(keyword: string): readonly string[];
  /** As `one` in lower case, with true and false as yes and no. */
  flag(keyword: string): string | undefined;
}

export interface Question {
  /** The host of vigil.yaml. */
  readonly host: string;
  readonly jump: Jump;
  readonly variables: NodeJS.ProcessEnv;
}

/** ms; Match exec runs commands, and canonical names are looked up. */
const LIMIT = 10_000;

/** Throws HostRefused when they can't be read. */
export async function readSettings(question: Question): Promise<Settings> {
  const { host, jump } = question;
  try {
    return settingsOf((await askClient(question)) ?? (await readWithoutClient(jump)));
  } catch (error) {
    const found = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
    throw new HostRefused(
      host,
      `~/.ssh/config can't be read for ${jump.name} (${found}): mend that, or write address, user, port and key in vigil.yaml instead of alias.`,
      { cause: error },
    );
  }
}

/** One keyword in lower case and its value a row. */
export function settingsOf(rows: readonly (readonly [string, string])[]): Settings {
  const all = (keyword: string) => rows.flatMap(([key, value]) => (key === keyword ? [value] : []));
  return {
    all,
    one: (keyword) => all(keyword)[0],
    flag: (keyword) => {
      const value = all(keyword)[0]?.toLowerCase();
      if (value === 'true' || value === 'on') return 'yes';
      return value === 'false' || value === 'off' ? 'no' : value;
    },
  };
}

export function isOff(value: string): boolean {
  return value.toLowerCase() === 'none';
}

/** null where there is no ssh client. */
async function askClient({ jump, variables }: Question): Promise<readonly (readonly [string, string])[] | null> {
  const { name, user, port, before } = jump;
  const words = [
    '-G',
    ...(user === null ? [] : ['-l', user]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...(before === null ? [] : ['-J', before]),
    '--',
    name,
  ];
  try {
    const { stdout } = await promisify(execFile)('ssh', words, { timeout: LIMIT, env: variables });
    return stdout.split('\n').flatMap((row) => {
      const parts = /^(\S+) (.+)$/.exec(row);
      return parts === null ? [] : [[parts[1] ?? '', parts[2] ?? ''] as const];
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
