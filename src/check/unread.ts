/** Flags and variables of a server, or a trainer, that nobody could read: only the shell knows them, or they stand in a file of flags. */

import { flagName, lastFlag } from '../config/flags.ts';
import { ownWords } from './server.ts';
import type { Server } from './subject.ts';

/** All names of one flag, or one variable's. Where it stands in argv it is read, whatever a file of flags says. */
export function isUnread(server: Server, ...names: readonly [string, ...string[]]): boolean {
  const { unread = [] } = server;
  if (isAmong(unread, ...names)) return true;
  if (!names[0].startsWith('-') || lastFlag(ownWords(server), ...names) !== null) return false;
  return unread.some(mayHoldFlags) || fileOfFlags(server) !== null || isShortened(ownWords(server), names);
}

/** argparse takes the beginning of a flag for it, where that is of one flag only (`--gpu-memory-util 0.5`). */
function isShortened(words: readonly string[], names: readonly string[]): boolean {
  return words.some((word) => {
    const [own = ''] = word.replaceAll('_', '-').split('=', 1);
    return own.length >= SHORTEST && !names.includes(own) && names.some((name) => name.startsWith(own));
  });
}

/** `--max-`: nobody writes less. */
const SHORTEST = 6;

/** `--config`: a YAML file of flags; those of argv win over it. */
export function fileOfFlags(server: Pick<Server, 'argv'>): string | null {
  return lastFlag(ownWords(server), '--config')?.value ?? null;
}

/** Of the names that `unread` holds: one of the flag's, or the variable's. */
export function isAmong(unread: readonly string[], ...names: readonly string[]): boolean {
  return unread.some((name) => names.includes(flagName(name)));
}

/** Whether what only the shell knows may be that flag's, where argv has none. */
export function mayHold(unread: readonly string[], flag: string): boolean {
  return isAmong(unread, flag) || unread.some(mayHoldFlags);
}

/** A word of its own (`$FLAGS`), also behind a flag that takes no value, may be any flag. */
function mayHoldFlags(name: string): boolean {
  return !name.startsWith('-') ? !/^[A-Za-z_]\w*$/.test(name) : WITHOUT_VALUE.test(name);
}

const WITHOUT_VALUE =
  /^--(?:trust|enforce|(?:no|enable|disable|skip|async|language|include)[-_]|headless|return[-_]|use[-_])|^-(?:ep|dph|dpe)$/;
