/** What shows that nothing is wrong with a run, in a few sentences. */

import { isEnd, type Run } from '../run/run.ts';
import { whyUnasked } from '../run/unasked.ts';
import { escapeText, markup } from './escape.ts';
import { loadLine } from './load.ts';
import { notVerified } from './not-verified.ts';
import { outcomeWords } from './outcome.ts';
import { lower } from './phase-words.ts';
import { farWords } from './progress.ts';
import { sentence } from './sentence.ts';
import { serverSentence } from './server-card.ts';
import { checkpointLine, recordLine } from './training.ts';
import type { View } from './view.ts';
import { waitingWords } from './waiting.ts';
import { clock, stateWords, time } from './words.ts';

/** As mrkdwn. */
export function wellWords(run: Run, view: View): string {
  return isEnd(run.phase) ? endWords(run, view) : liveWords(run);
}

function endWords(run: Run, { stopperName }: View): string {
  const known = [recordLine(run), checkpointLine(run)].filter((line) => line !== null);
  if (run.phase === 'finished') return ['Nothing went wrong: it came to its end.', ...known].join('\n');
  const by = stopperName === null ? '' : `, asked by ${escapeText(stopperName)}`;
  const [proof] = run.stop?.evidence ?? [];
  return [`Nothing went wrong: it was stopped${by}.`, ...(proof === undefined ? [] : [markup(proof)]), ...known].join(
    '\n',
  );
}

function liveWords(run: Run): string {
  if (run.waiting !== null) return `Nothing is wrong with it: it waits.\n${waitingWords(run, run.waiting)}`;
  if (run.stopBy !== null) return 'Nothing is wrong with it: it is being stopped, as somebody asked.';
  const unasked = run.isToldUnverified === true ? whyUnasked(run) : null;
  if (unasked !== null) return `Nothing is wrong with it, as far as can be seen.\n${notVerified(unasked)}`;
  if (run.phase === 'ready') return readyWords(run);
  const known = [recordLine(run), farWords(run)].filter((line) => line !== null);
  return [`Nothing is wrong so far: ${escapeText(lower(stateWords(run)))}.`, ...known, lifeWords(run)].join('\n');
}

function readyWords(run: Run): string {
  const { verification, vitals } = run;
  const load = vitals?.load ?? null;
  const words = [
    `Nothing is wrong with it: ${markup(sentence(serverSentence(run) ?? 'it is ready'))}`,
    verification === null
      ? null
      : `Verified ${time(verification.at)}: ${escapeText(lower(outcomeWords(verification)))}.`,
    load === null ? null : loadLine(load),
  ];
  return words.filter((word) => word !== null).join('\n');
}

/** What was seen of it last. */
function lifeWords({ heard, seenAt, started }: Run): string {
  return started === null
    ? 'Nothing has been started yet.'
    : `Its log moved last at ${clock(heard)}; the host was heard last at ${clock(seenAt)}.`;
}
