/** What stands in a run folder about the process, as text back to values. */

import type { Exit, Started } from '../host/launch.ts';
import { readEnder } from './logind.ts';

/** Text of `pid.N` in a run folder, which the child writes before it takes the start; null when it isn't whole. */
export function parseStarted(text: string): Started | null {
  const fields = new Map<string, string>();
  for (const row of text.split('\n')) {
    const blank = row.indexOf(' ');
    if (blank > 0) fields.set(row.slice(0, blank), row.slice(blank + 1));
  }
  const [pid, start, session] = (fields.get('pid') ?? '').split(' ').map(Number);
  const init = Number(fields.get('init'));
  const at = Number(fields.get('at'));
  const log = fields.get('log');
  const bootId = fields.get('boot');
  if (pid === undefined || start === undefined || session === undefined || log === undefined || bootId === undefined)
    return null;
  if (![pid, start, session, init, at].every(Number.isSafeInteger)) return null;
  const shell = fields.get('shell');
  const ender = fields.get('ender');
  return {
    main: { pid, start },
    session,
    bootId,
    init,
    log,
    movedLog: fields.get('moved') ?? null,
    preludeShell: shell === 'bash' || shell === 'sh' ? shell : null,
    at,
    warnings: ender === undefined ? [] : [readEnder(ender)],
  };
}

/** Text of the exit record, `<status> <ms>`; null when there is none. */
export function parseExit(text: string): Exit | null {
  const match = /^(\d+) (\d+)$/.exec(text.trim());
  return match ? readExit(Number(match[1]), Number(match[2])) : null;
}

/** A shell's `$?` and the time it was taken. Above 128 it means a signal: a shell can't tell that from an exit code of the same value. */
function readExit(status: number, at: number): Exit {
  const isSignal = status > 128 && status <= 128 + 64;
  return isSignal ? { code: null, signal: status - 128, at } : { code: status, signal: null, at };
}
