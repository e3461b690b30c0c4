/** The root message of a run's thread: edited in place, true at every moment, readable on a phone. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import { isNamed } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';
import { whyUnasked } from '../run/unasked.ts';
import { noteBlocks, seenBlocks } from './before.ts';
import { context, listed, message, plainSection, section } from './blocks.ts';
import { culpritNow, culpritWords } from './culprit.ts';
import { stateEmoji } from './emoji.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { endWords, failureBlocks } from './failure.ts';
import { journey, lastStep } from './journey.ts';
import { notVerified } from './not-verified.ts';
import type { Carrier } from './numbers.ts';
import { capital } from './phase-words.ts';
import { planLines } from './plain.ts';
import { isUnderWay, phasePlan } from './plan.ts';
import { farWords, progressWords } from './progress.ts';
import { runButtons } from './run-buttons.ts';
import { sentence, withoutColon } from './sentence.ts';
import { serverBlocks, serverSentence, verifiedBlocks } from './server-card.ts';
import { signOfLife } from './sign-of-life.ts';
import { standingOf } from './standing.ts';
import { checkpointLine, recordLine, targetLine } from './training.ts';
import { tryAgain } from './try-again.ts';
import type { View } from './view.ts';
import { waitingWords } from './waiting.ts';
import { pressingBlocks, warningLines } from './warnings.ts';
import { foundLog, whereToLook } from './where-to-look.ts';
import { afterLost, gpuWords, listensWords, stateWords, time } from './words.ts';

/** The card of a run. It mentions nobody: an edit notifies no one, and a mention in a root turns each reply into a ping. */
export function renderCard(run: Run, view: View): Message {
  return message(cardSentence(run, view), [...cardBlocks(run, view, 'card'), runButtons(run)]);
}

/** All that the card says, at full length and without buttons, how an ended server was verified last, and what is known of what was wrong with it. */
export function renderDetails(run: Run, view: View): Message {
  const { verification, phase } = run;
  const last = isEnd(phase) && verification !== null ? verifiedBlocks(verification, view, 'reply') : [];
  // A failure tells of it itself.
  const before = phase === 'stopped' || phase === 'lost' ? view.before : undefined;
  return message(cardSentence(run, view), [
    ...cardBlocks(run, view, 'reply'),
    ...noteBlocks(before),
    ...last,
    ...seenBlocks(before),
  ]);
}

/** State, what is wrong and what to do, numbers; then its phases, who asked and where to look. */
function cardBlocks(run: Run, view: View, carrier: Carrier): KnownBlock[] {
  const blocks = [
    section(headline(run, view)),
    ...pressingBlocks(run),
    ...outcome(run, view, carrier),
    ...behind(run),
    isEnd(run.phase) || run.waiting === null ? null : section(waitingWords(run, run.waiting)),
    linesOf(warningLines(run)),
    ...way(run, carrier),
    context([origin(run, view), whatBecame(run, view), address(run), gpus(run), signOfLife(run), logOf(run, carrier)]),
    ...(carrier === 'card' ? [] : whereToLook(run, view)),
  ];
  return blocks.filter((block) => block !== null);
}

/** Its phases: while it is under way all of them, else one line. Whoever asked for details sees them at once. */
function way(run: Run, carrier: Carrier): KnownBlock[] {
  const plan = phasePlan(run);
  if (plan === null) return [context([carrier === 'card' ? cardJourney(run) : journey(run)])];
  return carrier === 'card' ? [plan] : planLines(plan);
}

/** Of a server that is up and not well the way to its readiness is of no use now. */
function cardJourney(run: Run): string {
  const standing = run.phase === 'ready' ? standingOf(run) : null;
  return standing === null || standing === 'well' ? journey(run) : capital(lastStep(run));
}

function linesOf(lines: readonly string[]): KnownBlock | null {
  return lines.length === 0 ? null : context([lines.join('\n')]);
}

function logOf(run: Run, carrier: Carrier): string | null {
  return carrier === 'card' ? foundLog(run) : null;
}

/** Who asked for it; of what somebody started by hand, who runs it on the host. */
function origin(run: Run, view: View): string {
  const { request } = run;
  const who = escapeText(clip(view.requesterName, 80));
  if (request.found === null) return `Asked by ${who}, ${time(request.at)}`;
  const { process } = request.found;
  const when = isNamed(run) ? `watched for ${who} since ${time(request.at)}` : `found ${time(request.at)}`;
  if (process === null)
    return `Not started by Vigil, ${when}. *Its process is not visible*: all this is what its log says.`;
  const user = process.user === null ? '' : ` by ${escapeText(process.user)}`;
  return `Started by hand${user} (pid ${process.pid}, ${code(process.command, 120)}), ${when}`;
}

