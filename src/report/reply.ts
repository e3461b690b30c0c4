/** The few moments of a run that get a reply in its thread. A second try may know more of a trouble's past: what was posted is known by its event's id, not by its words. */

import type { Message } from '../chat.ts';
import type { Checklist } from '../check/check.ts';
import { findingsOf, isAllWell, refusalsIn } from '../check/sums.ts';
import type { Started } from '../host/launch.ts';
import { list } from '../list.ts';
import { isUnseen } from '../run/request.ts';
import type { Failure, Run, RunEvent } from '../run/run.ts';
import { listed, message, plainSection, section, sentenceOf } from './blocks.ts';
import { checklistBlocks, checksWords } from './checklist.ts';
import { duration } from './duration.ts';
import { clip, code, escapeText } from './escape.ts';
import { endWords, failureBlocks } from './failure.ts';
import { takenWords } from './holders.ts';
import { milestone, startUpWords } from './milestones.ts';
import { renderUnverified } from './not-verified.ts';
import { lower, PHASE_WORDS } from './phase-words.ts';
import { proofWords } from './proof.ts';
import { renderPulse, renderStacks } from './pulse.ts';
import { inChannel, nameOf, say, told, withDetail } from './say.ts';
import { renderTrainingReply } from './training-reply.ts';
import { tryAgain } from './try-again.ts';
import type { View } from './view.ts';
import { endAfterDeath, isToldDeath, readyWords, renderLifeReply } from './vitals.ts';
import { terminalBlocks } from './where-to-look.ts';
import { afterLost, gpuWords, logsLine, servedAt, servedName } from './words.ts';

/** The reply for an event, or null where the card tells enough. Only a run's end, its readiness, what makes a training worthless and what a ready server needs a person for mention who asked. */
export function renderReply(event: RunEvent, run: Run, view: View): Message | null {
  const reply = replyTo(event, run, view);
  return reply === null ? null : named(reply, run);
}

/** Whoever reads it in a notification, or has it read out, sees no thread around it. */
function named(reply: Message, run: Run): Message {
  const { text } = reply;
  return text.includes(nameOf(run)) ? reply : { ...reply, text: sentenceOf(`${nameOf(run)}: ${text}`) };
}

function replyTo(event: RunEvent, run: Run, view: View): Message | null {
  switch (event.kind) {
    case 'requested':
    case 'checking':
    case 'log_asked':
      return null;
    case 'checked':
      return checked(event.checks, run);
    case 'turn':
      return turn(event);
    case 'turn_lost':
      return turnLost(event);
    case 'launched':
      return launched(event.started, run, view);
    case 'phase': {
      const words = milestone(event, run);
      return words === null ? null : say(words);
    }
    case 'target_phase':
    case 'target_down':
    case 'target_back':
    case 'training':
    case 'trouble':
    case 'moving':
    case 'finished':
      return renderTrainingReply(event, run);
    case 'ready':
      return ready(event, run, view);
    case 'failed':
      return failed(event.failure, run, view);
    case 'stopping': {
      const stopper = (event.by === run.stopBy ? view.stopperName : null) ?? event.by;
      return say(`Stopping, ${confirmedWords(event.confirmed)} by ${escapeText(clip(stopper, 80))}.`);
    }
    case 'stopped':
      return stopped(event, run);
    case 'restarted':
      return say(`Started again as ${code(event.as.name)}, which has a thread of its own.`);
    case 'lost':
      return inChannel(
        run,
        told(
          run,
          `${nameOf(run)} is lost.`,
          [plainSection(event.why), section(afterLost(run)), ...tryAgain(run)],
          event.why,
        ),
      );
    case 'out_of_contact':
      return withDetail(
        'Out of contact with the host. The process may well go on; the card and the reservation stay. Nothing to do yet: Vigil keeps trying, and says here when the host answers.',
        event.why,
      );
    case 'back_in_contact':
      return say(`Back in contact after ${duration(event.silentMs)}.`);
    case 'log_gap':
      return say(gap(event));
    case 'pulse':
      return renderPulse(event, run);
    case 'stacks':
      return renderStacks(event, run);
    case 'silence':
      return silence(event, run);
    case 'notice':
      return withDetail(null, event.text);
    case 'unverified':
      return renderUnverified(event.why, run);
    case 'verified':
    case 'unusable':
    case 'hang':
    case 'hang_over':
    case 'engine_dead':
    case 'acceptance_fell':
    case 'disk':
    case 'errors':
      return renderLifeReply(event, run, view);
    default:
      return event satisfies never;
  }
}

function confirmedWords(pids: readonly number[] | undefined): string {
  if (pids === undefined) return 'asked';
  const which = pids.length === 1 ? `pid ${pids[0]}` : `pids ${list(pids.map(String))}`;
  return `${which} and nothing else, confirmed`;
}

function turn({ waitedMs, devices }: RunEvent & { kind: 'turn' }): Message {
  const gpus = gpuWords(devices);
  return say(
    `Its turn has come after ${duration(waitedMs)} in the line${gpus === null ? '' : `: ${escapeText(gpus)}`}.`,
  );
}

