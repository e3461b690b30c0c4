/** The verdict as a sentence, and on what it rests. */

import type { Progress } from '../log/events.ts';
import { lower, PHASE_WORDS } from '../report/phase-words.ts';
import { exitHint } from '../report/words.ts';
import type { Explained } from './explained.ts';

/** `FAILED while loading weights: CUDA is out of memory.` */
export function verdictWords(explained: Explained): string {
  return `${WORDS[explained.judgement.verdict](explained)}.`;
}

const WORDS: Readonly<Record<Explained['judgement']['verdict'], (explained: Explained) => string>> = {
  starting: ({ log, judgement }) => {
    const phase = judgement.phases.at(-1);
    const what = log.kind === 'train' ? 'a training' : 'a server';
    if (phase === undefined) return `STARTING: the log shows nothing of ${what} yet`;
    return `STARTING: ${lower(PHASE_WORDS[phase])}${ofPhase(judgement.progress, phase)}${trouble(judgement)}`;
  },
  ready: ({ log, judgement: { facts, cause } }) => {
    const since = log.marks.find(({ phase }) => phase === 'ready');
    const at = since === undefined ? '' : ` since line ${since.line}${since.stamp === null ? '' : ` (${since.stamp})`}`;
    return `READY${at}${typeof facts.url === 'string' ? `, serving ${facts.url}` : ''}${trouble({ cause })}`;
  },
  training: ({ judgement }) => {
    const made = [...stepsMade(judgement), ...newestRecord(judgement)].join(', ');
    return `TRAINING${made === '' ? '' : `: ${made}`}${trouble(judgement)}`;
  },
  finished: ({ judgement }) => `FINISHED: the trainer's own end stands in the log${trouble(judgement)}`,
  stopped: ({ log, judgement }) => {
    const { shutdownLine } = log.reading;
    return `STOPPED on purpose${shutdownLine === null ? '' : `: an orderly end begins on line ${shutdownLine}`}${trouble(judgement)}`;
  },
  failed: (explained) => {
    const { cause } = explained.judgement;
    return `FAILED ${whileDoing(explained)}: ${cause === null ? 'the log shows no cause' : inSentence(cause.title)}`;
  },
};

function stepsMade({ progress }: Explained['judgement']): string[] {
  return progress === null ? [] : [progressWords(progress).replace(/^training, /, '')];
}

/** Epochs are long: the step tells that it goes on, the loss how. */
function newestRecord({ progress, facts: { step, loss } }: Explained['judgement']): string[] {
  const isCounted = progress?.unit === 'step' || step === undefined;
  return [...(isCounted ? [] : [`step ${step}`]), ...(loss === undefined ? [] : [`loss ${loss}`])];
}

/** What it was doing on the cause's line: ranks that live on may still save. */
function whileDoing({ log, judgement: { cause } }: Explained): string {
  const line = cause?.traceback?.first ?? cause?.line ?? Number.POSITIVE_INFINITY;
  const phase = log.marks.findLast((mark) => !mark.isTargets && mark.line <= line)?.phase;
  if (phase === undefined) return 'before its first phase';
  return DURING[phase] ?? `while ${lower(PHASE_WORDS[phase])}`;
}

/** Phases that are no doing. */
const DURING: Readonly<Record<string, string>> = {
  ready: 'after it was ready',
  target_ready: 'when its target server was ready',
  finished: "after the trainer's own end",
};

/** `CUDA ...` keeps its capitals. */
function inSentence(title: string): string {
  return /^[A-Z](?:[a-z]| )/.test(title) ? lower(title) : title;
}

/** `3 of 17`, `step 31 of 80`. */
export function progressWords({ phase, done, total, unit }: Progress): string {
  const share = total > 0 ? ` (${Math.floor((done / total) * 100)} %)` : '';
  const what = unit === undefined || unit === 'file' ? lower(PHASE_WORDS[phase]) : phase;
  const of = unit === undefined ? '' : ` ${unit}${done === 1 && total === 1 ? '' : 's'}`;
  return `${what}, ${done} of ${total}${of}${share}`;
}

function ofPhase(progress: Progress | null, phase: string): string {
  return progress?.phase === phase ? `, ${progress.done} of ${progress.total}` : '';
}

function trouble({ cause }: Pick<Explained['judgement'], 'cause'>): string {
  return cause === null ? '' : `, but ${inSentence(cause.title)}`;
}

/** What is known of the process, or was taken to be so. */
export function evidenceWords({ evidence: { alive, exitCode }, isAssumed }: Explained): string {
  if (isAssumed)
    return `Judged by the log alone, as of a process that ${alive ? 'still runs' : 'has ended'}. Tell what is known: --alive, or --exited [CODE].`;
  if (alive) return 'Its process still runs, as given.';
  if (exitCode === null) return 'Its process has ended, as given; its exit code is not known.';
  const isSignal = exitCode < 0;
  const hint = exitHint(isSignal ? { code: null, signal: -exitCode } : { code: exitCode, signal: null });
  const how = isSignal ? `signal ${-exitCode} ended it` : `it ended with exit code ${exitCode}`;
  return `As given, ${how}.${hint === null ? '' : ` ${hint}`}`;
}
