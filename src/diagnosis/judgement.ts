/** What is judged, and on what evidence beside the log. */

import type { TeamRow } from '../config/config.ts';
import type { FactValue, LogPhase, Progress } from '../log/events.ts';
import type { Cause } from './cause.ts';

export interface Evidence {
  readonly alive: boolean;
  /** Exit code, negative = signal number, null where unknown. */
  readonly exitCode: number | null;
  /** Of a training: why its target server died, where the target's own log shows it. */
  readonly target?: Cause | null;
  /** Rows of the team's own, from vigil.yaml: tried before the catalog. None where absent. */
  readonly teamRows?: readonly TeamRow[];
}

export interface Judgement {
  readonly verdict: 'starting' | 'ready' | 'training' | 'finished' | 'failed' | 'stopped';
  readonly phases: readonly LogPhase[];
  readonly progress: Progress | null;
  /** The first real failure; null where none is shown, and for a server or a training that works. */
  readonly cause: Cause | null;
  /** `serve_phases` is a list: the phases of a training's target server that stand in the same file. */
  readonly facts: Readonly<Record<string, FactValue | readonly string[]>>;
}

/** TERM and INT, as a signal or as the code that a shell makes of it: somebody asked for the end. */
export function isAskedExit(exitCode: number | null): boolean {
  return exitCode !== null && [-15, -2, 143, 130].includes(exitCode);
}
