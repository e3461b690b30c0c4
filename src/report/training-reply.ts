/** The moments of a training that get a reply of their own. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import type { Cause } from '../diagnosis/cause.ts';
import type { TrainRecord } from '../log/events.ts';
import type { Run, RunEvent, TargetDown } from '../run/run.ts';
import { preformatted, section } from './blocks.ts';
import { duration } from './duration.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { exceptionInShort } from './failure.ts';
import { reached } from './milestones.ts';
import { inChannel, nameOf, say, told } from './say.ts';
import { checkpointLine } from './training.ts';

type TrainingEvent = RunEvent & {
  kind: 'target_phase' | 'target_down' | 'target_back' | 'training' | 'trouble' | 'moving' | 'finished';
};

export function renderTrainingReply(event: TrainingEvent, run: Run): Message | null {
  switch (event.kind) {
    case 'target_phase':
      return targetPhase(event);
    case 'target_down':
      return inChannel(run, targetDown(event.down, run));
    case 'target_back':
      return say('The target server is up again.');
    case 'training':
      return inChannel(run, say(`${nameOf(run)}: training has started, ${recordWords(event.record)}.`));
    case 'trouble':
      return inChannel(run, trouble(event.cause, run));
    case 'moving':
      return say(`The log moves again, after ${duration(event.silentMs)}.`);
    case 'finished':
      return inChannel(run, finished(event, run));
    default:
      return event satisfies never;
  }
}

/** Its long phases only: the card has them all. */
function targetPhase({ phase, note }: TrainingEvent & { kind: 'target_phase' }): Message | null {
  if (phase !== 'loading' && phase !== 'downloading') return null;
  return say(`Target server: ${reached('NCCL up', note === null ? '' : escapeText(clip(note, 300)), phase)}`);
}

function targetDown({ evidence, cause }: TargetDown, run: Run): Message {
  const how = evidence === 'process' ? 'Its process is gone.' : 'It does not answer on its port any more.';
  const goesOn = goesOnWithout(run);
  const blocks = [
    section(`${how} ${goesOn}`),
    ...(cause === null ? [] : causeBlocks(cause, 'the target server’s log')),
    section(afterTargetDown(cause, run)),
  ];
  const more = cause === null ? goesOn : `${clip(cause.title, 200)}. ${goesOn}`;
  return told(run, `${nameOf(run)}: the target server is down.`, blocks, more);
}

/** What a training does whose target server is gone. */
export function goesOnWithout({ training }: Run): string {
  return training === null
    ? 'The training waits for it in vain.'
    : 'The training goes on without it: what it learns from now on is worth nothing.';
}

/** What to do about a target server that is gone, as mrkdwn. */
export function afterTargetDown(cause: Cause | null, run: Run): string {
  const resume = run.reading.facts.checkpoint === undefined ? '' : '; let it resume at a checkpoint from before';
  const why =
    cause === null
      ? 'find out why the server died (its log shows no reason: look at `dmesg -T` on the host)'
      : 'mend the cause';
  const next = `${cause === null ? '' : `${cause.remedy} `}Stop the training, ${why}, then start it again${resume}.`;
  return `*What to do:* ${markup(clip(next, 2000))}`;
}

function trouble(cause: Cause, run: Run): Message {
  const head = `${nameOf(run)} goes on, but to no purpose.`;
  const remedy = section(`*What to do:* ${markup(clip(cause.remedy, 1500))}`);
  return told(run, head, [...causeBlocks(cause, 'the log'), remedy], `${clip(cause.title, 200)}. ${cause.remedy}`);
}

function causeBlocks(cause: Cause, where: string): KnownBlock[] {
  const process = cause.process === null ? '' : `${code(cause.process, 80)}, `;
  return [
    section(`*${markup(clip(cause.title, 200))}* (${process}line ${cause.line} of ${where})`),
    preformatted(exceptionInShort(cause)),
  ];
}

function finished({ at, exit, record }: TrainingEvent & { kind: 'finished' }, run: Run): Message {
  const took = run.training === null ? null : `Trained for ${duration(at - run.training.since)}`;
  const last = record === null ? null : `last record: ${recordWords(record)}`;
  const words = [took, last].filter((word) => word !== null).join('; ');
  const { val_loss: validation, epochs } = run.reading.facts;
  const facts = [
    epochs === undefined ? null : `${escapeText(String(epochs))} epochs`,
    validation === undefined ? null : `validation loss ${escapeText(String(validation))}`,
  ].filter((word) => word !== null);
  const how =
    exit === null ? "That is what its log says; the exit code can't be seen, since Vigil did not start it." : null;
  const lines = [
    words === '' ? null : `${words}.`,
    facts.length === 0 ? null : `${facts.join(', ')}.`,
    checkpointLine(run),
    how,
  ];
  const shown = lines.filter((line) => line !== null).join('\n');
  return told(
    run,
    `${nameOf(run)} has finished.`,
    shown === '' ? [] : [section(shown)],
    words === '' ? '' : `${words}.`,
  );
}

function recordWords({ step, loss }: TrainRecord): string {
  const words = [step === null ? null : `step ${step.toLocaleString('en-US')}`, `loss ${loss}`];
  return escapeText(words.filter((word) => word !== null).join(', '));
}
