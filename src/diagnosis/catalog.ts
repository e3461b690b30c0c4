/**
 * What a failure is, and what to do about it. To add a cause, add a row to one of the rows-*.ts, with a
 * sample; the first row that fits wins, and within a chain of exceptions the one with the earlier row is the most telling.
 */

import type { Trouble } from '../log/events.ts';
import type { Category } from './categories.ts';
import { type DiagnosisRow, fits, type TrainingRow, textOf } from './row.ts';
import { ARGUMENT_ROWS } from './rows-arguments.ts';
import { MACHINE_ROWS } from './rows-machine.ts';
import { RANK_ROWS } from './rows-ranks.ts';
import { SHELL_MISSES, SHELL_ROWS } from './rows-shell.ts';
import { SOFTWARE_ROWS } from './rows-software.ts';
import { DATA_ROWS } from './rows-training.ts';

export const CATALOG: readonly DiagnosisRow[] = [...ARGUMENT_ROWS, ...MACHINE_ROWS, ...SOFTWARE_ROWS, ...SHELL_ROWS];

/** What only a training can have; tried before the catalog. */
export const TRAINING_CATALOG: readonly TrainingRow[] = [...DATA_ROWS, ...RANK_ROWS];

export interface Recognised {
  readonly category: Category;
  readonly title: string;
  readonly remedy: string;
  /** Place in the catalog: the lower, the more telling. Infinity where nothing fits. */
  readonly rank: number;
}

const UNKNOWN: Recognised = {
  category: 'unknown',
  title: 'A failure that the catalog has no row for',
  remedy:
    "Read the traceback's last lines; the message names what it wanted. The recipe's argv and the installed version are what changes most often.",
  rank: Number.POSITIVE_INFINITY,
};

/** The first row that the trouble fits, else 'unknown'. */
export function recognise(trouble: Trouble): Recognised {
  for (const [rank, row] of CATALOG.entries()) {
    const match = fits(row, trouble);
    if (match !== null)
      return { category: row.category, title: row.title, remedy: row.remedy({ ...match.groups }), rank };
  }
  return UNKNOWN;
}

/** Where a training had the trouble: its own rows first, then the catalog. Of the latter a rank's broken kernel is no dead server. */
export function recogniseTraining(trouble: Trouble): Recognised & { isOfTarget: boolean; isHint: boolean } {
  for (const [rank, row] of TRAINING_CATALOG.entries()) {
    const match = fits(row, trouble);
    if (match === null) continue;
    const { category, title, isOfTarget = false, isHint = false } = row;
    return { category, title, remedy: row.remedy({ ...match.groups }), rank, isOfTarget, isHint };
  }
  const found = recognise(trouble);
  return { ...found, rank: found.rank + TRAINING_CATALOG.length, isOfTarget: false, isHint: false };
}

/** What says only that something else failed: never the cause while anything else is known. */
const POINTERS =
  /See (?:the )?(?:root cause|stack trace)|(?:check|see) the stack trace above|WorkerProc initialization failed|Worker failed with error|Engine core initialization failed|Engine process failed to start|Failed core proc|EngineDeadError|EngineCore encountered|engine (?:is dead|loop (?:has died|is not running))|Background loop (?:has errored|is stopped)|died unexpectedly|exited unexpectedly|died with exit code|Received sigquit from a child|ActorDiedError|ChildFailedError|Caught \w+ in (?:DataLoader worker|pin memory thread|replica)|Process group watchdog thread terminated|terminate called after throwing/i;

/** What other ranks and tidy ends print: chosen only where nothing better is there. */
const CONSEQUENCES =
  /^(?:\w+\.)*(?:KeyboardInterrupt|SystemExit|SignalException|CancelledError|GeneratorExit|BrokenPipeError|ConnectionResetError|ConnectionRefusedError|EOFError)\b|Connection (?:closed|reset) by peer|Broken pipe|remote process exit(?:ed|ing)|^Killed$|connection was closed/i;

/** How much a trouble can explain: 2 = a failure of its own, 1 = a pointer, 0 = a consequence. */
export function weightOf(trouble: Trouble): 0 | 1 | 2 {
  const text = textOf(trouble);
  if (POINTERS.test(text)) return 1;
  if ((trouble.type !== null ? CONSEQUENCES : SHELL_MISSES).test(text)) return 0;
  return 2;
}
