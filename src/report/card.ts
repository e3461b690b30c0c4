/** The root message of a run's thread: edited in place, true at every moment, readable on a phone. */

import type { KnownBlock } from '@slack/types';
import { addressWords, authorityOf } from '../address.ts';
import type { Message } from '../chat.ts';
import { isFound, isNamed, targetLogOf } from '../run/request.ts';
import { isEnd, type Readiness, type Run } from '../run/run.ts';
import { isRunningUnasked, isUnasked } from '../run/unasked.ts';
import { context, listed, message, plainSection, runButtons, section } from './blocks.ts';
import { culpritNow, culpritWords } from './culprit.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { endWords, exceptionInShort, failureBlocks, tryAgain } from './failure.ts';
import { journey } from './journey.ts';
import { pulseEmoji, timeLeftWords } from './pulse-words.ts';
import { checkpointLine, recordLine, targetLine } from './training.ts';
import type { View } from './view.ts';
import { waitingWords } from './waiting.ts';
import { afterLost, gpuWords, servedAt, stateWords, time } from './words.ts';

/** The card of a run. It mentions nobody: an edit notifies no one, and a mention in a root turns each reply into a ping. */
export function renderCard(run: Run, view: View): Message {
  return message(sentence(run), [
    section(headline(run)),
    ...outcome(run),
    ...behind(run),
    isEnd(run.phase) || run.waiting === null ? null : section(waitingWords(run, run.waiting)),
    context([journey(run), timeLeftWords(run, time)]),
    context([origin(run, view), restartOf(run), address(run), gpus(run)]),
    run.started === null ? null : context(logs(run, run.started.log)),
    view.hostLine === null ? null : context([code(view.hostLine, 1000)]),
    isFound(run) || (run.stopBy !== null && !isEnd(run.phase)) ? null : runButtons(run),
  ]);
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
  return `${emoji(run)} *${escapeText(stateWords(run))}*: *${escapeText(recipe)}* on *${escapeText(host)}* (${code(name)})`;
}

function emoji(run: Run): string {
  if (isEnd(run.phase)) return { finished: '🏁', failed: '❌', stopped: '⏹️', lost: '❓' }[run.phase];
  if (run.pulse === 'out_of_contact') return '📡';
  if (run.target?.down != null && !run.target.down.isAsked) return '⚠️';
  const pulse = pulseEmoji(run);
  if (pulse !== null) return pulse;
  if (run.phase === 'training' || run.phase === 'checkpointing') return run.stopBy === null ? '🏋️' : '⏳';
  if (isRunningUnasked(run)) return run.stopBy === null ? '☑️' : '⏳';
  return run.phase === 'ready' && run.stopBy === null ? '✅' : '⏳';
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
  if (run.phase === 'ready' && run.readiness !== null) return served(run, run.readiness);
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

function served(run: Run, readiness: Readiness): string {
  return `${readiness.model ?? 'The server'} answers on ${servedAt(run)}`;
}

/** What came out of it, or nothing while it is under way. */
function outcome(run: Run): KnownBlock[] {
  if (run.phase === 'failed' && run.failure !== null)
    return [...failureBlocks(run.failure, { run, carrier: 'card', show: exceptionInShort }), ...training(run)];
  if (run.phase === 'lost')
    return [
      plainSection(run.lost ?? 'Neither the process nor its exit record was found.'),
      section(afterLost(run)),
      ...tryAgain(run),
    ];
  if (run.phase === 'stopped')
    return [listed(run.stop?.evidence.length ? run.stop.evidence : ['No proof was recorded.']), ...training(run)];
  if (run.phase === 'ready' && run.readiness !== null) return [section(proof(run, run.readiness))];
  return isUnasked(run) ? [section(NOT_VERIFIED)] : training(run);
}

/** The rank that the others wait for, while they do. */
function behind(run: Run): KnownBlock[] {
  const culprit = culpritNow(run);
  return culprit === null ? [] : [section(`*${markup(culpritWords(culprit))}.* The others wait for it.`)];
}

/** Of a server that was found without a word on where it serves. */
const NOT_VERIFIED =
  "*Not verified*: no process of it says on its command line where it serves, so that it can't be asked. Its process and its log are all that is judged.";

/** How far a training is, or how far it came; nothing of a server. */
function training(run: Run): KnownBlock[] {
  if (run.request.kind === 'serve') return [];
  const target = isEnd(run.phase) ? null : targetLine(run);
  const lines = [recordLine(run), checkpointLine(run), target].filter((line) => line !== null);
  return lines.length === 0 ? [] : [section(lines.join('\n'))];
}

/** Where it serves and how that is known. */
function proof(run: Run, readiness: Readiness): string {
  const { address } = run.request;
  if (address === null) return '';
  const url = address.kind === 'tcp' ? `http://${authorityOf(address)}/v1` : address.path;
  const model = readiness.model === null ? '' : ` as ${code(readiness.model)}`;
  const ours =
    readiness.proof === 'socket'
      ? 'The listening socket belongs to this run.'
      : "*Not proved ours*: who holds the socket can't be read on this host; the port was closed before, the process lives and the log says started.";
  return `Serving at ${code(url)}${model}\n${ours} ${escapeText(clip(readiness.completion, 500))}`;
}

function gpus(run: Run): string | null {
  const words = gpuWords(run.placement?.devices ?? run.request.gpus);
  return words === null ? null : escapeText(words);
}
