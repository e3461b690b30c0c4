/** What a run is and what can happen to it: plain data, saved in the journal as JSON. */

import type { Checklist } from '../check/check.ts';
import type { Cause } from '../diagnosis/cause.ts';
import type { Exit, Started } from '../host/launch.ts';
import type { LossReason } from '../host/log.ts';
import type { Pid, StackDump } from '../host/process.ts';
import type { Progress, TrainRecord } from '../log/events.ts';
import type { Reading } from '../log/reading.ts';
import type { Motion } from '../pulse/evidence.ts';
import type { Habit } from '../pulse/habits.ts';
import type { Culprit, Pulse, Work } from '../pulse/work.ts';
import type { KeptRecord, Verification } from '../verify/verification.ts';
import type { LifeEvent, Vitals } from '../vitals/vitals.ts';
import type { Placement, Taken, Waiting } from './holder.ts';
import type { Request } from './request.ts';

/** In the order of display; a run may go back (a second start of the same log). */
export const PHASES = [
  'queued',
  'checking',
  'launched',
  'configuring',
  'connecting',
  'downloading',
  'loading',
  'compiling',
  'kv_cache',
  'capturing',
  'verifying',
  'ready',
  'target_starting',
  'target_ready',
  'preparing',
  'training',
  'checkpointing',
  'finished',
  'failed',
  'stopped',
  'lost',
] as const;
export type Phase = (typeof PHASES)[number];

export const ENDS = ['finished', 'failed', 'stopped', 'lost'] as const satisfies readonly Phase[];
export type End = (typeof ENDS)[number];

export function isEnd(phase: Phase): phase is End {
  return ENDS.some((end) => end === phase);
}

/** Seen phase by phase, `at` in host time where the host said it. */
export interface PhaseVisit {
  readonly phase: Phase;
  readonly at: number;
}

/** Why a run failed: nothing was started, or its process ended and nobody had asked for that. */
export type Failure =
  | {
      readonly kind: 'refused';
      /** What was found, what was expected, what to do: plain sentences of ours. */
      readonly reason: string;
      /** Who has what it needs, where that was found in the last moment. */
      readonly taken?: Taken;
      /** All that was checked before, where a check refuses it. */
      readonly checks?: Checklist;
    }
  | {
      readonly kind: 'ended';
      /** null where it can't be seen: somebody else started the process. */
      readonly exit: Exit | null;
      /** The phase it was in. */
      readonly during: Phase;
      /** null where the log shows no cause. */
      readonly cause: Cause | null;
      /** The last lines of the log, masked; at most 12. */
      readonly tail: readonly string[];
    };

export interface Readiness {
  /** 'socket' = the listening socket belongs to the run's tree; 'inferred' = that couldn't be read, and port closed before + process alive + the log's own line say so. */
  readonly proof: 'socket' | 'inferred';
  readonly model: string | null;
  readonly by: 'forwarding' | 'curl';
  /** What the completion showed, one sentence. */
  readonly completion: string;
}

/**
 * Why nobody can ask a server whether it is ready. no_address: found without a word on where it serves. headless: it serves no HTTP, as a node of
 * a server on another host. certificate: it takes nobody without a certificate of theirs.
 */
export type Unasked = 'no_address' | 'headless' | 'certificate';

/** The server that a training asks for hidden states. */
export interface Target {
  /** Of its own log; stays empty where it has none. */
  readonly reading: Reading;
  /** The processes that write its log, the oldest first. */
  readonly pids: readonly Pid[];
  /** Host time of its first answer, or null. */
  readonly answered: number | null;
  /** Looks in a row that showed it dead. */
  readonly deadLooks: number;
  readonly down: TargetDown | null;
}

export interface TargetDown {
  /** Host time, ms. */
  readonly at: number;
  /** What shows it: its processes are gone, or its port is closed again. */
  readonly evidence: 'process' | 'port';
  /** Its log shows an orderly shut-down and no failure: the script ended it on purpose. */
  readonly isAsked: boolean;
  /** As its own log tells it, or null. */
  readonly cause: Cause | null;
}

