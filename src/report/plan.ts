/**
 * The phases of a run that starts or trains, as Slack's plan: what is done with its time, what is now, what is known to come. Slack shows a plan
 * folded, its title alone, until somebody opens it; it stays open through edits as long as its block_id stays (slackapi/node-slack-sdk#2701).
 */

import type { PlanBlock, TaskCardBlock } from '@slack/types';
import type { LogPhase } from '../log/events.ts';
import { noteOf } from '../run/phase-note.ts';
import { isFound } from '../run/request.ts';
import { isEnd, type Phase, type Run } from '../run/run.ts';
import { isRunningUnasked } from '../run/unasked.ts';
import { bar } from './bar.ts';
import { plan, task } from './blocks.ts';
import { checksWords } from './checklist.ts';
import { duration } from './duration.ts';
import { capital, PHASE_WORDS } from './phase-words.ts';
import { shareOf } from './progress.ts';
import { standingOf } from './standing.ts';
import { comingSteps, hasWaited, nowSince, type PassedStep, passedSteps } from './steps.ts';
import { doingWords } from './words.ts';

/** null of what waits, is up, is being stopped or has ended: its journey is one line. */
export function phasePlan(run: Run): PlanBlock | null {
  if (!isUnderWay(run)) return null;
  const passed = passedSteps(run).filter(({ phase }) => isStep(phase, run));
  const coming = comingSteps(run);
  const tasks = [
    ...passed.map((step, index) => passedTask(step, index, run)),
    nowTask(run, passed.length),
    ...coming.map((phase, index) => comingTask(phase, passed.length + 1 + index, run)),
  ];
  return plan(`phases-${run.request.id}`, titleOf(run, passed.length, coming.length), tasks);
}

/** Whether a run has its way before it: it starts, or it trains. */
export function isUnderWay(run: Run): boolean {
  if (isEnd(run.phase) || run.phase === 'ready') return false;
  return run.waiting === null && run.stopBy === null && standingOf(run) === null && !isRunningUnasked(run);
}

/**
 * All that a folded plan shows, beside the state above it: `Step 5 of 9, 1 min 2 s since the command`. How many steps there are only earlier starts
 * tell.
 */
function titleOf(run: Run, passed: number, coming: number): string {
  if (run.phase === 'queued' && passed === 0) return 'Steps to come';
  const of = run.work.habits.length === 0 ? '' : ` of ${passed + 1 + coming}`;
  const since = Math.max(0, run.seenAt - (run.visits[0]?.at ?? run.request.at));
  return `Step ${passed + 1}${of}, ${duration(since)} since ${isFound(run) ? 'its start' : 'the command'}`;
}

/** A training goes to and fro between its steps and its checkpoints: both are what it does now. */
function isStep(phase: Phase, run: Run): boolean {
  if (phase === 'queued') return hasWaited(run);
  return run.training === null || (phase !== 'training' && phase !== 'checkpointing');
}

function nowFor(run: Run): number {
  return Math.max(0, run.seenAt - nowSince(run));
}

function passedTask({ phase, ms }: PassedStep, index: number, run: Run): TaskCardBlock {
  const title = `${PHASE_WORDS[phase]} · ${duration(ms)}`;
  return task({ id: `${index}-${phase}`, title, status: 'complete', details: factWords(phase, run) });
}

/** Whatever the pulse says of it stands in the card's first line. */
function nowTask(run: Run, index: number): TaskCardBlock {
  const share = shareOf(run);
  const doing = share === null ? doingWords(run) : `${doingWords(run)} ${bar(share)}`;
  const still = run.pulse === 'stuck' ? ', stuck' : '';
  const title = `${doing}${still} · ${duration(nowFor(run))}`;
  return task({ id: `${index}-${run.phase}`, title, status: 'in_progress', details: usualWords(run.phase, run) });
}

function comingTask(phase: Phase, index: number, run: Run): TaskCardBlock {
  const details = usualWords(phase, run);
  return task({ id: `${index}-${phase}`, title: PHASE_WORDS[phase], status: 'pending', details });
}

/** How long it took in earlier starts, or null. */
function usualWords(phase: Phase, { work: { habits } }: Run): string | null {
  const habit = habits.find((known) => known.phase === phase);
  return habit === undefined ? null : `Usually ${duration(habit.ms)}`;
}

/** What it came to: its log tells that when the next one begins. */
function factWords(phase: Phase, { checks, reading }: Run): string | null {
  if (phase === 'checking') return checks === null ? null : checksWords(checks);
  const next = TOLD_BY[phase];
  const note = next === undefined ? null : noteOf(next, reading);
  return note === null ? null : capital(note);
}

const TOLD_BY: Readonly<Partial<Record<Phase, LogPhase>>> = { connecting: 'loading', kv_cache: 'capturing' };
