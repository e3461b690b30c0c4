/** All that is known of what is wrong with a run, or what shows that it is well: for whoever asks, at full length. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../chat.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { isWatched } from '../pulse/watched.ts';
import { pulseNow } from '../run/pulse.ts';
import { isEnd, type Run } from '../run/run.ts';
import { noteBlocks, seenBlocks, threadLink } from './before.ts';
import { causesBeside } from './beside-cause.ts';
import { context, grouped, listed, message, plainSection, preformatted, section } from './blocks.ts';
import { cardSentence } from './card.ts';
import { stateEmoji } from './emoji.ts';
import { clip, code, escapeText, markup } from './escape.ts';
import { causeBlocks, failureBlocks } from './failure.ts';
import { isInTrouble } from './in-trouble.ts';
import { journey } from './journey.ts';
import { renderPulse } from './pulse.ts';
import { serverBlocks, verifiedBlocks } from './server-card.ts';
import { trimTraceback } from './traceback.ts';
import { checkpointLine, recordLine, targetLine } from './training.ts';
import { afterTargetDown, goesOnWithout } from './training-reply.ts';
import { tryAgain } from './try-again.ts';
import type { View } from './view.ts';
import { pressingBlocks, warningLines } from './warnings.ts';
import { wellWords } from './well.ts';
import { afterLost, stateWords } from './words.ts';

/** A traceback of up to so many characters is shown whole, in blocks of so many. */
const MOST_WHOLE = 6000;
const BLOCK = 2400;

export function renderExplanation(run: Run, view: View): Message {
  const { name, recipe, host } = run.request;
  const head = `${stateEmoji(run)} *${escapeText(stateWords(run))}*, *${escapeText(recipe)}* on *${escapeText(host)}* (${code(name)})`;
  const warnings = warningLines(run);
  const wrong = isEnd(run.phase) ? endBlocks(run, view) : liveBlocks(run, view);
  const well = wellWords(run, view);
  return message(wrong.length === 0 ? `${head}. ${well}` : wrongInShort(run, view), [
    section(head),
    ...(wrong.length === 0 ? [section(well)] : wrong),
    ...(warnings.length === 0 ? [] : [context([warnings.join('\n')])]),
    context([journey(run)]),
  ]);
}

/** What the card's sentence says, and what to do about it, for who hears it read out. */
function wrongInShort(run: Run, view: View): string {
  const remedy = run.failure?.kind === 'ended' ? (run.failure.cause?.remedy ?? '') : '';
  return `${cardSentence(run, view)} ${markup(clip(remedy, 300))}`.trim();
}

/** Empty of an end with which nothing is wrong. */
function endBlocks(run: Run, view: View): readonly KnownBlock[] {
  const { failure, phase, stop, verification } = run;
  const { before } = view;
  if (failure !== null) return [...failureBlocks(failure, { run, carrier: 'reply', before }), ...failureDetails(run)];
  if (phase === 'lost')
    return [
      ...noteBlocks(before),
      plainSection(run.lost ?? 'Neither the process nor its exit record was found.'),
      section(afterLost(run)),
      ...tryAgain(run),
      ...seenBlocks(before),
    ];
  const isProved = phase !== 'stopped' || stop === null || stop.proven;
  if (isProved && !isInTrouble(run)) return [];
  return [
    ...noteBlocks(before),
    ...(stop === null || stop.evidence.length === 0 ? [] : [listed(stop.evidence)]),
    ...(verification === null ? [] : verifiedBlocks(verification, view, 'reply')),
    ...seenBlocks(before),
  ];
}

/** Empty where all is as it should be. */
function liveBlocks(run: Run, view: View): readonly KnownBlock[] {
  const isAlarm = isWatched(run) && run.work.alarm !== null;
  if (!isAlarm && !isInTrouble(run) && run.pulse !== 'out_of_contact') return [];
  return [
    // What stands in its way is told with the pulse.
    ...(isAlarm ? [] : pressingBlocks(run)),
    ...targetBlocks(run, view),
    ...serverBlocks(run, view, 'reply'),
    ...(isAlarm ? renderPulse(pulseNow(run), run).blocks : []),
    ...trainingBlocks(run),
  ];
}

/** The target server that a training has lost. */
function targetBlocks(run: Run, { before }: View): readonly KnownBlock[] {
  const down = run.target?.down;
  if (down == null || down.isAsked) return [];
  const line = targetLine(run);
  const seen = down.evidence === 'process' ? 'Its processes are gone.' : 'Its port is closed.';
  const cause = down.cause === null ? [] : causeBlocks(down.cause, { run, carrier: 'reply', before });
  const state = [line, `${seen} ${goesOnWithout(run)}`].filter((words) => words !== null).join('\n');
  // Whoever reads the cause reads its remedy there.
  return [section(state), ...cause, ...(down.cause === null ? [section(afterTargetDown(null, run))] : [])];
}

function trainingBlocks(run: Run): readonly KnownBlock[] {
  const lines = run.request.kind === 'train' ? [recordLine(run), checkpointLine(run)] : [];
  const known = lines.filter((line) => line !== null);
  return known.length === 0 ? [] : [section(known.join('\n'))];
}

/** What the thread leaves out: of which kind it is, how far a training came, what only looks like a cause, all of its traceback. */
function failureDetails(run: Run): readonly KnownBlock[] {
  const cause = run.failure?.kind === 'ended' ? run.failure.cause : null;
  return [
    ...(cause === null ? [] : [context([kindWords(cause)])]),
    ...trainingBlocks(run),
    ...causesBeside(run, cause),
    ...(cause === null ? [] : wholeTraceback(cause)),
  ];
}

/** `Kind cuda_oom, traceback in lines 34 to 101 of the log, fingerprint 0123456789ab. Read more` */
function kindWords({ category, traceback, fingerprint, link }: Cause): string {
  const words = [
    `Kind ${code(category)}`,
    traceback === null ? null : `traceback in lines ${traceback.first} to ${traceback.last} of the log`,
    fingerprint === '' ? null : `fingerprint ${code(fingerprint)}`,
  ];
  const page = link === null ? null : threadLink(link, 'Read more');
  return `${words.filter((word) => word !== null).join(', ')}.${page === null ? '' : ` ${page}`}`;
}

/** Nothing where the frames above are all of it, or where it is too long. */
function wholeTraceback({ traceback }: Cause): readonly KnownBlock[] {
  if (traceback === null || traceback.text.join('\n').length > MOST_WHOLE) return [];
  if (!trimTraceback(traceback.text).includes(' left out …')) return [];
  return [section('*All of its traceback:*'), ...grouped(traceback.text, BLOCK).map(preformatted)];
}
