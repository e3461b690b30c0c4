/** What jobs need of the journal, which is the truth about runs: interfaces only; src/queue implements them on Redis. */

import type { Place } from './chat.ts';
import type { Earlier, HistoryEntry, HistoryQuestion, Past, TeamNote } from './history/entry.ts';
import type { LogPosition } from './host/log.ts';
import type { Pace, PaceRecord } from './pulse/pace.ts';
import type { Happening } from './run/happening.ts';
import type { Run, RunEvent } from './run/run.ts';
import type { KeptRecord } from './verify/verification.ts';

/** Where a log's reading goes on: its position, and what the reader carried there (null: read from the start of the log). */
export interface LogMark {
  readonly position: LogPosition;
  readonly carry: unknown;
}

/** Where a watch goes on: the run's own log and, of a training, its target server's. */
export interface Checkpoint extends LogMark {
  readonly target: LogMark | null;
}

/** The home of a run whose thread has no place. */
export const NOWHERE = 'nowhere';

export interface Entry {
  readonly run: Run;
  /** Number of the last event. */
  readonly seq: number;
  /** Grows with every write of the run. */
  readonly version: number;
  /** Of the run as people see it: grows with each change. */
  readonly rev: number;
  readonly checkpoint: Checkpoint | null;
  /** Where the thread goes: a channel id; 'nowhere' = decided that there is none; null = not decided yet. */
  readonly home: string | null;
}

/** Another writer came first: load the entry again, step again, write again. */
export type Written = 'written' | 'stale' | 'fenced';

export interface Journal {
  load(run: string): Promise<Entry | null>;
  /** Ids of all runs that have not ended. */
  live(): Promise<readonly string[]>;
  /** Ids of the runs that ended last, at most 50. */
  ended(): Promise<readonly string[]>;
  /** Ids of runs with something that Slack has not been told. */
  dirty(): Promise<readonly string[]>;
  /** Takes the watch of a run from whoever holds it: the former holder's writes are refused from now on. */
  takeWatch(run: string): Promise<number>;
  /**
   * Appends what happened and moves run, checkpoint and tail in one step; an end also frees what the run held,
   * and so does a lost turn, which puts it before all who wait on its host.
   * `fence` null = a writer that is no watch. Wakes the run's report.
   */
  append(write: {
    run: Run;
    /** What the run was stepped from: another version in the journal makes this write stale. */
    from: Pick<Entry, 'seq' | 'version'>;
    fence: number | null;
    happened: readonly Happening[];
    checkpoint: Checkpoint | null;
    /** The last lines of the log, or null to leave them as they are. */
    tail: readonly string[] | null;
    /** The card changes. */
    isNews: boolean;
    /** Redis's clock, ms: not carried out any more after it ('late'); without it whenever Redis gets to it. */
    deadline?: number;
  }): Promise<Written | 'late'>;
  /** See Desk.decideHome. */
  decideHome(run: string, channel: string | null): Promise<boolean>;
  /**
   * Takes up a run that lives on its host and that the journal doesn't know; false when it knows it. A name of `@NAME@` becomes the
   * host's next one; `checkpoint` null = its log is read from the start.
   */
  adopt(run: Run, home: string, checkpoint: Checkpoint | null): Promise<boolean>;
  /** Whether this host's run folders were looked at since Redis holds anything of ours; not so at the first start ever, or after its data is lost. */
  isSurveyed(host: string): Promise<boolean>;
  markSurveyed(host: string): Promise<void>;
  /** Whether the caller is to clean this host's run folders: true once in `every` ms, whoever asks, and whatever comes of it. */
  takeCleaning(host: string, every: number): Promise<boolean>;
}

/** One message on its way: written down before Slack is asked, so that a successor knows what may have been posted. */
export interface Intent {
  /** The message's key: an event's sequence, 'root', 'state-' and a revision for a card that goes into the thread, or 'card' for an edit of the card. */
  readonly event: string;
  readonly attempt: number;
  /** Redis's clock, ms. */
  readonly at: number;
}

/** What a card says, as it was sent last: a digest of the message, and how the run stood. */
export interface Shown {
  readonly digest: string;
  readonly standing: string;
}

/** The log of a run on its way into the thread as a file, written down before each step. */
export interface Filing {
  /** Sequence of the event that brings it; its reply, where it has one, stands in the thread. */
  readonly event: number;
  /** Slack's id of the file once it is handed over, else null. */
  readonly file: string | null;
  /** How often it was begun. */
  readonly tries: number;
}

export interface Draft {
  readonly entry: Entry;
  /** Sequence of the last event that Slack has. */
  readonly cursor: number;
  readonly root: Place | null;
  readonly intent: Intent | null;
  /** Age of the intent, ms. */
  readonly intentAge: number;
  /** The revision that the card shows. */
  readonly cardRev: number;
  /** Time since the card was last written, ms. */
  readonly cardAge: number;
  /** null before there is one, and where nobody can know. */
  readonly shown: Shown | null;
  /** The card can't be edited any more: what it would say goes into the thread. */
  readonly isFrozen: boolean;
  /** `age`: since its first step; `shareAge`: since the last try to show the file, null before one (ms). */
  readonly filing: (Filing & { readonly age: number; readonly shareAge: number | null }) | null;
  readonly events: readonly RunEvent[];
  /** The last lines of the log, as people may read them. */
  readonly tail: readonly string[];
}