function turnLost({ taken }: RunEvent & { kind: 'turn_lost' }): Message {
  const what = takenWords(taken, 'when last looked at');
  return say(`${what}\nNothing was started. It goes back to the front of the line and starts by itself.`);
}

/** Where all is well the launch says so in passing; what refuses it is told with the end. */
function checked(checks: Checklist, run: Run): Message | null {
  if (isAllWell(checks) || refusalsIn(checks).length > 0) return null;
  const forced =
    findingsOf(checks, 'refused').length > 0 ? `${nameOf(run)} starts although its checks refuse it. ` : '';
  const words = `${forced}${checksWords(checks)}.`;
  return message(words, [section(words), ...checklistBlocks(checks)]);
}

/** With what a terminal needs to follow it: the card has no room for that. */
function launched(started: Started, run: Run, view: View): Message {
  const moved = started.movedLog === null ? '' : ` An older log was moved to ${code(started.movedLog)}.`;
  const shell = started.preludeShell === 'sh' ? ' The host has no bash: the prelude ran in sh.' : '';
  const checks = run.checks !== null && isAllWell(run.checks) ? ` ${checksWords(run.checks)}.` : '';
  const { pid } = started.main;
  return message(
    `${nameOf(run)} is launched on ${escapeText(run.request.host)}, process ${pid}.${escapeText(checks)}`,
    [
      section(`Launched: process ${pid}, log ${code(started.log)}.${moved}${shell}${checks}`),
      ...terminalBlocks(run, view),
    ],
  );
}

function gap({ source, why }: RunEvent & { kind: 'log_gap' }): string {
  const log = source === 'target' ? "target server's log" : 'log';
  return why === 'replaced'
    ? `Another file stands in the place of the ${log}, and the one before can't be found beside it: what came between may be missing here. The new one is read from its start.`
    : `The ${log} was cut to nothing and begun anew (copytruncate, or a second start?): what was written right before may be missing here. It is read from its new start.`;
}

function silence(event: RunEvent & { kind: 'silence' }, run: Run): Message {
  const process = isUnseen(run) ? 'Its process is not visible.' : 'The process is alive.';
  const who = run.request.kind === 'train' ? `${nameOf(run)}: no` : 'No';
  const silent = `${who} new log line for ${duration(event.silentMs)}, still ${escapeText(lower(PHASE_WORDS[event.phase]))}. ${process} ${code(logsLine(run))} shows its last lines.`;
  return inChannel(run, say(silent));
}

/** What somebody started by hand may have been ready for days. */
function readySince(at: number, run: Run): string {
  const { found, at: asked } = run.request;
  if (found?.answered === true) return 'as it did already when it was found';
  if (found !== null) return `${duration(at - (run.started?.at ?? asked))} after its start`;
  return run.turnAt === null
    ? `${duration(at - asked)} after the command`
    : `${duration(at - run.turnAt)} after its turn came`;
}

/** What is wrong with it stands before where it serves. A lock screen shows four lines: where it answers and its numbers come first there. */
function ready(event: RunEvent & { kind: 'ready' }, run: Run, view: View): Message {
  const { model, proof } = event.readiness;
  const [at, since] = [servedAt(run), readySince(event.at, run)];
  const { head, more, blocks } = readyWords(event.verification, run, view);
  const startUp = startUpWords(event, run);
  const served = `${escapeText(clip(model ?? 'The server', 200))} answers on ${escapeText(at)}, ${since}.`;
  const place = section([served, proofWords(event.readiness), startUp].filter((line) => line !== null).join('\n'));
  const isWell = event.verification === undefined || event.verification.outcome === 'ready';
  if (!isWell) return told(run, head, [...blocks, place], more);
  const unproved = proof === 'socket' ? '' : ' It is not proved that it is this run that answers.';
  const where = `It answers on ${at} of ${run.request.host}, ${since}${more === '' ? '' : `: ${more}`}.${unproved}`;
  const what = model === null ? '' : ` It serves ${servedName(model)}.`;
  return told(run, head, [place, ...blocks], `${where}${what}`);
}

function failed(failure: Failure, run: Run, { before }: View): Message {
  if (failure.kind === 'ended' && isToldDeath(failure, run)) return endAfterDeath(failure, run);
  const blocks = failureBlocks(failure, { run, carrier: 'reply', before });
  if (failure.kind === 'refused') return told(run, `${nameOf(run)} was not started.`, blocks, failure.reason);
  const { cause } = failure;
  const more = cause === null ? endWords(failure, run) : `${clip(cause.title, 200)}. ${cause.remedy}`;
  return inChannel(run, told(run, `${nameOf(run)} failed.`, blocks, more));
}

function stopped(event: RunEvent & { kind: 'stopped' }, run: Run): Message {
  const { proven, isGone, evidence } = event.proof;
  const head = proven
    ? `${nameOf(run)} is stopped.`
    : isGone === false
      ? `${nameOf(run)} was told to stop, and not all of it is gone.`
      : `${nameOf(run)} was told to stop, which can't be proved here.`;
  return told(
    run,
    head,
    [listed(evidence.length === 0 ? ['Nothing was seen that proves it.'] : evidence)],
    evidence[0] ?? '',
  );
}
