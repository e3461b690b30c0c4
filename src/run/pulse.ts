/** How a run's pulse moves: by its log, by samples that show how long that is silent, and by looks that show whether work gets done meanwhile. */

import { createMask } from '../log/mask.ts';
import { busyBudget, silenceBudget } from '../pulse/budgets.ts';
import { shownOf, standstill, verdictOn } from '../pulse/verdict.ts';
import { isWatched } from '../pulse/watched.ts';
import type { Silence, Work } from '../pulse/work.ts';
import { alarmsApart } from '../vitals/apart.ts';
import type { Step } from './happening.ts';
import type { Observation } from './observe.ts';
import { isUnseen } from './request.ts';
import type { Phase, Run, RunEvent, RunEventBody } from './run.ts';

/** Samples come once a second: after this long without any nobody knows what went on (ms). */
const GAP_MS = 30_000;
const MOST_DUMP = 4096;
const TRAINS: readonly Phase[] = ['training', 'checkpointing'];
const MASK = createMask([]);
/** What a silence leaves behind when it is over. */
const FRESH = {
  before: 'moving',
  motion: null,
  stillFrom: null,
  idleFrom: null,
  movedAt: null,
  behindFrom: null,
  alarm: null,
  hasStacks: false,
} as const satisfies Partial<Work>;

type PulseBody = RunEventBody & { kind: 'pulse' };
type Moment = Pick<RunEvent, 'at' | 'seen'>;

/** The pulse as it stands, in the words of the event that told it. */
export function pulseNow(run: Run): PulseBody {
  const { alarm } = run.work;
  const pulse = run.pulse === 'out_of_contact' ? run.work.before : run.pulse;
  return told(run, { pulse: alarm === 'silent' ? 'silent' : pulse, isAlarm: alarm !== null });
}

/** After a read of its log: a run whose log moves is moving, whatever was seen before. */
export function heard(before: Run, read: Step, { at, seen, isOld, ...log }: Observation & { kind: 'log' }): Step {
  const { run, happened } = read;
  if (log.saysOnlyThatItWaits === true && !isUnseen(run)) return { run: { ...run, heard: before.heard }, happened };
  if (isOld || run.heard === before.heard) return read;
  const until = at - before.seenAt > GAP_MS ? before.seenAt : at;
  const silentMs = Math.max(0, until - before.heard);
  const silences = isWatched(before) ? withSilence(before, silentMs) : run.work.silences;
  const hasProgress = run.phase !== before.phase || run.training?.last.number !== before.training?.last.number;
  const culprit = hasProgress ? null : run.work.culprit;
  const work: Work = { ...run.work, ...FRESH, silences, culprit };
  const next: Run = { ...run, pulse: run.pulse === 'out_of_contact' ? run.pulse : 'moving', work };
  if (before.work.alarm === null || run.stopBy !== null) return { run: next, happened };
  const moving = told(before, { pulse: 'moving', silentMs });
  return { run: next, happened: [{ at, seen, ...moving }, ...happened] };
}

/** A new phase is a step forward: what was told of the last one is over. A training that saves and goes on is where it was. */
export function entered(run: Run, phase: Phase): Run {
  const isSame = TRAINS.includes(run.phase) && TRAINS.includes(phase);
  const work: Work = { ...run.work, ...FRESH, ...(isSame ? {} : { told: [], alarms: 0 }) };
  return { ...run, pulse: run.pulse === 'out_of_contact' ? run.pulse : 'moving', work };
}

/** As of a sample: silence counts only while they come. After a gap, and when the host's clock was set, all that it is judged by moves along. */
export function seenUntil(run: Run, at: number): Run {
  const gap = at - run.seenAt;
  if (Math.abs(gap) <= GAP_MS) return { ...run, seenAt: at };
  const later = (moment: number | null): number | null => (moment === null ? null : moment + gap);
  const { motion, stillFrom, idleFrom, movedAt, behindFrom, alarmedAt } = run.work;
  const work: Work = {
    ...run.work,
    motion: motion === null ? null : { ...motion, at: motion.at + gap },
    stillFrom: later(stillFrom),
    idleFrom: later(idleFrom),
    movedAt: later(movedAt),
    behindFrom: later(behindFrom),
    alarmedAt: alarmedAt === null ? null : Math.min(alarmedAt, at),
  };
  return { ...run, heard: run.heard + gap, seenAt: at, work };
}

/** Two looks compared. */
export function seeMotion(run: Run, seen: Observation & { kind: 'motion' }): Step {
  const { motion } = seen;
  if (!isWatched(run) || run.pulse === 'out_of_contact' || motion.at <= run.heard) return { run, happened: [] };
  return judge({ ...run, work: { ...run.work, ...standstill(run, motion), motion: shownOf(run, motion) } }, seen);
}

