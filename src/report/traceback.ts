/** A traceback cut to the frames that matter, so that it fits a phone and Slack's limits. */

import { clean, clip } from './escape.ts';

const MOST = 2400;
const MOST_MESSAGE = 900;
const MOST_LINES = 500;
/** More don't help on a phone; the whole traceback stands in the log. */
const MOST_FRAMES = 8;

/** Frames that every vLLM traceback passes through and that say nothing: decorators, context managers, thread and process bootstraps. */
const WRAPPERS =
  /vllm\/tracing\/|torch\/utils\/_device|torch\/utils\/_contextlib|torch\/nn\/modules\/module|\/(?:contextlib|functools|threading|runpy)\.py"|\/(?:multiprocessing|concurrent|asyncio)\//;

interface Part {
  readonly isFrame: boolean;
  readonly text: string;
}

/** At most 2,400 characters: the head, the innermost frames, the message. What is left out is said. */
export function trimTraceback(lines: readonly string[]): string {
  const parts = split(lines.slice(-MOST_LINES).map((line) => clip(clean(line), 2 * MOST_MESSAGE)));
  const telling = parts.filter((part) => !part.isFrame || !WRAPPERS.test(part.text));
  const kept = telling.some((part) => part.isFrame) ? telling : parts;
  return clip(keepInnermost(kept, parts.length - kept.length), MOST);
}

/** Frames (a `File` line and what belongs to it) and the lines between them; caret lines and the packages' folder are dropped. */
function split(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (const line of lines) {
    if (/^\s*[\^~]+\s*$/.test(line)) continue;
    const last = parts.at(-1);
    if (/^ {2}File "/.test(line))
      parts.push({ isFrame: true, text: line.replace(/"\S*\/(?:site|dist)-packages\//, '"') });
    else if (last?.isFrame && /^ {4}/.test(line))
      parts[parts.length - 1] = { isFrame: true, text: `${last.text}\n${line}` };
    else if (last !== undefined && !last.isFrame) {
      parts[parts.length - 1] = { isFrame: false, text: clip(`${last.text}\n${line}`, MOST_MESSAGE) };
    } else parts.push({ isFrame: false, text: clip(line, MOST_MESSAGE) });
  }
  return parts;
}

/** Drops the outermost frames until the rest fits: the innermost ones stand next to the failure. */
function keepInnermost(parts: readonly Part[], dropped: number): string {
  const left = [...parts];
  let out = dropped;
  while (size(left) > MOST - 60 || left.filter((part) => part.isFrame).length > MOST_FRAMES) {
    const outermost = left.findIndex((part) => part.isFrame);
    if (outermost < 0 && left.length < 2) break;
    left.splice(Math.max(outermost, 0), 1);
    out += 1;
  }
  const texts = left.map((part) => part.text);
  if (out > 0)
    texts.splice(
      left[0]?.isFrame === false ? 1 : 0,
      0,
      `  … ${out} outer or wrapping ${out === 1 ? 'frame' : 'frames'} left out …`,
    );
  return texts.join('\n');
}

function size(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.text.length + 1, 0);
}