/** Who had it ended, the run that it took the place of, and the one that took its own. */
function whatBecame({ request: { again }, restartedAs, phase, stopBy }: Run, { stopperName }: View): string | null {
  const isAsked = phase === 'stopped' && stopBy !== null && stopperName !== null;
  const words = [
    ...(isAsked ? [`Stop asked by ${escapeText(clip(stopperName, 80))}`] : []),
    ...(again === undefined ? [] : [`Restart of ${code(again.name)}`]),
    ...(restartedAs === undefined ? [] : [`Restarted as ${code(restartedAs.name)}`]),
  ];
  return words.length === 0 ? null : words.join(', ');
}

function address({ request }: Run): string | null {
  const words = listensWords(request);
  return words === null ? null : escapeText(words);
}

/** State, what and where; below it how far it is. */
function headline(run: Run, view: View): string {
  const { name, recipe, host } = run.request;
  const first = `${stateEmoji(run)} *${escapeText(stateOf(run, view))}*: *${escapeText(recipe)}* on *${escapeText(host)}* (${code(name)})`;
  const progress = isSeenUnderWay(run) ? progressWords(run, time) : null;
  return progress === null ? first : `${first}\n${progress}`;
}

/** What the card says to phones and screen readers: state, what, where, why, how far. */
export function cardSentence(run: Run, view: View): string {
  const { name, recipe, host } = run.request;
  const start = escapeText(`${stateOf(run, view)}: ${recipe} on ${host} (${name})`);
  const more = [why(run), isSeenUnderWay(run) ? farWords(run) : null].filter((words) => words !== null);
  return [`${start}.`, ...more.map((words) => markup(sentence(clip(words, 300))))].join(' ');
}

/** Of what is out of contact nobody knows how far it is by now. */
function isSeenUnderWay(run: Run): boolean {
  return isUnderWay(run) && run.pulse !== 'out_of_contact';
}

/** The state and who wanted it so. */
function stateOf(run: Run, { stopperName }: View): string {
  const state = withoutColon(stateWords(run));
  const isStopping = !isEnd(run.phase) && run.stopBy !== null && stopperName !== null;
  return isStopping ? `${state}, asked by ${clip(stopperName, 80)}` : state;
}

function why(run: Run): string | null {
  if (run.phase === 'failed') return failureInShort(run);
  if (run.phase === 'lost') return run.lost;
  const server = serverSentence(run);
  if (server !== null) return server;
  const behind = culpritNow(run);
  if (behind !== null) return `${culpritWords(behind)}.`;
  if (run.training !== null && run.phase !== 'stopped') return `Loss ${run.training.last.record.loss}`;
  return null;
}

function failureInShort(run: Run): string | null {
  const { failure } = run;
  if (failure === null) return null;
  if (failure.kind === 'refused') return failure.reason;
  return failure.cause?.title ?? endWords(failure, run);
}

/** What came out of it, or nothing while it is under way. */
function outcome(run: Run, view: View, carrier: Carrier): KnownBlock[] {
  if (run.phase === 'failed' && run.failure !== null)
    return [...failureBlocks(run.failure, { run, carrier, before: view.before }), ...training(run)];
  if (run.phase === 'lost')
    return [
      plainSection(run.lost ?? 'Neither the process nor its exit record was found.'),
      section(afterLost(run)),
      ...(carrier === 'card' ? [] : tryAgain(run)),
    ];
  if (run.phase === 'stopped')
    return [listed(run.stop?.evidence.length ? run.stop.evidence : ['No proof was recorded.']), ...training(run)];
  const server = serverBlocks(run, view, carrier);
  if (server.length > 0) return server;
  const unasked = isEnd(run.phase) ? null : whyUnasked(run);
  return unasked === null ? training(run) : [section(notVerified(unasked))];
}

/** The rank that the others wait for, while they do. */
function behind(run: Run): KnownBlock[] {
  const culprit = culpritNow(run);
  return culprit === null ? [] : [section(`*${markup(culpritWords(culprit))}.* The others wait for it.`)];
}

/** How far a training is, or how far it came; nothing of a server. */
function training(run: Run): KnownBlock[] {
  if (run.request.kind === 'serve') return [];
  const target = isEnd(run.phase) ? null : targetLine(run);
  const lines = [recordLine(run), checkpointLine(run), target].filter((line) => line !== null);
  return lines.length === 0 ? [] : [section(lines.join('\n'))];
}

function gpus(run: Run): string | null {
  const words = gpuWords(run.placement?.devices ?? run.request.gpus);
  return words === null ? null : escapeText(words);
}
