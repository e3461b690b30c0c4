/** The text that Prometheus reads, as prometheus_client writes it (exposition format 0.0.4, and OpenMetrics): samples with their labels. */

export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A server with many handlers and histograms writes some thousand lines. */
const MOST_LINES = 50_000;
/** A label of a model's name may be a long path. */
const MOST_LENGTH = 4_096;
const MOST_LABELS = 24;

/**
 * Samples whose name `wants` takes, in the text's order; what is no sample is passed over. A last line without an end may have been cut in a number, and
 * doesn't count.
 */
export function readMetrics(text: string, wants: (name: string) => boolean): readonly MetricSample[] {
  return wholeLines(text).flatMap((line) => {
    const nameEnd = line.startsWith('#') ? -1 : line.search(/[^\w:]/);
    if (nameEnd <= 0 || line.length > MOST_LENGTH) return [];
    const name = line.slice(0, nameEnd);
    if (!wants(name)) return [];
    const { labels, end } = line[nameEnd] === '{' ? readLabels(line, nameEnd + 1) : { labels: {}, end: nameEnd };
    if (labels === null) return [];
    const value = numberOf(line.slice(end).trim().split(/\s/, 1)[0] ?? '');
    return value === null ? [] : [{ name, labels, value }];
  });
}

/** Names that the text describes, also those without a sample yet. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(
    wholeLines(text).flatMap((line) => {
      const [, name] = /^# TYPE ([\w:]{1,200}) /.exec(line) ?? [];
      return name === undefined ? [] : [name];
    }),
  );
}

function wholeLines(text: string): readonly string[] {
  const lines = text.split('\n', MOST_LINES);
  return text.endsWith('\n') || lines.length === MOST_LINES ? lines : lines.slice(0, -1);
}

/** From behind the bracket on; `labels` null where it never closes, or what stands in it are none. */
function readLabels(
  line: string,
  start: number,
): { readonly labels: Record<string, string> | null; readonly end: number } {
  const found = new Map<string, string>();
  let at = start;
  while (found.size <= MOST_LABELS) {
    while (line[at] === ',' || line[at] === ' ') at += 1;
    if (line[at] === '}') return { labels: Object.fromEntries(found), end: at + 1 };
    const equals = line.indexOf('="', at);
    if (equals === -1) break;
    const key = line.slice(at, equals).trim();
    const { value, end } = readValue(line, equals + 2);
    if (value === null) break;
    found.set(key, value);
    at = end;
  }
  return { labels: null, end: at };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' };

/** Up to the closing quote; `\n`, `\"` and `\\` stand for what they name. */
function readValue(line: string, start: number): { readonly value: string | null; readonly end: number } {
  const pieces: string[] = [];
  for (let at = start; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (letter === '"') return { value: pieces.join(''), end: at + 1 };
    const next = line[at + 1] ?? '';
    if (letter === '\\' && Object.hasOwn(ESCAPES, next)) {
      pieces.push(ESCAPES[next] ?? '');
      at += 1;
    } else pieces.push(letter);
  }
  return { value: null, end: line.length };
}

/** null for what is no number: NaN too, which says nothing. */
function numberOf(text: string): number | null {
  if (/^[+-]?Inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = /^[-+\d.eE]{1,40}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(value) ? null : value;
}
