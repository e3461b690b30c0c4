/** Who wrote a piece of a log, and what: `(Worker_TP0 pid=7) ERROR 04-29 06:13:29 [core.py:9] text` taken apart. */

import { endOfBar, isBar, splitGlued } from './glued.ts';
import { parseJsonRecord } from './json.ts';
import {
  CLOCKED,
  COMPOSE,
  CONTAINED,
  DAEMON,
  DATED,
  ELASTIC,
  JOURNAL,
  LEVELLED,
  MOST_DATES,
  PREFIX,
  RANK,
  RECORD,
  RECORD_INSIDE,
  REPEATED,
  SOURCE,
  TEXT_RANK,
  TORCH,
  UVICORN,
} from './speaker-patterns.ts';

export interface Speaker {
  /** The prefix without pid and brackets (`Worker_TP1`, `VllmWorker rank=1`), `rankN`, or null. */
  readonly process: string | null;
  readonly pid: number | null;
}

export interface Spoken extends Speaker {
  /** record = vLLM's logger; dated = any other line that begins with a date; plain = text without a head (raw tracebacks, bars, shells). */
  readonly shape: 'record' | 'uvicorn' | 'json' | 'dated' | 'torch' | 'plain';
  readonly level: string | null;
  /** `11-30 07:41:56`, or null. */
  readonly stamp: string | null;
  /** `core.py:1136` of a record, else null. */
  readonly source: string | null;
  readonly message: string;
  /** The traceback inside a JSON record, or null. */
  readonly exception: string | null;
}

export { isBar } from './glued.ts';

export const NOBODY: Speaker = { process: null, pid: null };

/** The lines that a piece is made of, most often one. `inherited` spoke before on the same line. */
export function parseSpoken(text: string, inherited: Speaker): Spoken[] {
  const pid = text.indexOf('pid=');
  // Docker's own files hold one line in each record.
  const isOne =
    pid === -1 ||
    text.startsWith('{"log":"') ||
    (text.startsWith('(') && pid < 60 && text.indexOf('pid=', pid + 4) === -1);
  const behind = isBar(text) ? endOfBar(text) : -1;
  if (behind > 0 && isBar(text.slice(0, behind))) {
    return [...parseSpoken(text.slice(0, behind), inherited), parsePart(text.slice(behind), NOBODY)];
  }
  if (isOne) return [parsePart(text, inherited)];
  return splitGlued(text).map((part) => parsePart(part, inherited));
}

/** A JSON record holds its further lines and its traceback in itself: they are lines of the same level. */
export function unfold(said: Spoken): Spoken[] {
  const lines = `${said.message}${said.exception === null ? '' : `\n${said.exception}`}`.split('\n');
  return lines.map((message): Spoken => ({ ...said, message, exception: null }));
}

/** True for a rank of a trainer (`rank3`), as torch names it. */
export function isRank(process: string): boolean {
  return /^rank\d+$/.test(process);
}

/** `dates`: so many stood before it. */
function parsePart(text: string, inherited: Speaker, dates = 0): Spoken {
  let speaker = inherited;
  let rest = text.indexOf(' |') > 0 ? text.replace(COMPOSE, '') : text;
  if (rest.charAt(9) === ':' && rest.charAt(12) === ':') rest = rest.replace(JOURNAL, '');
  for (let match = PREFIX.exec(rest); match !== null; match = PREFIX.exec(rest)) {
    speaker = { process: match[1] ?? null, pid: Number(match[2]) };
    rest = rest.slice(match[0].length);
  }
  const daemon = rest.startsWith('(') ? DAEMON.exec(rest) : null;
  if (daemon !== null) {
    speaker = { process: daemon[1] ?? null, pid: null };
    rest = rest.slice(daemon[0].length);
  }
  return parseHead(withoutRepeats(rest), speaker, dates);
}

function withoutRepeats(text: string): string {
  const at = text.indexOf(' [repeated ');
  return at !== -1 && REPEATED.test(text.slice(at)) ? text.slice(0, at) : text;
}

