/** The root message of a run's thread: edited in place, true at every moment, readable on a phone. */

import type { KnownBlock } from '@slack/types';
import { addressWords } from '../address.ts';
import type { Message } from '../chat.ts';
import { isFound, isNamed, targetLogOf } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';
import { whyUnasked } from '../run/unasked.ts';
import { noteBlocks, seenBlocks } from './before.ts';
import { context, listed, message, plainSection, runButtons, section } from './blocks.ts';
import { culpritNow, culpritWords } from './culprit.ts';
import { stateEmoji } from './emoji.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { endWords, failureBlocks, tryAgain } from './failure.ts';
import { journey } from './journey.ts';
import { notVerified } from './not-verified.ts';
import type { Carrier } from './numbers.ts';
import { timeLeftWords } from './pulse-words.ts';
import { serverBlocks, serverSentence, verifiedBlocks } from './server-card.ts';
import { checkpointLine, recordLine, targetLine } from './training.ts';
import type { View } from './view.ts';
import { waitingWords } from './waiting.ts';
import { afterLost, gpuWords, stateWords, time } from './words.ts';

/** The card of a run. It mentions nobody: an edit notifies no one, and a mention in a root turns each reply into a ping. */
export function renderCard(run: Run, view: View): Message {
  const buttons = isFound(run) || (run.stopBy !== null && !isEnd(run.phase)) ? null : runButtons(run);
  return message(sentence(run), [...cardBlocks(run, view, 'card'), buttons]);
}

/** All that the card says, at full length and without buttons, how an ended server was verified last, and what is known of what was wrong with it. */
export function renderDetails(run: Run, view: View): Message {
  const { verification, phase } = run;
  const last = isEnd(phase) && verification !== null ? verifiedBlocks(verification, view, 'reply') : [];
  // A failure tells of it itself.
  const before = phase === 'stopped' || phase === 'lost' ? view.before : undefined;
  return message(sentence(run), [
    ...cardBlocks(run, view, 'reply'),
    ...noteBlocks(before),
    ...last,
    ...seenBlocks(before),
  ]);
}

/** State, what to do, numbers; then how it came there and where to look. */
function cardBlocks(run: Run, view: View, carrier: Carrier): KnownBlock[] {
  const blocks = [
    section(headline(run)),
    ...outcome(run, view, carrier),
    ...behind(run),
    isEnd(run.phase) || run.waiting === null ? null : section(waitingWords(run, run.waiting)),
    context([journey(run), timeLeftWords(run, time)]),
    context([origin(run, view), restartOf(run), address(run), gpus(run)]),
    run.started === null ? null : context(logs(run, run.started.log)),
    view.hostLine === null ? null : context([code(view.hostLine, 1000)]),
  ];
  return blocks.filter((block) => block !== null);
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

/** The run that it took the place of, and the one that took its own. */
function restartOf({ request: { again }, restartedAs }: Run): string | null {
  const words = [
    ...(again === undefined ? [] : [`Restart of ${code(again.name)}`]),
    ...(restartedAs === undefined ? [] : [`Restarted as ${code(restartedAs.name)}`]),
  ];
  return words.length === 0 ? null : words.join(', ');
}

function address({ request }: Run): string | null {
  if (request.address === null) return null;
  const words = addressWords(request.address);
  return escapeText(request.kind === 'train' ? `target on ${words}` : words);
}

function logs({ request }: Run, log: string): string[] {
  const target = targetLogOf(request);
  return [`Log ${code(log)}`, ...(target === null ? [] : [`Target server's log ${code(target)}`])];
}

function headline(run: Run): string {
  const { name, recipe, host } = run.request;
  return `${stateEmoji(run)} *${escapeText(stateWords(run))}*: *${escapeText(recipe)}* on *${escapeText(host)}* (${code(name)})`;
}

/** One sentence for phones and screen readers: state, what, where, why. */
function sentence(run: Run): string {
  const { name, recipe, host } = run.request;
  const start = escapeText(`${stateWords(run)}: ${recipe} on ${host} (${name})`);
  const end = markup(clip(why(run) ?? '', 300));
  return end === '' ? `${start}.` : `${start}. ${end}${/[.!?…]$/.test(end) ? '' : '.'}`;
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
    return [...failureBlocks(run.failure, { run, carrier: 'card', before: view.before }), ...training(run)];
  if (run.phase === 'lost')
    return [
      plainSection(run.lost ?? 'Neither the process nor its exit record was found.'),
      section(afterLost(run)),
      ...tryAgain(run),
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