/** What the reporter of a run needs: a cursor into the journal. Every write is refused ('fenced') once another reporter took over. */
export interface Outbox {
  /** Takes the run's report from whoever holds it. */
  take(run: string): Promise<number>;
  /** The run and its events behind the cursor. */
  read(run: string): Promise<Draft | null>;
  /** Sequence of the run's last event: a cheap look at whether there is news. */
  last(run: string): Promise<number>;
  intend(run: string, fence: number, event: string, attempt: number): Promise<Written>;
  /** Slack has refused it, and nothing was stored: drops the intent. */
  withdraw(run: string, fence: number): Promise<Written>;
  /** Slack has it (or nothing was to be said): moves the cursor, drops the intent and a file's steps, keeps the root's place. */
  delivered(run: string, fence: number, cursor: number, root: Place | null): Promise<Written>;
  /** The card says what the revision says. `shown`: what was sent; null = it said so before. */
  carded(run: string, fence: number, rev: number, shown: Shown | null): Promise<Written>;
  /** The card can't be edited any more. */
  freeze(run: string, fence: number): Promise<Written>;
  /** Before the next step of a file: `shares` = that is to show it. Drops the intent. */
  file(run: string, fence: number, filing: Filing, shares: boolean): Promise<Written>;
  /** The root is gone: a new one is posted for the next message. */
  forgetRoot(run: string, fence: number, home: string | null): Promise<Written>;
  /** Ends the report if Slack has everything: 'settled', else 'more'. */
  settle(run: string, fence: number): Promise<'settled' | 'more' | 'fenced'>;
}

/** What people are called in Slack, kept for an hour: cards name them again and again. */
export interface Names {
  /** null where it is not known (any more). */
  read(user: string): Promise<string | null>;
  /** null = Slack doesn't say: the id stands for the name, for a minute. */
  write(user: string, name: string | null): Promise<void>;
}

/** What a patrol knows of a log that it saw. */
export interface NotedLog {
  readonly device: string;
  readonly inode: string;
  /** Size at the last look. */
  readonly size: number;
  /** Bytes that are history: what comes behind them may be a training that nobody was told of. */
  readonly history: number;
  /** Checksum of its first bytes, to tell a log that was written anew from one that grew. */
  readonly head: { readonly sum: string; readonly summed: number };
  /** A run that a Vigil knows wrote it: nobody else's before it is written anew, or somebody else is seen to write it. */
  readonly isOurs: boolean;
}

export interface Notes {
  /** Host time of the last look, ms. */
  readonly at: number;
  readonly logs: ReadonlyMap<string, NotedLog>;
}

/** What patrols remember of a host's logs, by their paths. */
export interface PatrolNotes {
  /** null before the first look. */
  read(host: string): Promise<Notes | null>;
  /** Replaces all that was known. */
  write(host: string, notes: Notes): Promise<void>;
}

/** How fast a recipe has been on a host. */
export interface History {
  read(host: string, recipe: string): Promise<Pace>;
  /** One record a run: a later one takes its place. */
  note(host: string, recipe: string, record: PaceRecord): Promise<void>;
}

/** What verified runs of a recipe have reached on a host; the journal writes it with what happened. */
export interface Records {
  read(host: string, recipe: string): Promise<KeptRecord | null>;
}

/** What is kept of runs that ended: written with their end. */
export interface Archive {
  list(question: HistoryQuestion): Promise<Past>;
  /** A run that ended, by its id or its name (the newest that had it), also one of which nothing else is left. */
  find(run: string): Promise<HistoryEntry | null>;
  /** The newest run with that trouble on one of the hosts, other than `but` and ended before it; and what the team has noted of it. */
  seen(
    fingerprint: string,
    but: string,
    hosts: readonly string[],
  ): Promise<{ readonly earlier: Earlier | null; readonly note: TeamNote | null }>;
  /**
   * Takes the place of what was noted before, which is returned. The cards of `run` and of the newest others with that trouble, live ones first,
   * are written anew to show it (5 in all).
   */
  note(fingerprint: string, note: TeamNote, run: string): Promise<TeamNote | null>;
  /** Takes in runs that ended before there was an archive, a few at a time; returns how many. */
  catchUp(): Promise<number>;
  /** Whether the caller is to prune: true once in `every` ms, whoever asks, and whatever comes of it. */
  takePruning(every: number): Promise<boolean>;
  /** Removes what is older than the limits, entries and the journal's own keys of ended runs; returns how many runs lost any. */
  prune(): Promise<number>;
}

/** Adds the job unless it is there already; never the only thing a promise hangs on (the keeper adds what is missing). */
export interface Queue {
  add(job: 'launch' | 'watch' | 'stop' | 'report' | 'ask', run: string): Promise<void>;
}
