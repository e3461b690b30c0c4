/** Train recipes: what they become, and what is said of mistakes in them. */

import { expect, test } from 'vitest';
import { mistakes, RECIPE, recipeOf, TRAINING, vigilYaml } from './yaml.ts';

test('a training gets its defaults, and an environment in which its log can be read', () => {
  expect(recipeOf(TRAINING)).toEqual({
    kind: 'train',
    name: 'r',
    argv: ['bash', 'train.sh'],
    environment: { COLUMNS: '1000', PYTHONUNBUFFERED: '1' },
    secrets: [],
    prelude: null,
    directory: null,
    log: null,
    gpus: 4,
    address: null,
    targetLog: null,
    stopGrace: 120,
    expect: [],
    versions: {},
    python: null,
    budgets: {},
    resume: false,
  });
});

test('a training takes what is given: its target server on loopback, its own variables before ours', () => {
  const lines =
    'log: /run.log\ntarget: {log: ~/vllm.log, port: 8001}\nstop_grace: 5\nresume: true\nenvironment: {COLUMNS: 200, A: b}';
  expect(recipeOf(`${TRAINING}\n${lines}`)).toMatchObject({
    environment: { COLUMNS: '200', PYTHONUNBUFFERED: '1', A: 'b' },
    address: { kind: 'tcp', host: '127.0.0.1', port: 8001 },
    targetLog: '~/vllm.log',
    stopGrace: 5,
    resume: true,
  });
});

test("a training's flags are its script's own: no size, port or time-out is read from them", () => {
  const argv = '[bash, t.sh, -tp, 8, --port, x, --uds, y, --shutdown-timeout, 600]';
  expect(recipeOf(`kind: train\nargv: ${argv}\ngpus: 2`)).toMatchObject({
    gpus: 2,
    address: null,
    stopGrace: 120,
  });
});

const AS_MAP = 'write it as a map: - --speculative-config, then - {key: value}';

/** Recipe lines (the first is line 9), and what is said of them behind `vigil.yaml:`. */
const RECIPES: readonly (readonly [string, readonly string[]])[] = [
  [
    `${RECIPE}\nkind: training\ntarget: {port: 1}`,
    [
      '11:11 recipes.r.kind: found "training", expected serve or train; write kind: train for a training, or leave the key out',
    ],
  ],
  [
    `${RECIPE}\ntarget: {port: 8000}`,
    [
      '11:5 recipes.r.target: found target in a serve recipe, expected it beside kind: train: it is the server that a training asks for hidden states; write kind: train, or remove it (port and log are keys of the recipe itself)',
    ],
  ],
  [
    `${RECIPE}\nresume: true`,
    [
      '11:5 recipes.r.resume: found resume in a serve recipe, expected it beside kind: train: it lets a training go on from the checkpoints of its save path; remove it',
    ],
  ],
  [
    `${TRAINING}\nresume: yes`,
    [
      '12:13 recipes.r.resume: found "yes", expected true or false; write resume: true, or leave the key out for a training from the start',
    ],
  ],
  [
    `${TRAINING}\nport: 8000`,
    [
      "12:5 recipes.r.port: found port beside kind: train, expected no port of its own: a training listens nowhere; write the target server's as target: {port: …}, or remove it",
    ],
  ],
  [
    `${TRAINING}\nlog: /logs/run.log\ntarget: {log: /logs//run.log}`,
    [
      '13:19 recipes.r.target.log: found "/logs//run.log", expected another file than log: the training\'s and the target server\'s are read apart; write the log that the server alone writes, or leave the key out where both share one',
    ],
  ],
  [
    `${TRAINING}\ntarget: {log: vllm.log, port: 0, model: m}`,
    [
      '12:19 recipes.r.target.log: found "vllm.log", expected the path of a file on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
      '12:35 recipes.r.target.port: found "0", expected a port from 1 to 65535; write the target server\'s, or leave the key out',
      '12:38 recipes.r.target.model: found an unknown key, expected one of log, port; remove it',
    ],
  ],
  [
    `${TRAINING}\ntarget: vllm.log`,
    ['12:13 recipes.r.target: found "vllm.log", expected a map of log, port; write it as key: value lines'],
  ],
  [
    "kind: train\nargv: [nohup, bash, t.sh, --speculative-config, '{method:dflash}']\ngpus: [4, 5]",
    [
      "10:12 recipes.r.argv[0]: found nohup, expected a command that stays in the foreground: Vigil detaches it by itself, and could not see a detached one end, or stop it; write the training's own command",
      `10:53 recipes.r.argv[4]: found "{method:dflash}", expected JSON behind --speculative-config, but its words have lost their double quotes, as a shell takes them away; ${AS_MAP}`,
    ],
  ],
];

test.each(RECIPES)('a recipe with %j is told exactly', (recipe, expected) => {
  expect(mistakes(vigilYaml({ recipe }))).toEqual(expected.map((line) => `vigil.yaml:${line}`));
});
