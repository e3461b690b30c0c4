/** The root message of a run's thread: edited in place, true at every moment, readable on a phone. */

import type { KnownBlock } from '@slack/types';
import { authorityOf } from '../address.ts';
import type { Message } from '../chat.ts';
import { type Failure, isEnd, type Phase, type Readiness, type Run } from '../run/run.ts';
import { context, listed, message, plainSection, section, stopButton } from './blocks.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { endWords, exceptionInShort, failureBlocks, tryAgain } from './failure.ts';
import type { View } from './view.ts';
import { AFTER_LOST, addressWords, duration, gpuWords, lower, PHASE_WORDS, stateWords, time } from './words.ts';

/** The card of a run. It mentions nobody: an edit notifies no one, and a mention in a root turns each reply into a ping. */
export function renderCard(run: Run, view: View): Message {
  return message(sentence(run), [
    section(headline(run)),
    ...outcome(run),
    context([journey(run)]),
    context([
      `Asked by ${escapeText(clip(view.requesterName, 80))}, ${time(run.request.at)}`,
      escapeText(addressWords(run.request.address)),
      gpus(run),
    ]),
    run.started === null ? null : context([`Log ${code(run.started.log)}`]),
    view.hostLine === null ? null : context([code(view.hostLine, 1000)]),
    isEnd(run.phase) || run.stopBy !== null ? null : stopButton(run),
  ]);
}

function headline(run: Run): string {
  const { name, recipe, host } = run.request;
  return `${emoji(run)} *${escapeText(stateWords(run))}*: *${escapeText(recipe)}* on *${escapeText(host)}* (${code(name)})`;
}

function emoji(run: Run): string {
  if (isEnd(run.phase)) return { failed: '❌', stopped: '⏹️', lost: '❓' }[run.phase];
  if (run.pulse === 'out_of_contact') return '📡';
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
  if (run.phase === 'failed') return failureInShort(run.failure);
  if (run.phase === 'lost') return run.lost;
  if (run.phase === 'ready' && run.readiness !== null) return served(run, run.readiness);
  return null;
}

function failureInShort(failure: Failure | null): string | null {
  if (failure === null) return null;
  if (failure.kind === 'refused') return failure.reason;
  return failure.cause?.title ?? endWords(failure);
}

function served(run: Run, readiness: Readiness): string {
  return `${readiness.model ?? 'The server'} answers on ${addressWords(run.request.address)}`;
}

/** What came out of it, or nothing while it is under way. */
function outcome(run: Run): KnownBlock[] {
  if (run.phase === 'failed')
    return run.failure === null ? [] : failureBlocks(run.failure, { run, carrier: 'card', show: exceptionInShort });
  if (run.phase === 'lost')
    return [
      plainSection(run.lost ?? 'Neither the process nor its exit record was found.'),
      section(AFTER_LOST),
      context([tryAgain(run)]),
    ];
  if (run.phase === 'stopped')
    return [listed(run.stop?.evidence.length ? run.stop.evidence : ['No proof was recorded.'])];
  if (run.phase === 'ready' && run.readiness !== null) return [section(proof(run, run.readiness))];
  return [];
}

/** Where it serves and how that is known. */
function proof(run: Run, readiness: Readiness): string {
  const { address } = run.request;
  const url = address.kind === 'tcp' ? `http://${authorityOf(address)}/v1` : address.path;
  const model = readiness.model === null ? '' : ` as ${code(readiness.model)}`;
  const ours =
    readiness.proof === 'socket'
      ? 'The listening socket belongs to this run.'
      : "*Not proved ours*: who holds the socket can't be read on this host; the port was closed before, the process lives and the log says started.";
  return `Serving at ${code(url)}${model}\n${ours} ${escapeText(clip(readiness.completion, 500))}`;
}

function gpus(run: Run): string | null {
  const words = gpuWords(run.request.gpus);
  return words === null ? null : escapeText(words);
}

/** The phases passed with how long each took, then what is now and since when. */
function journey(run: Run): string {
  const passed: { phase: Phase; ms: number }[] = [];
  run.visits.forEach((visit, index) => {
    const next = run.visits[index + 1];
    if (next === undefined) return;
    const ms = next.at - visit.at;
    const before = passed.at(-1);
    // A wrapper that starts its server again makes the same phase twice in a row.
    if (before?.phase === visit.phase) passed[passed.length - 1] = { phase: visit.phase, ms: before.ms + ms };
    else passed.push({ phase: visit.phase, ms });
  });
  const steps = passed.slice(-12).map(({ phase, ms }) => `${phaseName(phase)} ${duration(ms)}`);
  const first = run.visits[0];
  const last = run.visits.at(-1);
  if (last === undefined || first === undefined) return lower(PHASE_WORDS[run.phase]);
  if (!isEnd(last.phase) && last.phase !== 'ready')
    return [...steps, `${phaseName(last.phase)} since ${time(last.at)}`].join(' › ');
  return `${[...steps, phaseName(last.phase)].join(' › ')} ${time(last.at)}, ${duration(last.at - first.at)} after the command`;
}

function phaseName(phase: Phase): string {
  return phase === 'kv_cache' ? 'KV cache' : phase;
}
