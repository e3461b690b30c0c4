/** A ready server whose engine dies: told at once with the reason, whatever becomes of the process. A stop that somebody asked for is no death. */

import type { TeamRow } from '../config/config.ts';
import { recognise } from '../diagnosis/catalog.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { isDeath } from '../diagnosis/ends-server.ts';
import { judge } from '../diagnosis/judge.ts';
import type { LogEvent, Trouble } from '../log/events.ts';
import { judgeDeath } from '../vitals/death.ts';
import { hearError } from '../vitals/errors.ts';
import { hearWait } from '../vitals/hang.ts';
import { type Beat, type EngineDeath, NO_VITALS, type Vitals } from '../vitals/vitals.ts';
import type { Happening, Step } from './happening.ts';
import type { Observation } from './observe.ts';
import type { Run } from './run.ts';

interface Moment {
  readonly at: number;
  readonly seen: number;
  readonly teamRows: readonly TeamRow[];
}

/** What its log says once it is ready: `before` is the run before it was read. */
export function hearLog(
  before: Run,
  { run, happened }: Step,
  { events, at, seen, isOld }: Observation & { kind: 'log' },
  teamRows: readonly TeamRow[],
): Step {
  if (run.phase !== 'ready' || run.stopBy !== null || isOld) return { run, happened };
  const vitals = events.reduce((known, event) => hear(known, event, at), run.vitals ?? NO_VITALS);
  const isProof = run.reading.troubles !== before.reading.troubles && events.some(isFatal);
  const judged = told({ ...run, vitals }, { at, seen, teamRows }, isProof ? 'log' : null);
  return { run: judged.run, happened: [...happened, ...judged.happened] };
}

/** What /health says. */
export function seeHealth(run: Run, { health, ...moment }: Moment & { readonly health: Beat['health'] }): Step {
  return told(run, moment, health === 'dead' ? 'health' : null);
}

/** Time has passed: what was seen to be dead is told, whether or not its log has said why. */
export function seeTime(run: Run, moment: Moment): Step {
  return told(run, moment, null);
}

/** A start that its log shows after another one that was ready: what ended the former one, where that is not told yet. */
export function deathBefore(run: Run, { at, seen, teamRows }: Moment): readonly Happening[] {
  if (run.stopBy !== null || run.vitals === null || run.vitals.death !== null) return [];
  const { cause } = judge(run.reading, { alive: false, exitCode: null, teamRows });
  return cause === null ? [] : [{ at, seen, kind: 'engine_dead', death: { at, how: 'log', cause } }];
}

function hear(vitals: Vitals, event: LogEvent, at: number): Vitals {
  if (event.kind === 'waits') return hearWait(vitals, at);
  return event.kind === 'trouble' && isEngines(event.trouble) ? hearError(vitals, event.trouble.message) : vitals;
}

function told(run: Run, { at, seen, teamRows }: Moment, how: EngineDeath['how'] | null): Step {
  const vitals = run.vitals ?? NO_VITALS;
  const isOpen = vitals.death === null && (how !== null || vitals.memory.death.dying !== null);
  if (run.phase !== 'ready' || run.stopBy !== null || !isOpen) return { run, happened: [] };
  const cause = causeOf(run, teamRows);
  // A server that is shut down in good order from outside answers 503 on its way, too.
  const isAsked = how === 'health' && cause === null && run.reading.shutdownLine !== null;
  const judged = judgeDeath(vitals, { at, how: isAsked ? null : how, cause });
  return { run: { ...run, vitals: judged.vitals }, happened: judged.news.map((one) => ({ at, seen, ...one })) };
}

function causeOf(run: Run, teamRows: readonly TeamRow[]): Cause | null {
  return judge(run.reading, { alive: true, exitCode: null, teamRows }).cause;
}

function isFatal(event: LogEvent): boolean {
  return event.kind === 'trouble' && isDeath(recognise(event.trouble, 'serve'));
}

/** Not of the API server, whose exceptions are mostly its clients'. */
function isEngines({ process }: Trouble): boolean {
  return process !== null && !/^api_?server/i.test(process);
}
