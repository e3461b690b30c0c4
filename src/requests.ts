/** What people can ask for: the contract between src/slack (which understands people) and src/queue (which writes it down). */

import type { Place } from './chat.ts';
import type { Earlier, HistoryEntry, HistoryQuestion, Past, TeamNote } from './history/entry.ts';
import type { Pid } from './host/process.ts';
import type { GpusSeen } from './place/place.ts';
import type { Answer, Question, Topic } from './questions.ts';
import type { Holder, Placement, RunHolder, Waiting } from './run/holder.ts';
import type { Request } from './run/request.ts';
import type { Phase, Run } from './run/run.ts';

/** A launch as understood and allowed; everything else follows from vigil.yaml. */
export interface LaunchOrder {
  /** Slack's trigger_id: a redelivery with the same one is the same run. */
  readonly trigger: string;
  readonly host: string;
  readonly recipe: string;
  readonly by: string;
  readonly channel: string;
  readonly mode: LaunchMode;
  /** What the checks refuse is overridden, and what others compute on the GPUs that the recipe names: who asks has the right. */
  readonly isForced?: true;
}

/** What to do where something is in its way: say who has it, wait for it in the line, or end those runs first and go before all who wait. */
export type LaunchMode =
  | { readonly kind: 'now' }
  | { readonly kind: 'queue' }
  /** Ids of runs that a person was told of; null = whichever of Vigil's runs are in the way. */
  | { readonly kind: 'replace'; readonly runs: readonly string[] | null };

export type LaunchAnswer =
  /** 'same' = the same trigger came before. With `waiting` it stands in the line. */
  | {
      readonly kind: 'accepted' | 'same';
      readonly request: Request;
      readonly placement: Placement | null;
      readonly waiting: Waiting | null;
    }
  | ({ readonly kind: 'held' } & Held)
  /** It can't start there at all: a sentence that says why and what to do. */
  | { readonly kind: 'impossible'; readonly reason: string };

/** Why a launch can't start now. */
export interface Held {
  readonly holders: readonly Holder[];
  /** Launches that wait for some of the same things, in order. */
  readonly ahead: readonly RunHolder[];
  /** How many GPUs it asks for and which are free, where those are too few; else null. */
  readonly count: { readonly asked: number; readonly free: readonly string[] } | null;
  /** Runs of Vigil's whose end would make room; empty where that is not enough. */
  readonly replaceable: readonly RunHolder[];
}

/** The same launch once more, as a run had it. */
export interface RestartOrder {
  readonly run: string;
  readonly by: string;
  readonly channel: string;
  /** Slack's trigger_id: a redelivery with the same one is the same restart. */
  readonly trigger: string;
}

export type RestartAnswer =
  /** 'same' = this restart was asked for before, and lives or came from the same trigger. `former`: where the run that it replaces was. */
  | { readonly kind: 'accepted' | 'same'; readonly request: Request; readonly former: Phase }
  /** The former has ended, and what it needed is in use. */
  | { readonly kind: 'held' }
  | { readonly kind: 'impossible'; readonly reason: string }
  /** The former is not known any more. */
  | { readonly kind: 'unknown' };

export interface RunSummary {
  readonly run: Run;
  /** The thread's root, or null before it is posted. */
  readonly root: Place | null;
}

/** Redis does not answer within the limit (1.5 s): nothing was written. */
export class DeskClosed extends Error {
  override readonly name = 'DeskClosed';
}

/** Where requests are written down. Every call throws DeskClosed when Redis doesn't answer in time. */
export interface Desk {
  /** `seen`: what the host's GPUs do, as far as that is known. */
  launch(order: LaunchOrder, seen: GpusSeen): Promise<LaunchAnswer>;
  /** Whether live runs or those that wait have what it needs, as far as that is known without a look at the host. */
  isHeld(order: LaunchOrder): Promise<boolean>;
  /**
   * Writes a restart down, in the line of its host before all who wait, to start when the former run is gone; the former is not asked to stop
   * here. One that lives is asked for once, by whoever.
   */
  restart(order: RestartOrder): Promise<RestartAnswer>;
  /**
   * Decides once where the run's thread goes: a channel id, or null when there is none (then the run ends without a start).
   * A launch starts nothing before this is decided; false = it was decided before.
   */
  decideHome(run: string, channel: string | null): Promise<boolean>;
  /** Asks for a stop once: 'asked' the first time, 'before' when somebody had asked already, 'ended' when there is nothing to stop. */
  stop(run: string, by: string): Promise<'asked' | 'before' | 'ended'>;
  /** Likewise of what somebody started by hand: exactly the confirmed processes are to be ended, no other one. */
  stopFound(run: string, by: string, confirmed: readonly Pid[]): Promise<'asked' | 'before' | 'ended'>;
  /** Asks for the end of the run's log as a file in its thread; asked twice with one trigger it is one. 'nothing' = it has no log or no thread. */
  shareLog(run: string, by: string, trigger: string): Promise<'asked' | 'before' | 'nothing'>;
  /** The run whose thread's root stands there, or null. */
  runAt(root: Place): Promise<RunSummary | null>;
  /** All live runs and the newest ended ones (at most 50), newest first. */
  runs(): Promise<readonly RunSummary[]>;
  run(id: string): Promise<RunSummary | null>;
  /** The last lines of the run's log, masked; at most 40 lines, 8 KB. */
  tail(run: string): Promise<readonly string[]>;
  history(question: HistoryQuestion): Promise<Past>;
  /** A run that ended, by its id or its name, also one of which nothing but the history is left; null where there is none. */
  past(run: string): Promise<HistoryEntry | null>;
  /** What is known of such a trouble from before; `but`: the run that has it now; `hosts`: whose runs may be named. See Archive.seen. */
  before(
    fingerprint: string,
    but: string,
    hosts: readonly string[],
  ): Promise<{ readonly earlier: Earlier | null; readonly note: TeamNote | null }>;
  /** Notes it in place of what was noted before, which is returned: see Archive.note. */
  note(fingerprint: string, note: TeamNote, run: string): Promise<TeamNote | null>;
  /** Has a worker answer a question about a host; its id. */
  ask(question: Question): Promise<string>;
  /** null while no worker has answered. */
  answerTo<Kind extends Topic>(id: string): Promise<Answer<Kind> | null>;
}
