import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDetaching } from '../../src/config/detach.ts';
import { fuzzRuns } from '../support/fuzz-runs.ts';
import { mistakes, recipeOf, vigilYaml } from './yaml.ts';

function argv(lines: string): readonly string[] {
  return recipeOf(`argv:\n${lines}\ngpus: 1`).argv;
}

test('scalars are words as typed, a map is one JSON argument with its numbers as typed', () => {
  const words = argv(
    [
      '- vllm',
      '- 0.90',
      '- 08000',
      '- yes',
      '- ~',
      '- ""',
      "- 'a  b'",
      '- "tab\\there"',
      '- |-',
      '  two',
      '  lines',
      '- {a: 0.90, b: 1e5, c: "1", d: true, e: null, f: yes, g: [1, {h: x}], "i j": 12:30, k: -0}',
    ].join('\n'),
  );
  expect(words).toEqual([
    'vllm',
    '0.90',
    '08000',
    'yes',
    '~',
    '',
    'a  b',
    'tab\there',
    'two\nlines',
    '{"a":0.90,"b":1e5,"c":"1","d":true,"e":null,"f":"yes","g":[1,{"h":"x"}],"i j":"12:30","k":-0}',
  ]);
});

test('anchors and aliases stand for what they name', () => {
  expect(argv('- &program vllm\n- &spec {a: 1}\n- *program\n- *spec')).toEqual(['vllm', '{"a":1}', 'vllm', '{"a":1}']);
});

test.each([
  ['.5', 'write 0.5 for the number, or ".5" for the text'],
  ['-.5', 'write -0.5 for the number, or "-.5" for the text'],
  ['08', 'write 8 for the number, or "08" for the text'],
  ['+1', 'write 1 for the number, or "+1" for the text'],
  ['1.', 'write 1.0 for the number, or "1." for the text'],
  ['1_000', 'write 1000 for the number, or "1_000" for the text'],
  ['0x1F', 'JSON has no such number: write "0x1F" for the text'],
  ['.inf', 'JSON has no such number: write ".inf" for the text'],
  ['True', 'write true for the JSON value, or "True" for the text'],
  ['~', 'write null, or "~" for the text'],
])('in a map %s is refused with what to write', (value, advice) => {
  expect(mistakes(vigilYaml({ recipe: `argv: [vllm, {a: ${value}}]\ngpus: 1` }))).toEqual([
    `vigil.yaml:9:22 recipes.r.argv[1].a: found "${value}", expected a JSON value; ${advice}`,
  ]);
});

test('any list of texts, quoted as YAML, arrives exactly', () => {
  const word = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0') && text !== '&');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const lines = ['vllm', ...words].map((text) => `- ${JSON.stringify(text)}`);
      expect(argv(lines.join('\n'))).toEqual(['vllm', ...words]);
    }),
    { numRuns: fuzzRuns(300) },
  );
});

test('any map of quoted texts arrives as the same JSON', () => {
  const key = fc.string({ maxLength: 10 }).filter((text) => !text.startsWith('-'));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(fc.string(), fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(key, tie('any'), { maxKeys: 3 })),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 4 }), (map) => {
      const [, json] = argv(`- vllm\n- ${JSON.stringify(map)}`);
      expect(JSON.parse(json ?? '')).toEqual(map);
    }),
    { numRuns: fuzzRuns(200) },
  );
});

test('an argument may have 131071 bytes, and no more', () => {
  expect(argv(`- vllm\n- ${'x'.repeat(131_071)}`)[1]).toHaveLength(131_071);
  expect(mistakes(vigilYaml({ recipe: `argv: [vllm, ${'é'.repeat(65_536)}]\ngpus: 1` }))).toEqual([
    'vigil.yaml:9:18 recipes.r.argv[1]: found 131072 bytes, expected at most 131071 (Linux takes no longer argument); put it in a file on the host',
  ]);
});

test.each([
  [['nohup', 'vllm'], 'nohup'],
  [['/usr/bin/setsid', '-w', 'vllm'], 'setsid'],
  [['sudo', '-u', 'root', 'tmux', 'new'], 'tmux'],
  [['sudo', '-b', 'vllm'], 'sudo -b'],
  [['sudo', '-n', 'setsid', 'vllm'], 'setsid'],
  [['env', 'A=b', 'nice', '-n', '5', 'screen', '-dm'], 'screen'],
  [['env', '-S', 'setsid vllm'], 'setsid'],
  [['uv', 'run', '--with', 'x', 'systemd-run', 'y'], 'systemd-run'],
  [['timeout', '5', 'daemonize', 'x'], 'daemonize'],
  [['at', 'now'], 'at'],
  [['batch'], 'batch'],
  [['vllm', 'serve', '&'], '&'],
  [['docker', 'run', '-d', 'image'], 'docker run -d'],
  [['docker', 'run', '--rm', '--gpus', 'all', '-itd', 'image'], 'docker run -itd'],
  [['podman', 'run', '--detach=true', 'image'], 'podman run --detach=true'],
  [['docker', '--context', 'x', 'compose', 'up', '-d'], 'docker up -d'],
  [['docker', 'start', 'server'], 'docker start'],
  [['sh', '-c', 'vllm serve m >log 2>&1 &'], '& in sh -c'],
  [['bash', '-lc', 'source a && exec nohup vllm'], 'nohup in bash -c'],
  [['/bin/bash', '-c', 'if true; then /usr/bin/setsid vllm; fi'], 'setsid in bash -c'],
])('%j detaches', (words, what) => {
  expect(findDetaching(words)?.what).toBe(what);
});

test.each([
  [['vllm', 'serve', 'screen', 'at']],
  [['conda', 'run', '--no-capture-output', '-n', 'batch', 'vllm', 'serve']],
  [['uv', 'run', 'vllm', 'serve']],
  [['torchrun', '--nproc-per-node', '2', 'serve.py']],
  [['docker', 'run', '--rm', '-e', 'd', '-it', 'image', '-d']],
  [['docker', 'run', '--detach=false', 'image']],
  [['docker', 'start', '-a', 'server']],
  [['sh', '-c', 'a && b 2>&1 | tee "x & y" # nohup &\nexec vllm']],
  [['python', '-m', 'vllm.entrypoints.cli.main', 'serve', '?a=1&b=2']],
])('%j stays in the foreground', (words) => {
  expect(findDetaching(words)).toBeNull();
});
