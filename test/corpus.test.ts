import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CATEGORIES } from '../src/categories.ts';
import { type Evidence, type Judgement, judge } from '../src/diagnosis/judge.ts';
import type { LogKind } from '../src/log/events.ts';
import { openLogReader } from '../src/log/reader.ts';
import { addEvent, emptyReading } from '../src/log/reading.ts';

const cause = z.looseObject({
  line: z.number().optional(),
  line_alternatives: z.array(z.number()).optional(),
  type: z.string().nullable().optional(),
  process: z.string().nullable().optional(),
  category: z.enum(CATEGORIES).optional(),
  category_alternatives: z.array(z.enum(CATEGORIES)).optional(),
  category_from_log_alone: z.enum(CATEGORIES).optional(),
  traceback_lines: z.tuple([z.number(), z.number()]).nullable().optional(),
});
const progress = z
  .object({ phase: z.string(), done: z.number(), total: z.number().nullable(), unit: z.string().optional() })
  .nullable();
const aux = z.object({ kind: z.enum(['serve', 'train']), verdict: z.string(), cause: cause.nullable() });
const label = z.looseObject({
  alive: z.boolean(),
  exit_code: z.number().nullable(),
  verdict: z.string(),
  phases: z.array(z.string()),
  phases_alternatives: z.array(z.array(z.string())).optional(),
  progress,
  progress_alternatives: z.array(progress).optional(),
  cause: cause.nullable(),
  cause_alternatives: z.array(cause.nullable()).optional(),
  misleading_lines: z.array(z.number()),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])),
  aux: z.record(z.string(), aux).optional(),
});
type Label = z.infer<typeof label>;

/** Cases that this reader doesn't read exactly yet: a case that becomes exact must leave the list. */
const notYet: readonly string[] = [];

/** The labelled logs that were given, and those that were made since, each after a public report or a source. */
const FOLDERS = [
  ['serve', './corpus/serve/'],
  ['train', './corpus/train/'],
  ['serve', './corpus/own/serve/'],
  ['train', './corpus/own/train/'],
] as const;

describe.each(FOLDERS)('a labelled %s log of %s', (kind, path) => {
  const folder = new URL(path, import.meta.url);
  const cases = readdirSync(folder).sort();
  for (const name of cases) {
    const test = notYet.includes(name) ? it.fails : it;
    test(`${name} is read as labelled`, () => {
      const read = (file: string) => readFileSync(new URL(`${name}/${file}`, folder));
      const expected = label.parse(JSON.parse(read('expected.json').toString('utf8')));
      const beside = Object.entries(expected.aux ?? {}).map(([file, right]) => {
        // Its own exit code is not labelled.
        const found = judgeLog(read(file), { kind: right.kind, alive: expected.alive, exitCode: null });
        return { found, wrong: auxDifferences(file, found, right) };
      });
      const target = beside.find(({ found }) => found.cause !== null)?.found.cause ?? null;
      const evidence = { kind, alive: expected.alive, exitCode: expected.exit_code, target };
      const found = judgeLog(read('log.txt'), evidence);
      expect([...beside.flatMap(({ wrong }) => wrong), ...differences(found, expected)]).toEqual([]);
    });
  }
});

it('names only cases that there are among those not read exactly yet', () => {
  const known = FOLDERS.flatMap(([, path]) => readdirSync(new URL(path, import.meta.url)));
  expect(notYet.filter((name) => !known.includes(name))).toEqual([]);
});

function judgeLog(bytes: Uint8Array, { kind, ...evidence }: Evidence & { kind: LogKind }): Judgement {
  const reader = openLogReader({ kind, secrets: [], resume: null });
  const events = [...reader.feed(bytes).events, ...reader.end().events];
  return judge(events.reduce(addEvent, emptyReading(kind)), evidence);
}

function auxDifferences(file: string, found: Judgement, right: z.infer<typeof aux>): string[] {
  const wrong = right.verdict === found.verdict ? [] : [`verdict: ${found.verdict}, not ${right.verdict}`];
  return [...wrong, ...causeDifferences(found, right.cause)].map((each) => `${file}: ${each}`);
}

function differences(found: Judgement, expected: Label): string[] {
  const wrong: string[] = [];
  const compare = (field: string, value: unknown, right: readonly unknown[]) => {
    if (!right.some((each) => same(each, value)))
      wrong.push(`${field}: ${JSON.stringify(value)}, not ${JSON.stringify(right)}`);
  };
  compare('verdict', found.verdict, [expected.verdict]);
  compare('phases', found.phases, [expected.phases, ...(expected.phases_alternatives ?? [])]);
  compare('progress', found.progress, [expected.progress, ...(expected.progress_alternatives ?? [])]);
  for (const [key, value] of Object.entries(expected.facts)) compare(`facts.${key}`, found.facts[key], [value]);
  const causes = [expected.cause, ...(expected.cause_alternatives ?? [])].map((right) =>
    causeDifferences(found, right),
  );
  if (!causes.some((each) => each.length === 0)) wrong.push(...(causes[0] ?? []));
  if (found.cause !== null && expected.misleading_lines.includes(found.cause.line))
    wrong.push(`cause.line ${found.cause.line} is misleading`);
  return wrong;
}

function causeDifferences({ cause: found }: Judgement, right: Label['cause']): string[] {
  if (found === null || right === null)
    return found === right ? [] : [`cause: ${found?.line ?? null}, not ${right?.line ?? null}`];
  const span = found.traceback === null ? null : [found.traceback.first, found.traceback.last];
  const wanted: [string, unknown, readonly unknown[]][] = [
    ['line', found.line, [right.line, ...(right.line_alternatives ?? [])]],
    ['type', found.type, [right.type]],
    ['process', found.process, [right.process]],
    [
      'category',
      found.category,
      [right.category, ...(right.category_alternatives ?? []), right.category_from_log_alone],
    ],
    ['traceback_lines', span, [right.traceback_lines]],
  ];
  return wanted
    .filter(([field, value, values]) => field in right && !values.some((each) => same(each, value)))
    .map(([field, value, values]) => `cause.${field}: ${JSON.stringify(value)}, not ${JSON.stringify(values)}`);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
