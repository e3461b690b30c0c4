/** What is told of a log for people, at a terminal of some 100 columns or in a pipe. */

import type { Cause } from '../diagnosis/cause.ts';
import { clean, clip } from '../report/escape.ts';
import { exceptionText } from '../report/failure.ts';
import { trimTraceback } from '../report/traceback.ts';
import { engineLines } from './engine-lines.ts';
import type { Explained } from './explained.ts';
import { factLines } from './fact-words.ts';
import { phaseLines } from './phase-lines.ts';
import { evidenceWords, progressWords, verdictWords } from './verdict-words.ts';
import { columns, wrap } from './wrap.ts';

/** Of a failure without a cause so many of the log's last lines are shown. */
const LAST_LINES = 10;
const MOST_QUOTED = 2400;
const MOST_RULED_OUT = 12;

export function asText(explained: Explained): string {
  const { judgement, log } = explained;
  const sections = [
    head(explained),
    section('Phases', phaseLines(log)),
    progressLines(judgement),
    judgement.cause === null ? lastLines(explained) : causeLines(judgement.cause),
    section('Facts', factLines(judgement.facts)),
    engineLines(log.reading),
    ruledOutLines(explained),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => clean(lines.join('\n')))
    .join('\n\n')}\n`;
}

function head(explained: Explained): string[] {
  const { file, log, notices } = explained;
  const kind = log.kind === 'train' ? "a training's log" : "a server's log";
  const size = `${bytesWords(log.bytes)}, ${log.lines.toLocaleString('en-US')} ${log.lines === 1 ? 'line' : 'lines'}`;
  const starts =
    log.starts === 1
      ? []
      : wrap(`The file holds ${log.starts} starts; this is the last, from line ${log.startLine} on.`, '');
  const name = file === '-' ? 'standard input' : file;
  return [
    `${name}: ${kind}, ${size}`,
    ...wrap(verdictWords(explained), ''),
    ...wrap(evidenceWords(explained), ''),
    ...starts,
    ...[...notices, ...strange(explained)].flatMap((notice) =>
      wrap(`Note: ${notice}${notice.endsWith('?') ? '' : '.'}`, ''),
    ),
  ];
}

/** What a person who named the wrong file should be told. */
function strange({ log: { bytes, reading } }: Explained): string[] {
  if (bytes === 0) return ['the log is empty'];
  const isKnown = reading.phases.length > 0 || reading.troubles.length > 0 || Object.keys(reading.facts).length > 0;
  return isKnown ? [] : ['no line of it is one of a server or a trainer that is known here; is it their log?'];
}

/** What was counted to its end before the newest phase is no news. */
function progressLines({ progress, phases }: Explained['judgement']): string[] {
  if (progress === null) return [];
  const isOver = progress.done === progress.total && progress.unit === undefined && phases.at(-1) !== progress.phase;
  return isOver ? [] : [`Progress: ${progressWords(progress)}`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function causeLines(cause: Cause): string[] {
  const { traceback } = cause;
  const said =
    traceback === null ? clip(exceptionText(cause, MOST_QUOTED), MOST_QUOTED) : trimTraceback(traceback.text);
  const place = [
    cause.process === null ? null : `process ${cause.process}`,
    `line ${cause.line}`,
    traceback === null ? null : `its traceback on lines ${traceback.first} to ${traceback.last}`,
  ];
  const rows = [
    ['What to do', cause.remedy],
    ['Try again', RETRY[cause.retry]],
    ['Read more', cause.link],
    ['Fingerprint', cause.fingerprint],
  ] as const;
  return [
    ...wrap(`Cause: ${cause.title} (${cause.category})`, ''),
    ...wrap(`${place.filter((part) => part !== null).join(', ')}`, '  '),
    ...(cause.why === '' ? [] : wrap(cause.why, '  ')),
    ...wrap(said, '  | '),
    ...rows.flatMap(([title, text]) => (text === null ? [] : titled(title, text))),
  ];
}

const RETRY: Readonly<Record<Cause['retry'], string>> = {
  no: 'the same again fails the same way',
  'may help': 'the same again may work',
  helps: 'the same again works, most likely',
};

/** `title: text`, the text's further lines under its first. */
function titled(title: string, text: string): string[] {
  const indent = ' '.repeat(15);
  const [first = '', ...rest] = wrap(text, indent);
  return [`  ${`${title}:`.padEnd(13)}${first.slice(indent.length)}`, ...rest];
}

function lastLines({ judgement, log }: Explained): string[] {
  if (judgement.verdict !== 'failed' || log.tail.length === 0) return [];
  const lines = log.tail.slice(-LAST_LINES).map((line) => `  | ${clip(line, 200)}`);
  return ['The log shows no cause. Its last lines:', ...lines];
}

function ruledOutLines({ ruledOut }: Explained): string[] {
  if (ruledOut.length === 0) return [];
  const shown = ruledOut.slice(0, MOST_RULED_OUT).flatMap(({ line, what, why }) => {
    const indent = ' '.repeat(12);
    const [first = '', ...rest] = [...wrap(what, indent), ...wrap(why, indent)];
    return [...columns([[`  line ${line}`.padEnd(10), first.trimStart()]], ''), ...rest];
  });
  const more = ruledOut.length - MOST_RULED_OUT;
  return ['Looks like a cause, and is none', ...shown, ...(more > 0 ? [`  ... and ${more} more`] : [])];
}

function bytesWords(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** power;
  if (bytes === 1) return '1 byte';
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}
