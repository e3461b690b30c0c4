/** Lines by which a process says again and again that it waits: they are no sign that it moves. */

const WAITS = /No available shared memory broadcast block found|\b(?:waiting for|retrying in \d|rate limited)\b/i;
/** A script that waits draws dots, without an end of line. */
const DOTS = /^[.\s]{1,4000}$/;

/** Whether what was read of a log holds nothing else; `text` is what was read, `lines` its whole lines as people read them. */
export function saysOnlyThatItWaits(text: string, lines: readonly string[]): boolean {
  return lines.length === 0 ? DOTS.test(text) : lines.every((line) => WAITS.test(line) || line.trim() === '');
}
