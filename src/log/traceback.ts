/**
 * Collects tracebacks, one per speaker and record, so that those of several processes come apart although their lines interleave.
 * A traceback is open while its frames come; from its exception line on it takes the message's further lines, until something else by
 * the same speaker, a chain sentence, or the record's end (vLLM ends all but the last line of a record in CR LF). Exceptions of a
 * chain, of a group, and those that a message quotes are told one by one, each with what it hangs on.
 */

import type { OpenTraceback, ReaderCarry } from './carry.ts';
import { firstLineOf } from './chains.ts';
import type { Spoken } from './speaker.ts';
import { type Heard, hear, type TracebackAt } from './traceback-heard.ts';
import { chainOf, exceptionOf, isFrame, isHarmless, isSign, isSyntaxFrame } from './traceback-lines.ts';
import { TracebackLinks } from './traceback-links.ts';
import { isEnded, isOwn, isQuote, isQuotedBefore, isQuoting, raiseOf } from './traceback-open.ts';
import {
  addText,
  addToMessage,
  fail,
  openTraceback,
  outdented,
  type TroubleEvent,
  troubleOf,
} from './traceback-text.ts';

export { TRACEBACK_SIGNS } from './traceback-lines.ts';

const MAX_OPEN = 16;
/** Lines of others among unprefixed frames before the rest is given up. */
const MAX_STRANGERS = 200;
const MAX_HARMLESS = 8;
/** Lines between an announcement and its traceback, of whomever. */
const HARMLESS_LINES = 60;

export class Tracebacks {
  #open: OpenTraceback[];
  #harmless: ReaderCarry['harmless'];
  readonly #links: TracebackLinks;

  constructor({ open, harmless, links }: Pick<ReaderCarry, 'open' | 'harmless' | 'links'>) {
    this.#open = structuredClone(open);
    this.#harmless = structuredClone(harmless);
    this.#links = new TracebackLinks(links);
  }

  save(): Pick<ReaderCarry, 'open' | 'harmless' | 'links'> {
    return structuredClone({ open: this.#open, harmless: this.#harmless, links: this.#links.save() });
  }

  /** `isForeign`: the line is known to be something else, so it ends an unprefixed message and belongs to no traceback. */
  take(said: Spoken, at: TracebackAt, isForeign: boolean): TroubleEvent[] {
    if (this.isIdle && !isSign(said.message.trimEnd())) return [];
    const heard = hear(said, at, (speaker) => this.#isInGroup(speaker));
    this.#age(heard);
    const quoting = heard.head === null ? null : this.#quoting(heard);
    const ended = this.#close((open) =>
      quoting === null ? isEnded(open, heard, isForeign) : isQuotedBefore(open, quoting),
    );
    const chain = chainOf(heard.text);
    if (chain !== null) this.#links.chain(heard.speaker, heard.margin, chain);
    else if (heard.rule !== null) this.#drawRule(heard);
    else if (heard.isRaw && isHarmless(heard.text)) this.#remember(heard.speaker);
    else return [...ended, ...this.#takeLine(heard, quoting, isForeign)];
    return ended;
  }

  /** Nothing is open or awaited: only a sign can change anything. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#harmless.length === 0 && this.#links.isIdle;
  }

  /** An exception of one of the trainer's processes was the last thing that it printed. */
  get isRaising(): boolean {
    return this.#open.some(
      ({ failure, isSilent, speaker }) => failure !== null && !isSilent && /^(?:\/|rank)/.test(speaker),
    );
  }

  /** All tracebacks that came as far as their exception line. */
  flush(): TroubleEvent[] {
    return this.#close(() => true);
  }

  #isInGroup(speaker: string): boolean {
    return this.#links.hasGroup(speaker) || this.#open.some((open) => open.speaker === speaker && open.margin > 0);
  }

  /** What waits for something waits for so many lines only. */
  #age({ said, speaker, margin }: Heard): void {
    this.#links.age(speaker, margin > 0);
    for (const each of this.#harmless) each.left -= 1;
    this.#harmless = this.#harmless.filter((each) => each.left > 0);
    if (said.shape === 'torch') for (const open of this.#open) open.isPastNative = true;
  }

  #remember(speaker: string): void {
    const others = this.#harmless.filter((each) => each.speaker !== speaker);
    this.#harmless = [...others.slice(1 - MAX_HARMLESS), { speaker, left: HARMLESS_LINES }];
  }

  /** The exception whose message quotes the traceback that begins here, or null where it is one of its own. */
  #quoting(heard: Heard): OpenTraceback | null {
    const own = this.#open.filter((open) => isOwn(open, heard));
    const raised = own.find(({ failure }) => failure === null);
    if (raised !== undefined && raiseOf(raised, heard) !== null) return raised;
    const parent = own.findLast(({ failure }) => failure !== null);
    return parent !== undefined && isQuote(parent, heard) ? parent : null;
  }

