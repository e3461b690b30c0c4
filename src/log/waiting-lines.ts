/** Lines by which a process says again and again that it waits, or that it was asked how it is: they are no sign that it moves. */

const WAITS =
  /No available shared memory broadcast block found|\b(?:waiting for|retrying (?:in \d|\()|rate limited\b|not (?:yet )?(?:ready|up) yet\b)|\[c10d\] The client socket has (?:failed|timed out)/i;
/** A server's access log: whoever waits for it asks this, and so do we. */
const ASKED = /"GET \/(?:health|ping|metrics|version|v1\/models)[ ?/]/;
/** That it was well answered. */
const ANSWERED = /" 200 OK\s{0,9}$/;
/** A script that waits draws dots, without an end of line. */
const DOTS = /^[.\s]{1,4000}$/;

/** Whether what was read of a log holds nothing else; `text` is what was read, `lines` its whole lines as people read them. */
export function saysOnlyThatItWaits(text: string, lines: readonly string[]): boolean {
  return lines.length === 0
    ? DOTS.test(text)
    : lines.every((line) => WAITS.test(line) || ASKED.test(line) || line.trim() === '');
}

/** A server that was asked how it is, and answered: every few seconds of a life of weeks, and nothing that anybody looks for in a log's end. */
export function isGoodAnswer(line: string): boolean {
  return ASKED.test(line) && ANSWERED.test(line);
}