function parseHead(text: string, speaker: Speaker, dates: number): Spoken {
  const record = RECORD.exec(text);
  if (record !== null) {
    const [, level = null, stamp = null, source = null, message = ''] = record;
    const { process, pid } = speaker;
    return { process, pid, shape: 'record', level, stamp, source, message, exception: null };
  }
  const uvicorn = UVICORN.exec(text);
  if (uvicorn !== null)
    return said(speaker, { shape: 'uvicorn', level: uvicorn[1] ?? null, message: uvicorn[2] ?? '' });
  if (text.startsWith('{"')) return parseJson(text, speaker);
  if (text.startsWith('[')) return parseBracket(text, speaker, dates);
  if (text.startsWith('20')) return parseDated(text, speaker, dates);
  const elastic = ELASTIC.exec(text);
  if (elastic !== null) {
    const [, level = null, month, day, time, message = ''] = elastic;
    return { ...said(speaker, { shape: 'torch', level, message }), stamp: `${month}-${day} ${time}` };
  }
  return parsePlain(text, speaker);
}

function parseJson(text: string, speaker: Speaker): Spoken {
  const record = parseJsonRecord(text);
  if (record === null) return parsePlain(text, speaker);
  if ('line' in record) {
    const inner = parsePart(record.line, speaker);
    return { ...inner, stamp: inner.stamp ?? record.stamp };
  }
  return { ...speaker, shape: 'json', source: null, ...record };
}

function parseBracket(text: string, speaker: Speaker, dates: number): Spoken {
  const rank = RANK.exec(text);
  const who = rank === null ? speaker : { process: `rank${rank[1]}`, pid: null };
  const rest = rank === null ? text : text.slice(rank[0].length);
  const torch = TORCH.exec(rest);
  if (torch !== null) return torchSaid(torch, who);
  return rank === null ? parseDated(text, speaker, dates) : said(who, { shape: 'plain', level: null, message: rest });
}

function torchSaid([, level, message = '']: RegExpExecArray, who: Speaker): Spoken {
  const rank = who.process === null ? TEXT_RANK.exec(message)?.[1] : undefined;
  const speaker = rank === undefined ? who : { process: `rank${rank}`, pid: null };
  return said(speaker, { shape: 'torch', level: level ?? null, message });
}

/** Docker's, Kubernetes' and SGLang's lines, and loggers with a date. */
function parseDated(text: string, speaker: Speaker, dates: number): Spoken {
  if (dates === MOST_DATES) return parsePlain(text, speaker);
  const contained = CONTAINED.exec(text);
  if (contained !== null) return parseContained(contained, speaker, dates + 1);
  const dated = DATED.exec(text) ?? CLOCKED.exec(text);
  if (dated === null) return parsePlain(text, speaker);
  const [, day = '', time, ranks = '', rest = ''] = dated;
  const stamp = day === '' ? null : `${day} ${time}`;
  const who = ranks === '' ? speaker : { process: ranks.trim(), pid: null };
  const inner = parsePart(rest, who, dates + 1);
  if (inner.shape !== 'plain') return { ...inner, stamp: inner.stamp ?? stamp };
  return { ...(levelled(rest, who) ?? { ...inner, shape: 'dated' }), stamp };
}

/** The line counts, not the stamp that a container's log has before each. */
function parseContained([, day, time, rest = '']: RegExpExecArray, speaker: Speaker, dates: number): Spoken {
  const inner = parsePart(rest, speaker, dates);
  const own = inner.shape === 'plain' ? (levelled(rest, speaker) ?? inner) : inner;
  return { ...own, stamp: own.stamp ?? `${day} ${time}` };
}

/** What plain loggers write behind their date: `INFO - name - text`. */
function levelled(text: string, speaker: Speaker): Spoken | null {
  const match = LEVELLED.exec(text);
  if (match === null) return null;
  const message = (match[2] ?? '').replace(SOURCE, '').replace(SOURCE, '');
  return said(speaker, { shape: 'dated', level: match[1] ?? null, message });
}

/** VLLM_LOGGING_PREFIX stands straight before the level; a bar may too, when its newline is missing. */
function parsePlain(text: string, speaker: Speaker): Spoken {
  const inside = text.length > 30 ? RECORD_INSIDE.exec(text) : null;
  if (inside !== null && inside.index <= 200) return parseHead(text.slice(inside.index), speaker, MOST_DATES);
  return said(speaker, { shape: 'plain', level: null, message: text });
}

/** Spelt out, since this is made for every line and spreading is many times slower. */
function said(speaker: Speaker, what: Pick<Spoken, 'shape' | 'level' | 'message'>): Spoken {
  const { process, pid } = speaker;
  const { shape, level, message } = what;
  return { process, pid, shape, level, stamp: null, source: null, message, exception: null };
}