  #drawRule({ rule, speaker, margin }: Heard): void {
    if (rule === 'first') this.#links.beginGroup(speaker, margin);
    if (rule === 'end') this.#links.endGroups(speaker, margin);
  }

  #takeLine(heard: Heard, quoting: OpenTraceback | null, isForeign: boolean): TroubleEvent[] {
    if (heard.head === null && (isForeign || (!heard.isRaw && heard.source === ''))) return [];
    const own = this.#open.filter((open) => isOwn(open, heard));
    const isPart = heard.head === null || quoting !== null;
    if (isPart && own.length > 0) this.#add(own, heard);
    if (heard.head !== null) return this.#begin(heard, quoting);
    if (own.length === 0) return [...this.#beginHeadless(heard), ...this.#endRecord(heard)];
    return this.#endRecord(heard);
  }

  #begin(heard: Heard, quoting: OpenTraceback | null): TroubleEvent[] {
    const { speaker } = heard;
    const link = this.#links.take(speaker, heard.margin);
    const by = quoting?.failure ?? null;
    const chain = by === null ? link.chain : { line: by.line, how: 'quoted' as const, what: whatOf(by) };
    const isHarmless = this.#harmless.some((each) => each.speaker === speaker);
    this.#harmless = this.#harmless.filter((each) => each.speaker !== speaker);
    const isSilent = isHarmless || link.isSilent || quoting?.isSilent === true;
    return this.#push(openTraceback(heard, { chain, isSilent }));
  }

  /** Files that can't be parsed and sub-exceptions that nobody raised have no head. */
  #beginHeadless(heard: Heard): TroubleEvent[] {
    const { text, margin, speaker, isRaw } = heard;
    if (margin === 0)
      return isRaw && isSyntaxFrame(text) ? this.#push(openTraceback(heard, { chain: null, isSilent: false })) : [];
    const exception = exceptionOf(text, true);
    const link = exception === null ? null : this.#links.take(speaker, margin);
    if (exception === null || link?.chain?.how !== 'group') return [];
    const open = openTraceback(heard, link);
    fail(open, exception, heard);
    return this.#push(open);
  }

  #push(open: OpenTraceback): TroubleEvent[] {
    this.#open.push(open);
    const oldest = this.#open.length > MAX_OPEN ? this.#open[0] : undefined;
    return this.#close((each) => each === oldest);
  }

  #add(own: readonly OpenTraceback[], heard: Heard): void {
    const { text, line } = heard;
    for (const open of own) if (isQuoting(open, own)) addToMessage(open, text, line);
    const framing = own.filter((open) => open.failure === null);
    const oldest = framing[0];
    if (oldest === undefined) {
      const last = own.at(-1);
      if (last !== undefined && !isQuoting(last, own)) addToMessage(last, outdented(last, text), line);
      return;
    }
    const inner = outdented(oldest, text);
    if (isFrame(inner)) {
      for (const open of framing) addText(open, outdented(open, text));
      return;
    }
    const exception = raiseOf(oldest, heard);
    if (exception !== null) {
      fail(oldest, exception, { ...heard, text: inner });
      return;
    }
    oldest.strangers += 1;
    if (oldest.isHeadless || oldest.strangers > MAX_STRANGERS)
      this.#open = this.#open.filter((open) => open !== oldest);
  }

  /** All lines of a record but the last end in CR LF. */
  #endRecord({ said, end, speaker, source }: Heard): TroubleEvent[] {
    if (said.source === null) return [];
    const isOfRecord = (open: OpenTraceback) => open.speaker === speaker && open.source === source;
    if (end !== '\r') return this.#close((open) => isOfRecord(open) && open.hasCarriageReturns);
    for (const open of this.#open) if (isOfRecord(open)) open.hasCarriageReturns = true;
    return [];
  }

  #close(isEnded: (open: OpenTraceback) => boolean): TroubleEvent[] {
    const ended = this.#open.filter(isEnded);
    if (ended.length === 0) return [];
    this.#open = this.#open.filter((open) => !ended.includes(open));
    for (const { failure, speaker, margin, isSilent } of ended)
      if (failure !== null) this.#links.tell({ speaker, margin, line: failure.line, what: whatOf(failure), isSilent });
    return ended.flatMap(troubleOf);
  }
}

function whatOf({ type, message }: NonNullable<OpenTraceback['failure']>): string {
  return firstLineOf({ type, message: message.join('\n').trim() });
}
