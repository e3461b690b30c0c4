/** A hang in plain words: what stands still, what shows it, what to do. */

import type { KnownBlock } from '@slack/types';
import { count, grouped } from '../check/words.ts';
import { isFound } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import type { Hang } from '../vitals/vitals.ts';
import { listed, section } from './blocks.ts';
import { duration } from './duration.ts';
import { code } from './escape.ts';
import type { Carrier } from './numbers.ts';

/** GPU use (%) of ranks that wait for each other in NCCL: they spin. */
const SPINNING = 90;
const ON_CARD = 2;

/** A card shows the evidence that tells most. */
export function hangBlocks(hang: Hang, run: Run, carrier: Carrier): KnownBlock[] {
  const shown = carrier === 'card' ? evidence(hang).slice(0, ON_CARD) : evidence(hang);
  return [section(`*${hangWords(hang)}*`), listed(shown), section(whatToDo(run))];
}

/** One sentence without markup. */
export function hangWords({ what, forMs, running, waiting }: Hang): string {
  if (what === 'server') return `It has answered nothing for ${duration(forMs)}.`;
  const requests = [
    running === 0 ? null : `${count(running, 'request')} in work`,
    waiting === 0 ? null : `${grouped(waiting)} waiting`,
  ].filter((words) => words !== null);
  return `Its engine has done nothing for ${duration(forMs)}, with ${requests.join(' and ') || 'requests there'}.`;
}

function evidence({ what, health, generatedTokens, cores, gpuUse, saysThatItWaits, ownUnanswered }: Hang): string[] {
  return [
    HEALTH[health],
    ...(what === 'server' || generatedTokens === null
      ? []
      : [`Not one token since: its counter stands at ${grouped(generatedTokens)}.`]),
    ...(ownUnanswered === true ? ["A request of Vigil's own (16 tokens) was not completed either."] : []),
    ...useWords(cores, gpuUse),
    ...(saysThatItWaits
      ? ['Its log says that it waits for a worker: `No available shared memory broadcast block`.']
      : []),
  ];
}

const HEALTH: Readonly<Record<Hang['health'], string>> = {
  ok: '`/health` still answers 200: it looks at a flag, not at the engine.',
  dead: '`/health` answers 503: the engine is dead.',
  refused: 'Nobody listens on its port any more; its process lives.',
  silent: '`/health` gives no answer in time.',
};

function useWords(cores: number | null, gpuUse: number | null): string[] {
  const use = [
    cores === null ? null : `${cores.toFixed(1)} CPU cores`,
    gpuUse === null ? null : `GPU at ${Math.round(gpuUse)} %`,
  ].filter((words) => words !== null);
  if (use.length === 0) return [];
  const meaning = gpuUse !== null && gpuUse >= SPINNING ? ': ranks that wait for each other look like that' : '';
  return [`In use: ${use.join(', ')}${meaning}.`];
}

/** What is in it is lost to whoever asked for it already. */
function whatToDo(run: Run): string {
  const { name } = run.request;
  const next = isFound(run)
    ? `${code(`/vllm stop ${name}`)}, and start it again by hand`
    : `${code(`/vllm restart ${name}`)} ends it and starts it again`;
  return `*What to do:* ${code(`/vllm logs ${name}`)} shows what it said last. ${next}; what it has in work is lost.`;
}
