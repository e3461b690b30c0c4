/** A stack as it is told: the frames that say where a process stands, without those that every Python process has. */

import type { StackDump } from '../host/process.ts';
import { clip } from './escape.ts';

const MOST_FRAMES = 8;
const MOST_THREADS = 3;
const MOST_TEXT = 1100;
/** Of py-spy: `Thread 1183 (active): "MainThread"`, `Thread 0x7F… (idle)`. */
const THREAD = /^Thread \S{1,40} /;
/** Frames of every program, and of threads that wait as they should. */
const OUTER =
  /\((?:runpy|threading|multiprocessing\/\w{1,40}|concurrent\/futures\/\w{1,40}|asyncio\/\w{1,40}|selectors|<frozen runpy>|torch\/_inductor\/compile_worker\/\w{1,40}|tqdm\/_monitor)\.?\w{0,4}:\d{1,7}\)$/;

export function trimStack({ by, text }: StackDump): string {
  const shown = by === 'proc' ? text : threadsOf(text).map(trimThread).join('\n');
  const words = shown.trim() === '' ? text : shown;
  return clip(words, MOST_TEXT);
}

/** The main thread, then those that run, then those that have frames of their own. */
function threadsOf(text: string): string[][] {
  const threads: string[][] = [];
  for (const line of text.split('\n')) {
    if (THREAD.test(line)) threads.push([line]);
    else threads.at(-1)?.push(line);
  }
  const rank = ([head = '', ...frames]: readonly string[]): number => {
    if (head.includes('MainThread')) return 0;
    if (!frames.some((frame) => frame.trim() !== '' && !OUTER.test(frame))) return 3;
    return head.includes('(idle') ? 2 : 1;
  };
  return threads
    .filter((thread) => rank(thread) < 3)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_THREADS);
}

function trimThread([head = '', ...frames]: readonly string[]): string {
  const telling = frames.filter((frame) => frame.trim() !== '' && !OUTER.test(frame));
  const shown = telling.length === 0 ? frames : telling;
  const left = shown.length - MOST_FRAMES;
  return [head, ...shown.slice(0, MOST_FRAMES), ...(left > 0 ? [`    … ${left} outer calls left out …`] : [])].join(
    '\n',
  );
}