/** How far a training is. */
export interface Training {
  /** Host time of the first metric record: the training has started. */
  readonly since: number;
  /** Of the first record, and of the last. */
  readonly first: Mark;
  readonly last: Mark;
}

export interface Mark {
  readonly record: TrainRecord;
  /** Its number in the log, from 1. */
  readonly number: number;
  /** Host time, ms. */
  readonly at: number;
}

export interface StopProof {
  readonly proven: boolean;
  /** Nothing of it was seen to be left, though some of that may not have been asked. Missing in proofs of older Vigils. */
  readonly isGone?: boolean;
  /** What was seen: pids gone, port closed, GPUs free, or why it can't be proved here. */
  readonly evidence: readonly string[];
}

export interface Run {
  readonly request: Request;
  readonly phase: Phase;
  readonly visits: readonly PhaseVisit[];
  /** While it stands in the line of its host; else null. */
  readonly waiting: Waiting | null;
  /** When it had its turn (our clock, ms), of a run that stood in the line; else null. */
  readonly turnAt: number | null;
  /** What the preflight found before its start, or null. */
  readonly checks: Checklist | null;
  /** null until its GPUs are known. */
  readonly placement: Placement | null;
  readonly started: Started | null;
  readonly reading: Reading;
  readonly progress: Progress | null;
  /** How often the log showed another start after its first (a server that a script starts again). */
  readonly restarts: number;
  readonly tree: readonly Pid[];
  /** Of a training with a target server of its own; else null. */
  readonly target: Target | null;
  /** Of a training that has started; else null. */
  readonly training: Training | null;
  readonly pulse: Pulse;
  /** What the pulse is judged by. */
  readonly work: Work;
  readonly readiness: Readiness | null;
  /** What its last verification found; null before one. */
  readonly verification: Verification | null;
  /** Id of the question that the last one answered which somebody asked for. */
  readonly answered?: string;
  /** Of a server that nobody can ask: it is up as far as can be known, and that has been told. */
  readonly isToldUnverified?: true;
  /** What a server that is ready has shown since; null before it is. */
  readonly vitals: Vitals | null;
  readonly failure: Failure | null;
  /** A launch on the host has been tried: from here on only the host can say whether the process started. */
  readonly attempted: boolean;
  /** Our clock: when this run was taken up again after Redis had lost it; null as a rule. */
  readonly adoptedAt: number | null;
  /** Who asked for the stop, or null. */
  readonly stopBy: string | null;
  /** Of what somebody started by hand: the processes that whoever asked for the stop confirmed, and no other one is ended; else null. */
  readonly confirmed: readonly Pid[] | null;
  /** Our clock, ms: when the stop's first signal was given, or null. */
  readonly signalledAt: number | null;
  readonly stop: StopProof | null;
  /** The last restart of it, where there was one. */
  readonly restartedAs?: { readonly run: string; readonly name: string };
  /** Slack's trigger_ids of those who asked for its log as a file (the newest 20), so that a redelivery is one. */
  readonly logAsked?: readonly string[];
  /** Why the run is lost, or null. */
  readonly lost: string | null;
  /** Host time of the last new log text (of the start before there is any), ms. */
  readonly heard: number;
  /** Host time of the last sample or log text, ms: what the card is true for. */
  readonly seenAt: number;
  /** Kinds of causes (`nan_loss`) of which it was told that they make the training worthless. */
  readonly worthless: readonly string[];
  /** Notices that have been told (the newest 20), so that one is not told twice. */
  readonly notices: readonly string[];
  /** Host time of the last loss in a log that was told, ms, or null. */
  readonly gapAt: number | null;
}

/** What the journal holds: things that happened, in order. `seq` starts at 1 and has no gaps. */
export type RunEvent = {
  readonly seq: number;
  /** Host time where the host said it, else ours; ms. */
  readonly at: number;
  /** Our clock, ms. */
  readonly seen: number;
} & RunEventBody;

