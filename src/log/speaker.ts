/** Who wrote a piece of a log, and what: `(Worker_TP0 pid=7) ERROR 04-29 06:13:29 [core.py:9] text` taken apart. */

import { parseJsonRecord } from './json.ts';

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

export const NOBODY: Speaker = { process: null, pid: null };

const LEVEL = 'DEBUG|INFO|WARNING|ERROR|CRITICAL';
const PREFIX = /^ ?\((?:([A-Za-z_][\w.:-]*(?: [\w=]+){0,4}) )?pid=(\d+)(?:, ip=[^)]*)?\) ?/;
const RECORD = new RegExp(`^(${LEVEL}) (\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d) \\[?([^\\]\\s]+:\\d+)\\] ?(.*)$`);
const RECORD_INSIDE = new RegExp(`(?:${LEVEL}) \\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\[?[^\\]\\s]+:\\d+\\]`);
const UVICORN = /^(INFO|WARNING|ERROR|CRITICAL|DEBUG|TRACE): +(.*)$/;
const RANK = /^\[rank(\d+)\]: ?/;
const TORCH = /^\[([WEIF])\d{3,4} \d\d:\d\d:\d\d\.\d+ [\w.]+:\d+\] ?(.*)$/;
/** Of torchrun: `W0811 09:04:34.695000 20981 torch/distributed/run.py:852] text`. */
const ELASTIC = /^([WEIF])(\d\d)(\d\d) (\d\d:\d\d:\d\d)\.\d+ \d+ [\w./]+:\d+\] ?(.*)$/;
const DATED =
  /^\[?\d{4}-(\d\d-\d\d)[T ](\d\d:\d\d:\d\d)[\d.,]{0,12}(?:Z|[+-]\d\d:?\d\d)?((?: [A-Z]+\d+)*)\]?[\s|,-]{1,8}(?:std(?:out|err) [FP] )?(.*)$/;
const LEVELLED = new RegExp(`^(?:[\\w./<>:-]{1,80}[\\s|-]{1,8})?\\[?(${LEVEL})\\]?[\\s|:-]+(.*)$`);
const SOURCE = /^\[?(?:[\w./<>-]+\.py:\d+|\w+\.[\w.]+)\]?(?: -|:| \|)? +/;
/** Where another process's line was glued on: its prefix and the head of what it says. */
const GLUED = new RegExp(
  `\\((?:[A-Za-z_][\\w.:-]*(?: [\\w=]+){0,4} )?pid=\\d+(?:, ip=[^)]*)?\\) (?=(?:${LEVEL})[: ]|Traceback \\(most|\\{")`,
  'g',
);
const BAR = /%\||% Completed|(?:it|B)\/s[\],]|s\/it/;
const BEHIND_BAR = /(?<!^)(?:\[rank\d|(?<=\])Traceback \(most recent|(?<=\])[WEIF]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ )/;
/** What Kubernetes, docker and docker compose put before each line. */
const WRAPPED =
  /^(?:[\w.-]{1,40} {1,8}\| )?(?:\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?)?/;
const COMPOSE = /^[\w.-]{1,40} {1,8}\| /;
/** Ray says so behind lines that it left out. */
const REPEATED = / \[repeated \d+x across cluster\].*$/;

/** The lines that a piece is made of, most often one. `inherited` spoke before on the same line. */
export function parseSpoken(text: string, inherited: Speaker): Spoken[] {
  const pid = text.indexOf('pid=');
  const isOne = pid === -1 || (text.startsWith('(') && pid < 60 && text.indexOf('pid=', pid + 4) === -1);
  // A bar lacks its newline when torch, its launcher or a traceback comes next.
  const behind = isBar(text) ? text.search(BEHIND_BAR) : -1;
  if (behind > 0 && isBar(text.slice(0, behind))) {
    return [...parseSpoken(text.slice(0, behind), inherited), parsePart(text.slice(behind), NOBODY)];
  }
  if (isOne) return [parsePart(text, inherited)];
  return splitGlued(text).map((part) => parsePart(part, inherited));
}

