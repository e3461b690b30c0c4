/** The end of a run's log as a file for its thread: from the host, or where that can't be asked from the journal. */

import { size } from '../check/words.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { isHostError } from '../errors.ts';
import type { Peek } from '../host/log.ts';
import type { Checkpoint } from '../journal.ts';
import { LineCutter } from '../log/lines.ts';
import { createMask, longestSecret, openMask } from '../log/mask.ts';
import { ShownLines } from '../log/shown-lines.ts';
import type { Tools } from '../processor.ts';
import { isFound, isNamed } from '../run/request.ts';
import type { Run } from '../run/run.ts';
import { KEY_BEGIN, KEY_END } from '../token-shapes.ts';

/** Bytes of the log. Slack takes 1 MB, as UTF-8. */
const MOST_READ = 512 * 1024;
const MOST_SENT = 900_000;

interface Sources {
  readonly tools: Pick<Tools, 'hosts' | 'config' | 'timings'>;
  /** How far the log was read, where anybody read it: what file it is. */
  readonly checkpoint: Checkpoint | null;
  /** The last lines that were read of it. */
  readonly tail: readonly string[];
  readonly signal: AbortSignal;
}

/** At most 900 kB, never empty; without secrets and terminal codes. Its first line says what is left out, or why it is not from the host. */
export async function logExcerpt(run: Run, sources: Sources): Promise<string> {
  const { config } = sources.tools;
  const secrets = isFound(run) ? [] : (config.recipes[run.request.recipe]?.secrets ?? []);
  const text = await excerptOf(run, sources, secrets);
  return endOf(createMask(secrets)(text), MOST_SENT);
}

async function excerptOf(run: Run, sources: Sources, secrets: readonly string[]): Promise<string> {
  const path = run.started?.log ?? '';
  const where = `${run.request.host}: ${path}`;
  const seen = await look(run, path, sources);
  if (typeof seen === 'string') return [`(${seen} ${where})`, ...remembered(run, sources.tail)].join('\n');
  const isCut = seen.size > MOST_READ;
  const shown = shownLines(seen.text, isCut, secrets);
  const head = isCut ? [`… the ${size(seen.size - shown.bytes)} before this are on ${where}`] : [];
  const lines = [...head, ...shown.lines];
  return lines.every((line) => line.trim() === '') ? `(The log is empty: ${where})` : lines.join('\n');
}

/** A sentence where the log can't be read there. */
async function look(run: Run, path: string, { tools, checkpoint, signal }: Sources): Promise<Peek | string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(tools.timings.excerpt)]);
  const range = { from: 0, most: MOST_READ, countsLines: false, real: isNamed(run) ? path : null };
  try {
    const seen = await tools.hosts.get(run.request.host).peek(path, range, limit);
    if (seen === null) return 'The log is no longer there; what Vigil had read of its end. It stood on';
    const known = checkpoint?.position.generation?.inode;
    if (known === undefined || known === seen.generation.inode) return seen;
    return 'Another log has taken its place; what Vigil had read of its end. It stood on';
  } catch (error) {
    if (!limit.aborted && !isHostError(error)) throw error;
    return 'The host could not be asked for the log; what Vigil had read of its end. All of it is on';
  }
}

/** Whole lines as people see them, and how many bytes of the text they are. */
function shownLines(text: string, isCut: boolean, secrets: readonly string[]): { lines: string[]; bytes: number } {
  const whole = isCut ? text.slice(text.indexOf('\n') + 1) : text;
  const start = isCut ? afterKey(whole) : 0;
  const bytes = Buffer.from(whole.slice(start));
  const shown = new ShownLines({ prefix: '', shown: '' });
  const from = { offset: 0, line: 1, isLineStart: true };
  const mask = openMask(secrets, null);
  const cutter = new LineCutter({ mask: (line) => mask.hide(line), edge: longestSecret(secrets), from });
  cutter.feed(
    bytes,
    (piece) => shown.add(piece),
    (_, at) => at,
  );
  const rest = cutter.end();
  if (rest !== null) shown.add(rest);
  return { lines: shown.take(), bytes: bytes.length };
}

/** Behind a private key that the cut went through: nothing tells its lines from other text any more. */
function afterKey(text: string): number {
  const end = KEY_END.exec(text);
  const begin = text.search(KEY_BEGIN);
  return end === null || (begin !== -1 && begin < end.index) ? 0 : end.index + end[0].length;
}

/** The first failure, then the last lines. */
function remembered(run: Run, tail: readonly string[]): readonly string[] {
  const cause: Cause | null =
    (run.failure?.kind === 'ended' ? run.failure.cause : null) ?? run.vitals?.death?.cause ?? null;
  const traceback = cause?.traceback?.text ?? [];
  return [...traceback, ...(traceback.length > 0 && tail.length > 0 ? ['…'] : []), ...tail];
}

/** The text's end, from a line on. */
function endOf(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const end = bytes.subarray(bytes.length - most);
  return `…\n${end.subarray(end.indexOf('\n') + 1).toString('utf8')}`;
}
