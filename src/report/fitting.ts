/** Slack refuses a message whose texts are too long together: then the longest are cut, and what is short stays whole. */

import type { KnownBlock } from '@slack/types';
import { clip } from './escape.ts';

/** About 13,000 characters are taken (slackapi/bolt-js#2509); a little stays for what is added later. */
const MOST = 12_000;

/** The same blocks where they fit; else with each text cut to one length, the greatest with which all fit. */
export function fitting(blocks: readonly KnownBlock[]): KnownBlock[] {
  const lengths: number[] = [];
  for (const block of blocks) {
    mapTexts(block, (text) => {
      lengths.push(text.length);
      return text;
    });
  }
  const most = greatestLength(lengths);
  return most === null ? [...blocks] : blocks.map((block) => mapTexts(block, (text) => clip(text, most)));
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

function mapTexts(block: KnownBlock, change: (text: string) => string): KnownBlock {
  switch (block.type) {
    case 'section':
      return block.text === undefined ? block : { ...block, text: { ...block.text, text: change(block.text.text) } };
    case 'context':
      return {
        ...block,
        elements: block.elements.map((element) =>
          'text' in element ? { ...element, text: change(element.text) } : element,
        ),
      };
    case 'rich_text':
      return {
        ...block,
        elements: block.elements.map((part) =>
          part.type === 'rich_text_preformatted'
            ? {
                ...part,
                elements: part.elements.map((one) => (one.type === 'text' ? { ...one, text: change(one.text) } : one)),
              }
            : part,
        ),
      };
    default:
      return block;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