/** True for a rank of a trainer (`rank3`), as torch names it. */
export function isRank(process: string): boolean {
  return /^rank\d+$/.test(process);
}

/** True for a progress bar's text. */
export function isBar(text: string): boolean {
  return BAR.test(text);
}

function splitGlued(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(GLUED)) {
    const before = text.slice(from, match.index);
    // Prefixes in a row are one speaker's: the last names it.
    if (withoutPrefixes(before.replace(WRAPPED, '')).trim() === '') continue;
    parts.push(before);
    from = match.index;
  }
  parts.push(text.slice(from));
  return parts;
}

function withoutPrefixes(text: string): string {
  let rest = text;
  for (let match = PREFIX.exec(rest); match !== null; match = PREFIX.exec(rest)) rest = rest.slice(match[0].length);
  return rest;
}

function parsePart(text: string, inherited: Speaker): Spoken {
  let speaker = inherited;
  let rest = text.indexOf(' | ') > 0 ? text.replace(COMPOSE, '') : text;
  for (let match = PREFIX.exec(rest); match !== null; match = PREFIX.exec(rest)) {
    speaker = { process: match[1] ?? null, pid: Number(match[2]) };
    rest = rest.slice(match[0].length);
  }
  if (rest.endsWith('cluster]') || rest.includes(' [repeated ')) rest = rest.replace(REPEATED, '');
  return parseHead(rest, speaker);
}

function parseHead(text: string, speaker: Speaker): Spoken {
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
  if (text.startsWith('[')) return parseBracket(text, speaker);
  if (text.startsWith('20')) return parseDated(text, speaker);
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
  return { ...speaker, shape: 'json', source: null, ...record };
}

function parseBracket(text: string, speaker: Speaker): Spoken {
  const rank = RANK.exec(text);
  const who = rank === null ? speaker : { process: `rank${rank[1]}`, pid: null };
  const rest = rank === null ? text : text.slice(rank[0].length);
  const torch = TORCH.exec(rest);
  if (torch !== null) return said(who, { shape: 'torch', level: torch[1] ?? null, message: torch[2] ?? '' });
  return rank === null ? parseDated(text, speaker) : said(who, { shape: 'plain', level: null, message: rest });
}

/** Docker's, Kubernetes' and SGLang's lines, and loggers with a date. */
function parseDated(text: string, speaker: Speaker): Spoken {
  const dated = DATED.exec(text);
  if (dated === null) return parsePlain(text, speaker);
  const [, day, time, ranks = '', rest = ''] = dated;
  const stamp = `${day} ${time}`;
  const who = ranks === '' ? speaker : { process: ranks.trim(), pid: null };
  const inner = parsePart(rest, who);
  // A container's stamp before a line of a traceback: the line counts, not the stamp.
  if (inner.shape !== 'plain') return { ...inner, stamp: inner.stamp ?? stamp };
  const levelled = LEVELLED.exec(rest);
  if (levelled === null) {
    const isWrapped = /^\d{4}-\d\d-\d\dT/.test(text);
    return { ...inner, shape: isWrapped ? 'plain' : 'dated', stamp };
  }
  const message = (levelled[2] ?? '').replace(SOURCE, '').replace(SOURCE, '');
  return { ...said(who, { shape: 'dated', level: levelled[1] ?? null, message }), stamp };
}

/** VLLM_LOGGING_PREFIX stands straight before the level; a bar may too, when its newline is missing. */
function parsePlain(text: string, speaker: Speaker): Spoken {
  const inside = text.length > 30 ? RECORD_INSIDE.exec(text) : null;
  if (inside !== null && inside.index <= 200) return parseHead(text.slice(inside.index), speaker);
  return said(speaker, { shape: 'plain', level: null, message: text });
}

/** Spelt out, since this is made for every line and spreading is many times slower. */
function said(speaker: Speaker, what: Pick<Spoken, 'shape' | 'level' | 'message'>): Spoken {
  const { process, pid } = speaker;
  const { shape, level, message } = what;
  return { process, pid, shape, level, stamp: null, source: null, message, exception: null };
}
