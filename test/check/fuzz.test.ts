import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeAll } from '../../src/check/judge.ts';
import { drafting, gpuUse, serving } from '../../src/check/samples.ts';
import type { PreflightFacts } from '../../src/host/preflight.ts';

const word = fc.string({ unit: 'binary', maxLength: 40 });
const number = fc.oneof(fc.nat(), fc.constantFrom(0, -1, 2 ** 52));
const nullable = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const told = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: 6, arbitrary: arbitrary.map((value) => ({ kind: 'told', value })) },
    { weight: 1, arbitrary: word.map((why) => ({ kind: 'silent', why })) },
  );
const map = <Value>(keys: readonly string[], arbitrary: fc.Arbitrary<Value>) =>
  fc.array(fc.tuple(fc.constantFrom(...keys), arbitrary), { maxLength: 4 }).map((pairs) => new Map(pairs));

/** Keys that checks read, with values of any kind. */
const config = fc.oneof(
  word,
  fc
    .dictionary(
      fc.constantFrom(
        'dflash_config',
        'transformer_layer_config',
        'text_config',
        'target_layer_ids',
        'aux_hidden_state_layer_ids',
        'speculators_model_type',
        'layer_types',
        'hidden_size',
        'num_hidden_layers',
        'num_attention_heads',
        'max_position_embeddings',
        'rope_scaling',
        'block_size',
        '__proto__',
      ),
      fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ target_layer_ids: [1, 2], hidden_size: 8 })),
    )
    .map((value) => JSON.stringify(value)),
);

const weight = fc.record({
  name: fc.constantFrom('model-1.safetensors', 'model.bin', 'x'),
  size: nullable(number),
  first: fc.oneof(word, fc.constant('version https://git-lfs'), fc.constant('12345678{')),
  headerLength: nullable(number),
  header: fc.oneof(word, fc.constant('{"fc.weight":{"dtype":"F8","shape":[1,9],"data_offsets":[0,99]}}')),
});
const partial = fc.array(fc.record({ name: word, size: number, age: number }), { maxLength: 2 });
const model = fc.oneof(
  fc.record({ kind: fc.constantFrom('missing', 'unreadable', 'file') }),
  fc.record({
    kind: fc.constant('model'),
    path: word,
    weights: fc.array(weight, { maxLength: 3 }),
    index: fc.oneof(fc.constant(null), fc.constant('broken'), fc.array(fc.constantFrom('model-1.safetensors', 'y'))),
    config: nullable(config),
    partial,
    names: fc.array(word, { maxLength: 3 }),
  }),
);
const party = { user: nullable(word), since: nullable(number), run: nullable(word) };
const gpu = fc
  .record({
    totalMib: nullable(number),
    usedMib: nullable(number),
    freeMib: nullable(number),
    isMig: fc.boolean(),
    processes: fc.array(fc.record({ pid: number, command: word, usedMib: nullable(number), ...party }), {
      maxLength: 3,
    }),
  })
  .map((changes) => gpuUse(0, changes));
const room = fc.record({ path: word, mount: word, free: number, total: number, isWritable: fc.boolean() });

const PATHS = ['/models/target', '/models/drafter', 'org/model', '/dev/shm', '~/.cache/vllm', '/f.json'];

const facts = fc.record({
  now: number,
  outlook: told(
    fc.record({
      program: nullable(word),
      path: word,
      directory: word,
      log: word,
      olderLog: nullable(number),
      obstacles: fc.array(word, { maxLength: 2 }),
      warnings: fc.array(word, { maxLength: 2 }),
    }),
  ),
  listener: told(
    fc.oneof(
      fc.constantFrom(null, { kind: 'closed' }, { kind: 'unknown' }),
      fc.record({ kind: fc.constant('known'), pid: number, command: word, ...party }),
    ),
  ),
  gpus: told(nullable(fc.array(gpu, { maxLength: 2 }))),
  driver: told(
    nullable(
      fc.record({
        version: word,
        cuda: nullable(word),
        capabilities: fc.array(fc.tuple(word, word), { maxLength: 2 }).map((pairs) => new Map(pairs)),
      }),
    ),
  ),
  packages: told(
    fc.record({
      python: nullable(word),
      why: nullable(word),
      folders: fc.constant([]),
      distributions: fc.array(
        fc.record({
          name: fc.constantFrom('vllm', 'torch', 'flash-attn-4', 'flash-attn', 'nvidia-cuda-runtime'),
          version: fc.oneof(word, fc.constantFrom('0.20.1', '2.9+cu130', '0.19.dev1')),
          folder: word,
        }),
        { maxLength: 4 },
      ),
      flashAttn: nullable(fc.array(word, { maxLength: 3 })),
    }),
  ),
  files: told(
    map(
      PATHS,
      fc.oneof(
        fc.record({ kind: fc.constantFrom('missing', 'unreadable', 'folder') }),
        fc.record({ kind: fc.constant('file'), path: word, size: number, text: nullable(config) }),
      ),
    ),
  ),
  models: told(map(PATHS, model)),
  hub: told(
    map(
      PATHS,
      fc.record({
        cache: word,
        snapshot: nullable(model),
        partial,
        token: fc.constantFrom(null, 'file', 'environment'),
      }),
    ),
  ),
  saves: told(fc.constant(new Map())),
  room: told(map(PATHS, room)),
  leftovers: told(fc.array(fc.record({ pid: number, command: word, ...party }), { maxLength: 3 })),
});

const EXPECT = [{ file: '/f.json', path: ['layer_types', 1], value: '1' }];
const SUBJECTS = [
  serving(['/models/target', '-tp', '2', '--max-model-len', '9', ...drafting()], { recipe: { expect: EXPECT } }),
  serving(['org/model', '-dp', '2', '--max-num-batched-tokens', '1', ...drafting({ model: 'org/model' })]),
  serving(['--speculative-config', '{'], { recipe: { versions: { vllm: '>=1', torch: 'none', x: '??' } } }),
  serving(['/models/target'], { recipe: { argv: ['docker'], prelude: '. /v/bin/activate' }, devices: null }),
];

it('never throws, whatever a host says, and says something of everything that it tells', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SUBJECTS), facts, (subject, damaged) => {
      for (const { found, needed, advice } of judgeAll(damaged as unknown as PreflightFacts, subject)) {
        expect(`${found}${needed}${advice}`).not.toMatch(/undefined|NaN|\[object|failed by itself/);
        expect(found.length).toBeLessThanOrEqual(600);
      }
    }),
    { numRuns: 400 },
  );
});