export type RunEventBody =
  | { readonly kind: 'requested' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly checks: Checklist }
  /** A run that waited has got what it waited for. */
  | { readonly kind: 'turn'; readonly waitedMs: number; readonly devices: readonly string[] }
  /** Others came to its GPUs before it could start: it stands in the line again, before all who wait. */
  | { readonly kind: 'turn_lost'; readonly taken: Taken }
  | { readonly kind: 'launched'; readonly started: Started }
  | { readonly kind: 'phase'; readonly phase: Phase; readonly note: string | null }
  /** The target server of a training got into that phase of its own. */
  | { readonly kind: 'target_phase'; readonly phase: Phase; readonly note: string | null }
  | { readonly kind: 'target_down'; readonly down: TargetDown }
  | { readonly kind: 'target_back' }
  /** What the log of a training that goes on proves: its results are worthless. */
  | { readonly kind: 'trouble'; readonly cause: Cause }
  /** The first metric record. */
  | { readonly kind: 'training'; readonly record: TrainRecord }
  | { readonly kind: 'finished'; readonly exit: Exit | null; readonly record: TrainRecord | null }
  /** `verification` is missing in journals of older Vigils. */
  | ({ readonly kind: 'ready'; readonly readiness: Readiness; readonly verification?: Verification } & Recorded)
  /** Verified once more, as somebody asked; `before`: what it came to the time before. */
  | ({
      readonly kind: 'verified';
      readonly verification: Verification;
      readonly before: Verification | null;
    } & Recorded)
  /** It answers, and completes nothing: it is not ready, and may become so. */
  | { readonly kind: 'unusable'; readonly verification: Verification }
  /** It is up as far as anybody can know. */
  | { readonly kind: 'unverified'; readonly why: Unasked }
  | LifeEvent
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** `confirmed`: the pids that are to be ended, of what somebody started by hand. */
  | { readonly kind: 'stopping'; readonly by: string; readonly confirmed?: readonly number[] }
  | { readonly kind: 'stopped'; readonly proof: StopProof }
  /** Another run takes its place, with the same command line: it may have ended by then. */
  | { readonly kind: 'restarted'; readonly as: { readonly run: string; readonly name: string } }
  | { readonly kind: 'lost'; readonly why: string }
  /** Somebody wants the end of its log as a file in its thread; it may have ended by then. */
  | { readonly kind: 'log_asked'; readonly by: string }
  | { readonly kind: 'out_of_contact'; readonly why: string }
  | { readonly kind: 'back_in_contact'; readonly silentMs: number }
  /** Bytes of a log may have been lost before they were read. */
  | { readonly kind: 'log_gap'; readonly source: 'main' | 'target'; readonly why: LossReason }
  | PulseEvent
  /** Stacks of a run that stands still; `culprit` is the rank that the others wait for, where that is known. */
  | { readonly kind: 'stacks'; readonly stacks: readonly StackDump[]; readonly culprit: Culprit | null }
  /** Of a Vigil without a pulse: the log is silent, and moves again. */
  | { readonly kind: 'silence'; readonly silentMs: number; readonly phase: Phase }
  | { readonly kind: 'moving'; readonly silentMs: number }
  /** Something worth knowing that changes nothing: one plain sentence of ours, no log text. */
  | { readonly kind: 'notice'; readonly text: string };

interface Recorded {
  /** What the recipe's record on the run's host becomes with it: the journal writes both at once. Missing: it stays as it is. */
  readonly record?: KeptRecord;
}

/** The pulse, where it is news. 'silent': the log says nothing, and nothing else can be seen. */
export interface PulseEvent {
  readonly kind: 'pulse';
  readonly pulse: Exclude<Pulse, 'out_of_contact'> | 'silent';
  readonly phase: Phase;
  /** Since the last log line, and since work was last seen (ms). */
  readonly silentMs: number;
  readonly stillMs: number;
  /** A person should look: it stands still, or shows nothing but use of CPU and GPU for too long. */
  readonly isAlarm: boolean;
  /** An alarm after another one of this phase, from which it went on. */
  readonly isAgain?: boolean;
  /** An alarm is over with it. */
  readonly wasAlarm: boolean;
  /** The last two looks; null where none could be had. */
  readonly motion: Motion | null;
  readonly culprit: Culprit | null;
  /** What had come of a download by then, or null. */
  readonly arrived: Work['arrived'];
  /** How it went in earlier starts, or null. */
  readonly usual: Habit | null;
}
