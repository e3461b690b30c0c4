/** Slack refuses a message whose texts are too long together: then the longest are cut, and what is short stays whole. */

import type { KnownBlock } from '@slack/types';
import { clip, clipMarkup } from './escape.ts';
import { mapTexts, textsOf } from './texts.ts';

/** About 13,000 characters are taken (slackapi/bolt-js#2509); a little stays for what is added later. */
const MOST = 12_000;

/** The same blocks where they fit; else with each text cut to one length, the greatest with which all fit. */
export function fitting(blocks: readonly KnownBlock[]): KnownBlock[] {
  const most = greatestLength(blocks.flatMap((block) => textsOf(block)).map(({ length }) => length));
  if (most === null) return [...blocks];
  const cut = (text: string, isMarkup: boolean): string => (isMarkup ? clipMarkup(text, most) : clip(text, most));
  return blocks.map((block) => mapTexts(block, cut));
}

/** null where nothing has to be cut. */
function greatestLength(lengths: readonly number[]): number | null {
  if (sum(lengths) <= MOST) return null;
  const sorted = lengths.toSorted((a, b) => a - b);
  let room = MOST;
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(room / (sorted.length - index));
    if (length > share) return share;
    room -= length;
  }
  return null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
