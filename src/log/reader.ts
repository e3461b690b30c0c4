/** Bytes of a log in, events and readable lines out. Never throws on any bytes; the result doesn't depend on how they were cut. */

import { EMPTY_CARRY, type ReaderCarry } from './carry.ts';
import type { LogEvent } from './events.ts';
import { LineCutter, type Piece } from './lines.ts';
import { createMask, longestSecret } from './mask.ts';
import { isFailure } from './rules/failures.ts';
import type { Finding } from './rules/rule.ts';
import { findDownload, findRule } from './rules/table.ts';
import { isBar, NOBODY, parseSpoken, type Spoken } from './speaker.ts';
import { Tracebacks } from './traceback.ts';

export { isReadable, READER_VERSION, type ReaderCarry } from './carry.ts';

export interface LogRead {
  readonly events: LogEvent[];
  /** Whole lines as people may read them: masked, without ANSI codes, of a bar only its last state. */
  readonly lines: string[];
}

export interface LogReader {
  /** Feeds bytes; returns the events of whole pieces (up to a `\n` or `\r`) and the lines that ended. */
  feed(bytes: Uint8Array): LogRead;
  /** The end of the file: a last piece without an end is read as well, and tracebacks that waited for more of their message are told. */
  end(): LogRead;
  /** Where reading can go on: `offset` = bytes from the log's start to the first unread piece, `carry` = all else. */
  checkpoint(): { offset: number; carry: ReaderCarry };
}

/** Opens a reader at the log's start, or where a checkpoint was made (feed the bytes from its offset on). */
export function openLogReader(options: {
  secrets: readonly string[];
  resume: { offset: number; carry: ReaderCarry } | null;
}): LogReader {
  return new Reader(options.secrets, options.resume ?? { offset: 0, carry: EMPTY_CARRY });
}

const MAX_FILES = 2000;

class Reader implements LogReader {
  readonly #cutter: LineCutter;
  readonly #tracebacks: Tracebacks;
  #state: Omit<ReaderCarry, 'line' | 'isLineStart' | 'open' | 'harmless' | 'version'>;
  #events: LogEvent[] = [];
  #lines: string[] = [];