/** Silence beyond the budget asks what the looks have shown; the run is given as of this moment. */
export function judge(run: Run, moment: Moment): Step {
  if (!isWatched(run) || run.pulse === 'out_of_contact') return { run, happened: [] };
  const silentMs = run.seenAt - run.heard;
  if (silentMs < silenceBudget(run)) return { run, happened: [] };
  const verdict = verdictOn(run);
  switch (verdict) {
    case 'unknown':
      return { run, happened: [] };
    case 'silent':
      return run.work.alarm === null
        ? alarmed(turned(run, 'moving'), { ...moment, alarm: 'silent' })
        : { run, happened: [] };
    case 'quiet':
      return quiet(turned(run, 'quiet'), moment);
    case 'busy':
      return busy(turned(run, 'busy'), moment);
    case 'stuck':
      return alarmed(turned(run, 'stuck'), { ...moment, alarm: 'stuck' });
    default:
      return verdict satisfies never;
  }
}

export function seeStacks(run: Run, { at, seen, stacks }: Observation & { kind: 'stacks' }): Step {
  if (!isWatched(run) || run.work.hasStacks) return { run, happened: [] };
  const next = { ...run, work: { ...run.work, hasStacks: true } };
  if (stacks.length === 0) return { run: next, happened: [] };
  const cut = stacks.map((stack) => ({ ...stack, text: MASK(stack.text).slice(0, MOST_DUMP) }));
  const { culprit } = run.work;
  return { run: next, happened: [{ at, seen, kind: 'stacks', stacks: cut.slice(0, 4), culprit }] };
}

function withSilence({ work: { silences }, phase }: Run, ms: number): readonly Silence[] {
  const old = silences.find((silence) => silence.phase === phase);
  if (old !== undefined && old.ms >= ms) return silences;
  return [...silences.filter((silence) => silence !== old), { phase, ms }];
}

function turned(run: Run, pulse: Work['before']): Run {
  return { ...run, pulse, work: { ...run.work, before: pulse } };
}

/** Work is seen again: news once a phase, and always after an alarm. */
function quiet(run: Run, moment: Moment): Step {
  const wasAlarm = run.work.alarm !== null;
  const work: Work = { ...run.work, alarm: null, hasStacks: false, culprit: null };
  return tell({ ...run, work }, { ...moment, as: 'quiet', wasAlarm });
}

function busy(run: Run, moment: Moment): Step {
  const { motion, movedAt } = run.work;
  const isLong = motion !== null && motion.at - Math.max(run.heard, movedAt ?? 0) >= busyBudget(run);
  if (isLong) return alarmed(run, { ...moment, alarm: 'busy' });
  return run.work.alarm === null ? tell(run, { ...moment, as: 'busy', wasAlarm: false }) : { run, happened: [] };
}

function tell(run: Run, { as, wasAlarm, at, seen }: Moment & { as: 'quiet' | 'busy'; wasAlarm: boolean }): Step {
  const { told: before } = run.work;
  if (before.includes(as) && !wasAlarm) return { run, happened: [] };
  const next = { ...run, work: { ...run.work, told: [...before.filter((one) => one !== as), as] } };
  return { run: next, happened: [{ at, seen, ...told(run, { pulse: as, wasAlarm }) }] };
}

/** No good news is told once, and again when more is known: a rank that is behind, or evidence where there was only silence. */
function alarmed(run: Run, { alarm, at, seen }: Moment & { alarm: 'silent' | 'busy' | 'stuck' }): Step {
  const { work } = run;
  const isNamed = work.culprit !== null && work.behindFrom !== null;
  const isMore = work.alarm === 'silent' || (work.alarm === 'busy' && isNamed);
  const isTime = work.alarmedAt === null || at - work.alarmedAt >= alarmsApart(work.alarms);
  const isNew = work.alarm === null && isTime;
  if (!isNew && !(isMore && work.alarm !== alarm)) return { run, happened: [] };
  const next = { ...run, work: { ...work, alarm, alarmedAt: at, alarms: work.alarms + 1, hasStacks: false } };
  return { run: next, happened: [{ at, seen, ...told(run, { pulse: alarm, isAlarm: true }), isAgain: isAgain(work) }] };
}

function isAgain({ alarm, alarms }: Work): boolean {
  return alarm === null && alarms > 0;
}

function told(
  run: Run,
  what: { pulse: PulseBody['pulse']; silentMs?: number; isAlarm?: boolean; wasAlarm?: boolean },
): PulseBody {
  const { motion, culprit, behindFrom, movedAt, arrived, habits } = run.work;
  const silentMs = what.silentMs ?? run.seenAt - run.heard;
  return {
    kind: 'pulse',
    pulse: what.pulse,
    phase: run.phase,
    silentMs,
    stillMs: Math.max(0, run.seenAt - Math.max(run.heard, movedAt ?? 0)),
    isAlarm: what.isAlarm ?? false,
    wasAlarm: what.wasAlarm ?? what.pulse === 'moving',
    motion: what.pulse === 'moving' ? null : motion,
    culprit: behindFrom === null ? null : culprit,
    arrived,
    usual: habits.find((habit) => habit.phase === run.phase) ?? null,
  };
}
