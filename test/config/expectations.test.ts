/** What a recipe expects of the host before a start: what it becomes, and what is said of mistakes in it. */

import { expect, test } from 'vitest';
import { parseJsonPath, showJsonPath } from '../../src/config/json-path.ts';
import { mistakes, RECIPE, recipeOf, vigilYaml } from './yaml.ts';

test('what a recipe expects is kept with its values as JSON, and names as pip has them', () => {
  const lines = [
    'expect:',
    '- {file: /m/config.json, path: dflash_config.target_layer_ids, value: [1, 16]}',
    '- {file: ~/c.json, path: "layer_types[4]", value: full_attention}',
    '- {file: /m/config.json, path: version, value: "5"}',
    '- {file: /m/config.json, path: window, value: {a: null, b: 0.90}}',
    'versions: {vllm: ">=0.22,<0.26", Flash_Attn: none, torch: "==2.9.*"}',
    'python: ~/venv/bin/python',
    'budgets: {loading: 300, kv_cache: 60}',
  ];
  expect(recipeOf(`${RECIPE}\n${lines.join('\n')}`)).toMatchObject({
    expect: [
      { file: '/m/config.json', path: ['dflash_config', 'target_layer_ids'], value: '[1,16]' },
      { file: '~/c.json', path: ['layer_types', 4], value: '"full_attention"' },
      { file: '/m/config.json', path: ['version'], value: '"5"' },
      { file: '/m/config.json', path: ['window'], value: '{"a":null,"b":0.90}' },
    ],
    versions: { vllm: '>=0.22,<0.26', 'flash-attn': 'none', torch: '==2.9.*' },
    python: '~/venv/bin/python',
    budgets: { loading: 300, kv_cache: 60 },
  });
});

test.each([
  ['a', ['a']],
  ['a.b_c.d-e', ['a', 'b_c', 'd-e']],
  ['a[0][12].b', ['a', 0, 12, 'b']],
  ['[3].a', [3, 'a']],
  ['a."b.c"."d\\"[0]"', ['a', 'b.c', 'd"[0]']],
  ['', null],
  ['.a', null],
  ['a.', null],
  ['a..b', null],
  ['a[x]', null],
  ['a.[0]', null],
  ['a b', null],
  ['a"b"', null],
  ['[0]a', null],
  ['a."\\x"', null],
  ['"a', null],
  ['a.'.repeat(40).concat('a'), null],
])('the path %j leads to %j', (text, steps) => {
  expect(parseJsonPath(text)).toEqual(steps);
  if (steps !== null) expect(showJsonPath(steps)).toBe(text);
});

const SYNTAX = 'versions as PEP 440 writes them with commas between, or none; write ">=0.22,<0.26", "==0.20.*" or none';

test.each([
  ['>=0.22,<0.26', null],
  ['~=2.9', null],
  ['!=0.24.0, >= 0.22rc1', null],
  ['==2.9.0+cu128', null],
  ['none', null],
  ['', SYNTAX],
  ['latest', SYNTAX],
  ['>=0.22;<1', SYNTAX],
  ['===0.22', SYNTAX],
  ['>=0.22,', SYNTAX],
  ['0.20.1', 'an operator before it; write "==0.20.1", or ">=0.20.1"'],
  ['>=0.20.*', '.* behind == or != only; write ">=0.20"'],
  ['<2.9+cu128', '+… behind == or != only; write "<2.9"'],
  ['~=2', 'two numbers or more behind ~=; write "~=2.0"'],
  [Array(11).fill('!=1').join(','), 'at most 10 clauses; leave some out'],
])('of the versions %j is said: %j', (text, expected) => {
  const found = text === '' ? 'nothing' : JSON.stringify(text);
  const line = `vigil.yaml:11:22 recipes.r.versions.vllm: found ${found}, expected ${expected}`;
  const told = mistakes(vigilYaml({ recipe: `${RECIPE}\nversions: {vllm: ${JSON.stringify(text)}}` }));
  expect(told).toEqual(expected === null ? [] : [line]);
});

