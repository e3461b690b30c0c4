/** The numbers of a verification, beside the record, and what must be known of them. */

import { lengthWords, rateWords, tokensPerSecond } from '../verify/figures.ts';
import type { Verification } from '../verify/verification.ts';
import { rateAndCurve, rateInShort } from './curve.ts';
import { duration } from './duration.ts';
import { clip, escapeText, markup } from './escape.ts';
import { findingsAs } from './outcome.ts';
import { capital } from './phase-words.ts';
import { sentence } from './sentence.ts';

/** A card shows what a phone shows at once, a reply all of it. */
export type Carrier = 'card' | 'reply';

/** As lines of mrkdwn; none where there is nothing to say but that it was done. `head`: what says when. */
export function numberLines(verification: Verification, carrier: Carrier, head: string | null): string[] {
  const numbers = numbersLine(verification, carrier, head);
  return [...(numbers === null ? [] : [numbers]), ...marks(verification, carrier)];
}

/** What it measured in one line without markup: `61.2 tokens/s (record 73.5 of kpro5-3), first token after 84 ms, mean acceptance length 2.70`; '' without numbers. */
export function verificationWords({ speed, acceptance, record }: Verification): string {
  const [fast, drafts] = [record?.speed ?? null, record?.acceptance ?? null];
  const isSame = speed !== null && drafts?.run === fast?.run;
  const fastest = fast === null ? null : `record ${rateWords(fast.value.tokensPerSecond)}${ofRun(fast.run)}`;
  const longest =
    drafts === null ? null : `record ${lengthWords(drafts.value.length)}${isSame ? '' : ofRun(drafts.run)}`;
  const disturbed = speed?.disturbedBy == null ? null : 'disturbed by others';
  const parts = [
    speed === null ? null : `${tokensPerSecond(speed.tokensPerSecond)}${aside(disturbed, fastest)}`,
    speed?.firstTokenMs == null ? null : `first token after ${milliseconds(speed.firstTokenMs)}`,
    acceptance === null ? null : `mean acceptance length ${lengthWords(acceptance.length)}${aside(longest)}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** `Verified <time> (vLLM 0.20.1): 61.2 tokens/s …`, and the curve in a line of its own; null where there is nothing to say but that it was done. */
function numbersLine(verification: Verification, carrier: Carrier, head: string | null): string | null {
  const { version, acceptance } = verification;
  const words = verificationWords(carrier === 'card' ? withoutTold(verification) : verification);
  if (words === '' && head === null) return null;
  const start = head ?? 'Measured';
  const named = version === null ? start : `${start} (vLLM ${escapeText(clip(version, 40))})`;
  const first = words === '' ? `${named}.` : `${named}: ${escapeText(words)}.`;
  return acceptance === null ? first : `${first}\n${curveLine(acceptance, carrier)}`;
}

/** A card whose finding says already what drafts come to says it once. */
function withoutTold(verification: Verification): Verification {
  const told = [...findingsAs(verification, 'failed'), ...findingsAs(verification, 'warned')];
  return told.some(({ id }) => id === 'acceptance') ? { ...verification, acceptance: null } : verification;
}

function curveLine(acceptance: NonNullable<Verification['acceptance']>, carrier: Carrier): string {
  const of = acceptance.of === 'prompts' ? '' : ' (of what clients asked, too)';
  return carrier === 'card' ? `${capital(rateInShort(acceptance))}${of}` : `${capital(rateAndCurve(acceptance))}${of}.`;
}

/** What must be known of the numbers: that they say little, unless a finding says so; in the thread, also what became of the record. */
function marks(verification: Verification, carrier: Carrier): string[] {
  const { speed, recorded } = verification;
  const isTold = findingsAs(verification, 'not_judged').some(({ id }) => id === 'speed');
  const disturbed = isTold ? null : (speed?.disturbedBy ?? null);
  return [
    ...(disturbed === null ? [] : [`*Tokens/s say little*: ${markup(sentence(clip(disturbed, 300)))}`]),
    ...(speed?.by === 'curl' && carrier === 'reply' ? [CURL] : []),
    ...(recorded === null || carrier === 'card' ? [] : [RECORDED[recorded]]),
  ];
}

const CURL =
  'Measured by curl on the host, since SSH forwarding is not to be had: when the first token came is not seen.';

/** What became of the record. */
const RECORDED: Readonly<Record<NonNullable<Verification['recorded']>, string>> = {
  first: "This is the recipe's first record on this host.",
  better: 'A new record of the recipe on this host.',
  accepted: "Accepted as the recipe's record on this host from now on.",
};

function ofRun(run: string): string {
  return ` of ${clip(run, 60)}`;
}

function aside(...words: readonly (string | null)[]): string {
  const said = words.filter((word) => word !== null);
  return said.length === 0 ? '' : ` (${said.join('; ')})`;
}

function milliseconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : duration(ms);
}