  constructor(secrets: readonly string[], from: { offset: number; carry: ReaderCarry }) {
    const { version: _version, line, isLineStart, open, harmless, ...state } = from.carry;
    this.#cutter = new LineCutter({
      mask: createMask(secrets),
      edge: longestSecret(secrets),
      from: { offset: from.offset, line, isLineStart },
    });
    this.#tracebacks = new Tracebacks(open, harmless);
    this.#state = structuredClone(state);
  }

  feed(bytes: Uint8Array): LogRead {
    this.#cutter.feed(bytes, this.#read);
    return this.#taken();
  }

  end(): LogRead {
    const rest = this.#cutter.end();
    if (rest !== null) this.#read(rest);
    this.#events.push(...this.#tracebacks.flush());
    return this.#taken();
  }

  checkpoint(): { offset: number; carry: ReaderCarry } {
    const { offset, line, isLineStart } = this.#cutter.position();
    const { version } = EMPTY_CARRY;
    return {
      offset,
      carry: { version, line, isLineStart, ...structuredClone(this.#state), ...this.#tracebacks.save() },
    };
  }

  #taken(): LogRead {
    const taken = { events: this.#events, lines: this.#lines };
    this.#events = [];
    this.#lines = [];
    return taken;
  }

  readonly #read = (piece: Piece): void => {
    if (piece.isLineStart) this.#beginLine();
    this.#show(piece);
    if (piece.text === '' && !piece.isLineStart) return;
    for (const said of parseSpoken(piece.text, this.#state.speaker)) {
      this.#state.speaker = { process: said.process, pid: said.pid };
      if (said.shape === 'json') for (const one of unfold(said)) this.#hear(one, piece);
      else this.#hear(said, piece);
    }
  };

  #beginLine(): void {
    this.#state.speaker = NOBODY;
    this.#state.prefix = '';
    this.#state.shown = '';
  }

  #show(piece: Piece): void {
    const state = this.#state;
    if (piece.isLineStart && piece.end === '\r' && piece.text.trimEnd().endsWith(')')) state.prefix = piece.text;
    else if (piece.text.trim() !== '') state.shown = piece.isLineStart ? piece.text : state.prefix + piece.text;
    if (piece.end !== '\r') this.#lines.push(state.shown === '' ? state.prefix : state.shown);
  }

  #hear(said: Spoken, piece: Piece): void {
    if (said.shape === 'uvicorn' && said.message.includes(' - "')) return;
    this.#countServers(said, piece);
    for (const event of this.#tracebacks.take(said, piece)) this.#events.push(event);
    if (said.message === '') return;
    const found = findRule(said.message);
    if (found !== null) {
      if (found.rule.isStart === true) this.#start(said, piece);
      if (found.rule.engine === 'sglang') this.#state.engine = 'sglang';
      if (found.rule.engine === 'vllm' && found.rule.isStart !== true && this.#state.engine === 'sglang') return;
      this.#emitAll(found.findings, said, piece);
      return;
    }
    if (isBar(said.message)) this.#emitAll(findDownload(said.message) ?? [], said, piece);
    else if (said.message.startsWith('usage: ') && said.shape === 'plain') this.#usage(said, piece);
    else if (isFailure(said)) this.#fail(said, piece);
  }

  /** Each API server of several has a prefix of its own; all must be up before the server is. */
  #countServers(said: Spoken, piece: Piece): void {
    const match = said.process?.startsWith('ApiServer_') === true ? /^ApiServer_(\d+)$/.exec(said.process) : null;
    if (match === null) return;
    const count = Math.min(Number(match[1]) + 1, 1024);
    if (count <= this.#state.servers) return;
    this.#state.servers = count;
    this.#emit({ kind: 'fact', key: 'api_servers', value: count }, said, piece);
  }

  #start(said: Spoken, piece: Piece): void {
    const isOneOfSeveral = said.process?.startsWith('ApiServer_') === true;
    if (isOneOfSeveral) return;
    if (this.#state.isUsed || this.#state.hasStarted) {
      this.#events.push(...this.#tracebacks.flush());
      this.#emit({ kind: 'start' }, said, piece);
    }
    this.#state = { ...this.#state, engine: 'vllm', hasStarted: true, isUsed: false, servers: 0, files: null };
  }

  /** argparse refused the arguments: where an older start stands above, this was another one. */
  #usage(said: Spoken, piece: Piece): void {
    if (this.#state.hasStarted) this.#start(said, piece);
  }

  #emitAll(findings: readonly Finding[], said: Spoken, piece: Piece): void {
    for (const finding of findings) {
      if (finding.kind === 'file') this.#countFile(finding, said, piece);
      else this.#emit(finding, said, piece);
    }
  }

  #countFile(file: Extract<Finding, { kind: 'file' }>, said: Spoken, piece: Piece): void {
    const known = this.#state.files?.total === file.total ? this.#state.files : { total: file.total, finished: [] };
    if (file.isDone && !known.finished.includes(file.index) && known.finished.length < MAX_FILES)
      known.finished.push(file.index);
    this.#state.files = known;
    const progress = { phase: 'downloading', done: known.finished.length, total: file.total } as const;
    this.#emit({ kind: 'progress', progress }, said, piece);
  }

  #fail(said: Spoken, piece: Piece): void {
    const { process, pid } = said;
    const trouble = { line: piece.line, type: null, process, pid, message: said.message.trim(), traceback: null };
    this.#emit({ kind: 'trouble', trouble }, said, piece);
  }

  #emit(finding: Exclude<Finding, { kind: 'file' }>, said: Spoken, piece: Piece): void {
    if (finding.kind !== 'phase' || finding.phase !== 'configuring') this.#state.isUsed = true;
    this.#events.push({ ...finding, line: piece.line, stamp: said.stamp });
  }
}

/** A JSON record holds its further lines and its traceback in itself. */
function unfold(said: Spoken): Spoken[] {
  const [message = '', ...more] = `${said.message}${said.exception === null ? '' : `\n${said.exception}`}`.split('\n');
  const head: Spoken = { ...said, message, exception: null };
  return [head, ...more.map((line): Spoken => ({ ...head, shape: 'plain', level: null, message: line }))];
}