/** Recipe lines behind the two of RECIPE (the first is line 11), and what is said of them behind `vigil.yaml:`. */
const LINES: readonly (readonly [string, readonly string[]])[] = [
  [
    'expect: {file: /a}',
    [
      '11:13 recipes.r.expect: found a map, expected a list of values that files on the host must hold, at most 100; write - file: …, path: … and value: …, or leave the key out',
    ],
  ],
  [
    'expect: []',
    [
      '11:13 recipes.r.expect: found an empty list, expected a list of values that files on the host must hold, at most 100; write - file: …, path: … and value: …, or leave the key out',
    ],
  ],
  [
    `expect: [${Array(101).fill('{file: /a, path: a, value: 1}').join(', ')}]`,
    ['11:13 recipes.r.expect: found 101 values, expected at most 100; a list or a map as value stands for several'],
  ],
  [
    'expect: [{file: config.json, path: "a..b", value: 1}, {file: /a, path: "a..b", value: 08, vale: 1}, x]',
    [
      '11:21 recipes.r.expect[0].file: found "config.json", expected the path of a file on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
      '11:76 recipes.r.expect[1].path: found "a..b", expected keys with dots between them and indexes in brackets; write dflash_config.target_layer_ids or "layer_types[4]"; a key with a dot in it stands in quotes',
      '11:91 recipes.r.expect[1].value: found "08", expected a JSON value; write 8 for the number, or "08" for the text',
      '11:95 recipes.r.expect[1].vale: found an unknown key, expected one of file, path, value; did you mean value?',
      '11:105 recipes.r.expect[2]: found "x", expected a map of file, path, value; write it as key: value lines',
    ],
  ],
  [
    `expect: [{file: /a, path: a}, {file: /a, path: b, value: hf_${'a'.repeat(34)}}]`,
    [
      '11:14 recipes.r.expect[0].value: found nothing, expected the value that must stand there; write value: [1, 16, 31], value: 2048 or value: null',
      '11:62 recipes.r.expect[1].value: found what looks like a token, expected a value without secrets; remove it',
    ],
  ],
  [
    'versions: {torch: [2.9]}',
    ['11:23 recipes.r.versions.torch: found a list, expected versions as text; write them in quotes, ">=0.22,<0.26"'],
  ],
  [
    'versions: {"vllm[audio]": ==1, flash-attn: none, Flash_Attn: ==2.8.3}',
    [
      '11:16 recipes.r.versions."vllm[audio]": found the name "vllm[audio]", expected the name of a Python package; write it as pip does, vllm or flash-attn',
      '11:54 recipes.r.versions.Flash_Attn: found Flash_Attn twice, expected each package once (- and _ and upper and lower case are the same); remove one of the two',
    ],
  ],
  [
    'python: venv/bin/python\nbudgets: {loading: 0, capturign: 5, launched: 5}',
    [
      '11:13 recipes.r.python: found "venv/bin/python", expected the path of a Python on the host, absolute or below ~/; write the one that runs it, /opt/venv/bin/python for example',
      '12:24 recipes.r.budgets.loading: found "0", expected whole seconds, 1 to 86400; write the longest silence that is usual in this phase, 300 for example',
      '12:27 recipes.r.budgets.capturign: found an unknown key, expected one of configuring, connecting, downloading, loading, compiling, kv_cache, capturing, verifying, ready, target_starting, preparing, training, checkpointing; did you mean capturing?',
      '12:41 recipes.r.budgets.launched: found an unknown key, expected one of configuring, connecting, downloading, loading, compiling, kv_cache, capturing, verifying, ready, target_starting, preparing, training, checkpointing; remove it',
    ],
  ],
];

test.each(LINES)('a recipe with %j is told exactly', (lines, expected) => {
  const told = mistakes(vigilYaml({ recipe: `${RECIPE}\n${lines}` }));
  expect(told).toEqual(expected.map((line) => `vigil.yaml:${line}`));
});
