import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { objectsOf, runExplain } from './run-explain.ts';

const cause = z.looseObject({ category: z.string() }).nullable();
const label = z.looseObject({
  alive: z.boolean(),
  exit_code: z.number().nullable(),
  verdict: z.string(),
  phases: z.array(z.string()),
  phases_alternatives: z.array(z.array(z.string())).default([]),
  cause: z.looseObject({ category: z.string(), category_alternatives: z.array(z.string()).default([]) }).nullable(),
  cause_alternatives: z.array(cause).default([]),
  aux: z.record(z.string(), z.unknown()).default({}),
});
const told = z.looseObject({
  kind: z.string(),
  alive: z.boolean(),
  exit_code: z.number().nullable(),
  evidence: z.enum(['given', 'assumed']),
  verdict: z.string(),
  phases: z.array(z.string()),
  progress: z.looseObject({ phase: z.string(), done: z.number(), total: z.number() }).nullable(),
  cause: z
    .looseObject({
      line: z.number(),
      type: z.string().nullable(),
      process: z.string().nullable(),
      category: z.string(),
      traceback_lines: z.tuple([z.number(), z.number()]).nullable(),
      title: z.string(),
      message: z.string(),
    })
    .nullable(),
  facts: z.record(z.string(), z.unknown()),
  remedy: z.string().nullable(),
});

const corpus = new URL('../corpus/', import.meta.url);
const cases = (['serve', 'train'] as const).flatMap((kind) =>
  readdirSync(new URL(kind, corpus)).map((name) => {
    const folder = fileURLToPath(new URL(`${kind}/${name}/`, corpus));
    return { kind, name, folder, right: label.parse(JSON.parse(readFileSync(`${folder}expected.json`, 'utf8'))) };
  }),
);
type Case = (typeof cases)[number];

describe('the labelled logs as JSON', () => {
  it.each(cases)('$kind/$name is told as labelled', async ({ kind, folder, right }) => {
    const evidence = right.alive
      ? ['--alive']
      : ['--exited', ...(right.exit_code === null ? [] : [`${right.exit_code}`])];
    const beside = Object.keys(right.aux);
    const said = await runExplain(['--json', ...evidence, 'log.txt', ...beside], { folder });
    const [found] = objectsOf(said).map((each) => told.parse(each));
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(found).toMatchObject({ kind, alive: right.alive, exit_code: right.exit_code, evidence: 'given' });
    expect(found?.verdict).toBe(right.verdict);
    expect([right.phases, ...right.phases_alternatives]).toContainEqual(found?.phases);
    expect(categories(right)).toContain(found?.cause?.category ?? null);
    expect(found?.remedy === null).toBe(found?.cause === null);
  });

  it.each(cases)('$kind/$name has the labelled verdict by the log alone', async ({ folder, right }) => {
    const [found] = objectsOf(await runExplain(['--json', 'log.txt'], { folder })).map((each) => told.parse(each));
    expect(found).toMatchObject({ verdict: right.verdict, alive: right.alive, exit_code: null, evidence: 'assumed' });
  });

  it.each(cases)('$kind/$name is told for people without a hitch', async ({ folder }) => {
    const said = await runExplain(['log.txt'], { folder });
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).not.toMatch(/\bundefined(?! symbol)|NaN|\[object|\bnull\b/);
  });
});

function categories({ cause: right, cause_alternatives }: Case['right']): (string | null)[] {
  return [
    right?.category ?? null,
    ...(right?.category_alternatives ?? []),
    ...cause_alternatives.map((each) => each?.category ?? null),
  ];
}

it('takes the server of a pair for the target that explains the training, whichever is named first', async () => {
  const { folder } = cases.find(({ name }) => name === '03-target-never-ready') ?? { folder: '' };
  const read = async (files: string[]) =>
    objectsOf(await runExplain(['--json', '--exited', '1', ...files], { folder })).map((each) => told.parse(each));
  const alone = await read(['log.txt']);
  expect(alone.map((each) => each.cause?.category)).toEqual(['engine_dead']);
  const pair = await read(['log.txt', 'vllm.log']);
  expect(pair.map(({ kind, cause: found, exit_code }) => [kind, found?.category, exit_code])).toEqual([
    ['train', 'gpu_count_mismatch', 1],
    ['serve', 'gpu_count_mismatch', null],
  ]);
  expect(pair.map(({ evidence }) => evidence)).toEqual(['given', 'assumed']);
  expect(await read(['vllm.log', 'log.txt'])).toEqual(pair.toReversed());
});
