/** What a ready server has to do, in a line. */

import { count, grouped, percent } from '../check/words.ts';
import { lengthWords, rateWords, tokensPerSecond } from '../verify/figures.ts';
import type { Load } from '../vitals/vitals.ts';
import { duration } from './duration.ts';
import { time } from './words.ts';

/** For a card: `3 running, 0 waiting, 812 tokens/s, KV cache 41 %, mean acceptance length 2.70, as of …`. */
export function loadLine(load: Load): string {
  if (isIdle(load)) return `Idle: no requests, as of ${time(load.at)}.`;
  const { running, waiting, generationRate, kv, acceptance } = load;
  const words = [
    `${grouped(running)} running, ${grouped(waiting)} waiting`,
    tokensPerSecond(generationRate),
    kv === null ? null : `KV cache ${percent(kv)}`,
    acceptance === null ? null : `mean acceptance length ${lengthWords(acceptance.length)}`,
  ];
  return `${words.filter((word) => word !== null).join(', ')}, as of ${time(load.at)}.`;
}

/** For a list, without markup: `idle`, `3 running, 1 waiting, 812 tokens/s, KV cache 41 %`. */
export function loadInShort(load: Load): string {
  if (isIdle(load)) return 'idle';
  const words = [
    `${grouped(load.running)} running`,
    load.waiting === 0 ? null : `${grouped(load.waiting)} waiting`,
    tokensPerSecond(load.generationRate),
    load.kv === null ? null : `KV cache ${percent(load.kv)}`,
  ];
  return words.filter((word) => word !== null).join(', ');
}

/** What the card leaves out: prompts, finished requests, answers by kind. */
export function loadDetails({ promptRate, finishedRate, answers, overMs }: Load): string {
  const words = [`prompts ${tokensPerSecond(promptRate)}`, `${rateWords(finishedRate)} requests finished a minute`];
  if (answers === null) return `In ${duration(overMs)}: ${words.join(', ')}.`;
  const kinds = [
    `${count(answers.ok, 'answer')} ok`,
    `${grouped(answers.client)} refused (4xx)`,
    `${grouped(answers.server)} server errors (5xx)`,
  ];
  return `In ${duration(overMs)}: ${[...words, ...kinds].join(', ')}.`;
}

function isIdle({ running, waiting, generationRate, promptRate }: Load): boolean {
  return running === 0 && waiting === 0 && generationRate === 0 && promptRate === 0;
}
