/** `npm run docs:diagnoses`: writes docs/diagnoses.md from the catalog. A test compares the two. */

import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CATEGORIES, type Category } from '../src/categories.ts';
import { CATALOG, FOLLOW_UPS } from '../src/diagnosis/catalog.ts';
import type { Retry } from '../src/diagnosis/cause.ts';
import { type DiagnosisRow, fits } from '../src/diagnosis/row.ts';
import type { Trouble } from '../src/log/events.ts';

const HEAD = `# Diagnoses

What Vigil says of a failure: ${CATALOG.length} failures and ${FOLLOW_UPS.length} lines that only follow from one. This page is made from the catalog (\`src/diagnosis/rows/\`) by
\`npm run docs:diagnoses\`; the numbers in "what to do" are those of the first line shown.

- **The cause is the first real failure**: the first trouble of the log that no other one hides. Any failure of its own hides what only points at
  one and what others print when it happened; some rows hide others by name. Within a chain of exceptions the most telling one counts.
- **The first row that fits** gives the words; rows that know more stand before broad ones, so the order here is not theirs.
- **Your team's own rows** (\`diagnoses\` in \`vigil.yaml\`, see [configuration.md](configuration.md)) come before all of these.
- Each failure has a fingerprint: 12 hex digits that are the same for the same failure on another host, of another pid, path, rank, number or time.
`;

/** The whole page. */
export function renderDiagnoses(): string {
  const sections = CATEGORIES.flatMap((category) => renderCategory(category));
  const followUps = FOLLOW_UPS.map(renderRow);
  return [HEAD, ...sections, '## What follows from a failure\n', ...followUps].join('\n');
}

function renderCategory(category: Category): readonly string[] {
  const rows = CATALOG.filter((row) => row.category === category);
  const moved = CATALOG.filter((row) => row.category !== category && row.onceReady?.category === category);
  if (rows.length + moved.length === 0) return [];
  const also =
    moved.length === 0
      ? []
      : [`Also, in a server that was ready: ${moved.map(({ id }) => `[\`${id}\`](#${id})`).join(', ')}.\n`];
  return [`## ${category}\n`, ...also, ...rows.map(renderRow)];
}

function renderRow(row: DiagnosisRow): string {
  const { id, title, why, samples, only, retry, hides, link } = row;
  const lines = [
    `### ${id}`,
    '',
    `**${title}.** ${why}`,
    '',
    ...(only === undefined ? [] : [`- Only in ${only === 'train' ? 'trainings' : 'servers'}.`]),
    ...samples.map((sample) => `- Seen as ${code(sample)}`),
    `- What to do: ${remedyOf(row)}`,
    `- ${AGAIN[retry]}`,
    ...(hides === undefined ? [] : [`- Hides ${hides.map((each) => `[\`${each}\`](#${each})`).join(', ')}.`]),
    ...(link === null ? [] : [`- More: <${link}>`]),
    '',
  ];
  return lines.join('\n');
}

const AGAIN: Readonly<Record<Retry, string>> = {
  no: 'The same launch fails again until that is changed.',
  'may help': 'A second try may help.',
  helps: 'A second try usually helps.',
};

/** As people get it for the first sample. */
function remedyOf(row: DiagnosisRow): string {
  const [sample] = row.samples;
  const [, type = null, message = sample] = /^((?:\w+\.)*_?[A-Z]\w*): (.*)$/s.exec(sample) ?? [];
  const traceback = { first: 1, last: 2, text: [row.frame ?? '', sample] };
  const trouble: Trouble = { line: 2, type, process: null, pid: null, message, traceback };
  return row.remedy(fits(row, trouble, row.only ?? 'serve') ?? {}, {});
}

/** One line of code, with a fence that its text doesn't hold. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const shown = line.length <= 160 ? line : `${line.slice(0, 159)}…`;
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(new URL('../docs/diagnoses.md', import.meta.url), renderDiagnoses());
