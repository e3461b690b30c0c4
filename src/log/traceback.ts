/**
 * Collects tracebacks, one per speaker and record, so that those of several processes come apart although their lines interleave.
 * A traceback is open while its frames come; from its exception line on it takes the message's further lines, until
 * something else by the same speaker, a chain sentence, or the record's end (vLLM ends all but the last line of a record in CR LF).
 */

import type { OpenTraceback } from './carry.ts';
import { isBar, type Spoken } from './speaker.ts';
import { addText, addToMessage, type TroubleEvent, troubleOf } from './traceback-text.ts';

const MAX_OPEN = 16;
/** Lines of others among unprefixed frames before the rest is given up. */
const MAX_STRANGERS = 200;

const HEAD = 'Traceback (most recent call last):';
const CHAIN = /^(?:The above exception was the\b|During handling of the above\b)/;
/** Only builtin classes are printed without a module, and their names end like this. */
const EXCEPTION =
  /^((?:[A-Za-z_]\w*\.)+\w+|\w*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Group))(?:: ?(.*))?$/;
/** Text that is never part of an exception's message: the next thing in an unprefixed stream. */
const FOREIGN =
  /^(?:Process \S+:|\[[\w./-]+\] |\+ |\S+:\d+: \w*Warning|Exception (?:ignored|raised|in thread)|frame #\d|Fatal Python error|Segmentation fault|Killed|terminate called|usage: |nohup: |ERROR conda|Loading \S+ checkpoint|\d{4}-\d\d-\d\d|[WEIF]\d{4} \d\d:|={20,}|-{20,})/;
const HARMLESS = /^(?:Exception ignored in|--- Logging error ---)/;

export class Tracebacks {
  #open: OpenTraceback[];
  #harmless: Set<string>;

  constructor(open: readonly OpenTraceback[], harmless: readonly string[]) {
    this.#open = structuredClone([...open]);
    this.#harmless = new Set(harmless);
  }

  save(): { open: OpenTraceback[]; harmless: string[] } {
    return { open: structuredClone(this.#open), harmless: [...this.#harmless] };
  }

  /** `isForeign`: the line is known to be something else, so it ends an unprefixed message and belongs to no traceback. */
  take(said: Spoken, at: { line: number; end: '\n' | '\r' | null }, isForeign: boolean): TroubleEvent[] {
    const text = said.message.trimEnd();
    if (this.#open.length === 0 && !text.endsWith(HEAD)) {
      if (said.shape === 'plain' && HARMLESS.test(text)) this.#remember(speakerOf(said));
      return [];
    }
    const speaker = speakerOf(said);
    const source = said.source ?? '';
    const isRaw = said.shape === 'plain';
    const isOwn = (open: OpenTraceback) => open.speaker === speaker && open.source === source;
    const ended = this.#close((open) => {
      if (open.failure === null || open.speaker !== speaker) return false;
      if (isRaw) return isOwn(open) && (isForeign || endsMessage(text));
      return !isOwn(open) || source === '' || open.stamp !== said.stamp || endsMessage(text);
    });
    if (text.endsWith(HEAD)) return [...ended, ...this.#begin(said, { ...at, text, speaker })];
    if ((!isRaw && source === '') || isForeign) return ended;
    const own = this.#open.filter(isOwn);
    if (own.length > 0) this.#add(own, { said, text, line: at.line });
    return [...ended, ...this.#endRecord(own, said, at.end)];
  }

  /** An exception of one of the trainer's processes was the last thing that it printed. */
  get isRaising(): boolean {
    return this.#open.some(
      ({ failure, isSilent, speaker }) => failure !== null && !isSilent && /^(?:\/|rank)/.test(speaker),
    );
  }

  /** All tracebacks that came as far as their exception line. */
  flush(): TroubleEvent[] {
    const ended = this.#close((open) => open.failure !== null);
    this.#open = [];
    return ended;
  }

  #remember(speaker: string): void {
    this.#harmless.clear();
    this.#harmless.add(speaker);
  }

  #begin(said: Spoken, at: { line: number; end: '\n' | '\r' | null; text: string; speaker: string }): TroubleEvent[] {
    const isLogged = said.level !== null && said.shape !== 'uvicorn';
    const isMild = isLogged && said.level !== 'ERROR' && said.level !== 'CRITICAL' && said.level !== 'E';
    const isHarmless = this.#harmless.delete(at.speaker);
    this.#open.push({
      speaker: said.shape === 'dated' ? speakerOf({ process: null, pid: null }) : at.speaker,
      source: said.source ?? '',
      stamp: said.stamp,
      first: at.line,
      last: at.line,
      text: [HEAD],
      size: HEAD.length + 1,
      left: 0,
      failure: null,
      blanks: 0,
      hasCarriageReturns: said.source !== null && at.end === '\r',
      isSilent: isMild || isHarmless,
      strangers: 0,
    });
    if (this.#open.length <= MAX_OPEN) return [];
    const oldest = this.#open[0];
    return this.#close((open) => open === oldest);
  }

  #add(own: readonly OpenTraceback[], what: { said: Spoken; text: string; line: number }): void {
    const { said, text, line } = what;
    const framing = own.filter((open) => open.failure === null);
    const oldest = framing[0];
    if (oldest === undefined) {
      for (const open of own.slice(-1)) addToMessage(open, text, line);
      return;
    }
    if (text === '' || /^\s/.test(text)) {
      for (const open of framing) addText(open, text);
      return;
    }
    const exception = EXCEPTION.exec(text);
    if (exception === null) {
      oldest.strangers += 1;
      if (oldest.strangers > MAX_STRANGERS) this.#open = this.#open.filter((open) => open !== oldest);
      return;
    }
    const { process, pid, stamp } = said;
    oldest.failure = { line, stamp, process, pid, type: exception[1] ?? '', message: [exception[2] ?? ''] };
    oldest.last = line;
    addText(oldest, text);
  }

  #endRecord(own: readonly OpenTraceback[], said: Spoken, end: '\n' | '\r' | null): TroubleEvent[] {
    if (said.source === null) return [];
    if (end === '\r') {
      for (const open of own) open.hasCarriageReturns = true;
      return [];
    }
    return this.#close((open) => own.includes(open) && open.hasCarriageReturns);
  }

  #close(isEnded: (open: OpenTraceback) => boolean): TroubleEvent[] {
    const ended = this.#open.filter(isEnded);
    if (ended.length === 0) return [];
    this.#open = this.#open.filter((open) => !ended.includes(open));
    return ended.flatMap(troubleOf);
  }
}

function speakerOf(said: { process: string | null; pid: number | null }): string {
  return `${said.process ?? ''}/${said.pid ?? ''}`;
}

function endsMessage(text: string): boolean {
  return CHAIN.test(text) || FOREIGN.test(text) || text.endsWith(HEAD) || isBar(text);
}
