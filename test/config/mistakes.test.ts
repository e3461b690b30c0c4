import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { nearest } from '../../src/config/nearest.ts';
import { HOST, mistakes, RECIPE, vigilYaml } from './yaml.ts';

const TOKEN = `hf_${'a'.repeat(34)}`;
const NO_SECRET = 'expected no secret in argv (every user of the host sees it in ps); remove it and write';
const AS_MAP = 'write it as a map: - --speculative-config, then - {key: value}';

/** Recipe lines (the first is line 9), and what is said of them behind `vigil.yaml:`. */
const RECIPES: readonly (readonly [string, readonly string[]])[] = [
  [
    'argv: [vllm]\ngpus: two',
    [
      '10:11 recipes.r.gpus: found "two", expected a number of GPUs (1 to 64) or a list of device names as CUDA_VISIBLE_DEVICES takes them; write gpus: 2 or gpus: [0, 1]',
    ],
  ],
  [
    'argv: [vllm]\ngpus: [0, x]',
    [
      '10:15 recipes.r.gpus[1]: found "x", expected a device: its number, or GPU-… or MIG-… with its UUID; see nvidia-smi -L',
    ],
  ],
  [
    `${RECIPE}\nprot: 8000`,
    [
      '11:5 recipes.r.prot: found an unknown key, expected one of kind, argv, environment, prelude, directory, log, gpus, port, target, stop_grace, expect, versions, python, budgets, floor, resume; did you mean port?',
    ],
  ],
  [
    `${RECIPE}\nfloor: {acceptance_length: 0.5, tokens_per_second: fast}`,
    [
      '11:32 recipes.r.floor.acceptance_length: found "0.5", expected a number from 1 on: 1 is a drafter of which nothing is accepted; write 2.0 for example',
      '11:56 recipes.r.floor.tokens_per_second: found "fast", expected a number of tokens a second; write the least that is of use, 60 for example',
    ],
  ],
  [
    'gpus: 1',
    [
      '8:3 recipes.r.argv: found nothing, expected a list of words, the program first; write argv: [vllm, serve, MODEL, …]',
    ],
  ],
  [
    'argv: vllm serve\ngpus: 1',
    [
      '9:11 recipes.r.argv: found "vllm serve", expected a list of words, the program first; write argv: [vllm, serve, MODEL, …]',
    ],
  ],
  [
    'argv: [{a: 1}]\ngpus: 1',
    ['9:12 recipes.r.argv[0]: found a map, expected the program; write its name or path as the first word'],
  ],
  [
    'argv: [vllm, [1, 2]]\ngpus: 1',
    [
      "9:18 recipes.r.argv[1]: found a list, expected a word or a map; write its words as elements of argv, or a JSON list as quoted text: '[1, 2]'",
    ],
  ],
  [
    'argv:\n- vllm\n- --port 8000\ngpus: 1',
    [
      '11:7 recipes.r.argv[1]: found "--port 8000", which would be one word with a space in it, expected one word; write --port and its value as two elements, or quote the whole if it is one word',
    ],
  ],
  [
    'argv:\n- vllm\n- --speculative-config: {a: 1}\ngpus: 1',
    [
      '11:7 recipes.r.argv[1]: found a map with the flag "--speculative-config" as its key, expected a word or a map; write - --speculative-config as one element and its value as the next',
    ],
  ],
  [
    'argv: [vllm, "a\\0b"]\ngpus: 1',
    ['9:18 recipes.r.argv[1]: found a NUL byte, expected text without one; remove \\0'],
  ],
  [
    'argv: [vllm, "\\ud800"]\ngpus: 1',
    [
      '9:18 recipes.r.argv[1]: found half a surrogate pair (\\ud800–\\udfff), expected Unicode text; write the character itself',
    ],
  ],
  [
    'argv: [nohup, vllm]\ngpus: 1',
    [
      "9:12 recipes.r.argv[0]: found nohup, expected a command that stays in the foreground: Vigil detaches it by itself, and could not see a detached one end, or stop it; write the server's own command",
    ],
  ],
  [
    `argv: [vllm, --api-key, ${TOKEN}, --api_key=x, ${TOKEN}, HF_TOKEN=x]\ngpus: 1`,
    [
      `9:18 recipes.r.argv[1]: found --api-key with its value, ${NO_SECRET} VLLM_API_KEY: {secret: VLLM_API_KEY} under environment`,
      `9:68 recipes.r.argv[3]: found --api-key with its value, ${NO_SECRET} VLLM_API_KEY: {secret: VLLM_API_KEY} under environment`,
      `9:81 recipes.r.argv[4]: found what looks like a token, ${NO_SECRET} HF_TOKEN: {secret: HF_TOKEN} under environment`,
      `9:120 recipes.r.argv[5]: found HF_TOKEN with its value, ${NO_SECRET} HF_TOKEN: {secret: HF_TOKEN} under environment`,
    ],
  ],
  [
    "argv: [vllm, --speculative-config, '{method:dflash}']\ngpus: 1",
    [
      `9:40 recipes.r.argv[2]: found "{method:dflash}", expected JSON behind --speculative-config, but its words have lost their double quotes, as a shell takes them away; ${AS_MAP}`,
    ],
  ],
  [
    'argv: [vllm, "--speculative_config={\'a\': 1}"]\ngpus: 1',
    [
      `9:18 recipes.r.argv[1]: found "--speculative_config={'a': 1}", expected JSON behind --speculative-config, but its words are in single quotes, JSON's are double; ${AS_MAP}`,
    ],
  ],
  [
    'argv: [vllm, -sc, \'{"a": 1\']\ngpus: 1',
    [
      `9:23 recipes.r.argv[2]: found "{\\"a\\": 1", expected JSON behind --speculative-config, but it breaks off before its end; ${AS_MAP}`,
    ],
  ],
  [
    `${RECIPE}\nenvironment: {A: {secret: KPRO5_KEY}, HF_TOKEN: ${TOKEN}, 9x: a, VIGIL_RUN: b, C: {secret: SLACK_BOT_TOKEN}, D: [1]}`,
    [
      "11:31 recipes.r.environment.A.secret: found no KPRO5_KEY in Vigil's own environment, expected the secret in the variable KPRO5_KEY; set KPRO5_KEY where Vigil is started",
      "11:53 recipes.r.environment.HF_TOKEN: found what looks like a token, expected a reference; write HF_TOKEN: {secret: HF_TOKEN} and set HF_TOKEN in Vigil's own environment",
      '11:92 recipes.r.environment.9x: found the name "9x", expected the name of an environment variable (letters, digits, _); rename it',
      '11:99 recipes.r.environment.VIGIL_RUN: found the name "VIGIL_RUN", expected another name: VIGIL_RUN marks the processes of a run; remove it',
      `11:125 recipes.r.environment.C.secret: found "SLACK_BOT_TOKEN", expected a variable that Vigil doesn't need itself: its own tokens never go to a host; use a variable of its own for this secret`,
      '11:146 recipes.r.environment.D: found a list, expected text or {secret: NAME}; put the text in quotes',
    ],
  ],
  [
    `${RECIPE}\nlog: x/y\ndirectory: foo\nprelude: export HF_TOKEN=${TOKEN}`,
    [
      '11:10 recipes.r.log: found "x/y", expected the path of a file on the host, absolute or below ~/; write it from / or ~/ on, to the file name',
      '12:16 recipes.r.directory: found "foo", expected an absolute path on the host, or one below ~/; write it from / or ~/ on',
      '13:14 recipes.r.prelude: found what looks like a token, expected shell text without secrets; set the variable under environment as {secret: NAME}: prelude sees it',
    ],
  ],
  [
    'argv: [vllm, --port, 08000, --shutdown-timeout=100]\ngpus: 1\nport: 9000\nstop_grace: 100',
    [
      "11:11 recipes.r.port: found 9000, expected 8000 as argv's --port says; make them equal, or remove port",
      "12:17 recipes.r.stop_grace: found 100, expected at least 115 seconds: argv's --shutdown-timeout (100) + 15; write 115 or more, or leave the key out",
    ],
  ],
  [
    'argv: [vllm, --port, x]\ngpus: 1',
    [
      '9:26 recipes.r.argv[2]: found "x", expected a port from 1 to 65535 behind --port; write the port that clients use',
    ],
  ],
  [
    'argv: [vllm, --uds, a]\ngpus: 1\nport: 8000',
    [
      '9:25 recipes.r.argv[2]: found "a", expected an absolute path behind --uds; write it from / on',
      '11:11 recipes.r.port: found 8000, expected no port beside --uds (the server listens on a socket file); remove port',
    ],
  ],
  [
    'argv: [vllm, -tp, 2, --data_parallel_size=2]\ngpus: 2\nenvironment: {CUDA_VISIBLE_DEVICES: "0,1"}',
    [
      '10:11 recipes.r.gpus: found 2 GPUs, expected at least 4 for --tensor-parallel-size 2 × --data-parallel-size 2; raise gpus to 4, or lower a size in argv',
    ],
  ],
  [
    'argv: [vllm, -tp, 4]\ngpus: 4\nenvironment: {CUDA_VISIBLE_DEVICES: "0,1"}',
    [
      "10:11 recipes.r.gpus: found 4, expected at most the 2 of environment's CUDA_VISIBLE_DEVICES (0,1); list 4 devices there, or lower gpus",
    ],
  ],
  [
    'argv: [docker, run, image]\ngpus: [2, 3]',
    [
      `10:11 recipes.r.gpus: found 2,3, expected device=2,3 in argv: without it the container takes 0 to 1; write --gpus, then '"device=2,3"'`,
    ],
  ],
  [
    'argv: [docker, run, --gpus, all, image]\ngpus: 2',
    [
      '10:11 recipes.r.gpus: found 2, expected a list of devices: the container decides which ones it gets, not Vigil; list those, gpus: [0, 1] for example',
    ],
  ],
  [
    'argv: [vllm, --device-ids, "2,3"]\ngpus: 2',
    [
      '10:11 recipes.r.gpus: found 2, expected a list of devices: "--device-ids" decides which ones it gets, not Vigil; list those, gpus: [0, 1] for example',
    ],
  ],
  [
    'argv: [vllm]\ngpus: [2, 3]\nenvironment: {CUDA_VISIBLE_DEVICES: "0,3"}',
    [
      '10:11 recipes.r.gpus: found 2, expected devices of environment\'s CUDA_VISIBLE_DEVICES (0,3); set it to "2,3", or change gpus',
    ],
  ],
  [
    'argv: [vllm]\ngpus: 1\nenvironment: {CUDA_VISIBLE_DEVICES: "0,0"}',
    [
      '11:41 recipes.r.environment.CUDA_VISIBLE_DEVICES: found "0,0", expected device numbers or UUIDs, each once, with commas between; write CUDA_VISIBLE_DEVICES: "0,1"',
    ],
  ],
];

test.each(RECIPES)('a recipe with %j is told exactly', (recipe, expected) => {
  expect(mistakes(vigilYaml({ recipe }))).toEqual(expected.map((line) => `vigil.yaml:${line}`));
});

/** Host lines (the first is line 4). */
const HOSTS: readonly (readonly [string, readonly string[]])[] = [
  [
    'address: root@x\nuser: -x\nchannel: "#ops"\nport: 99999\nrights: {see: all, launch: [U0A, "@x"], start: y}',
    [
      '4:14 hosts.kpro5.address: found "root@x", expected a host name or an IP address alone; write the user under user and the port under port',
      '5:11 hosts.kpro5.user: found "-x", expected a user name on the host; write user: root',
      '6:14 hosts.kpro5.channel: found "#ops", expected a Slack channel id (C… or G…), names can change; open the channel in Slack, click its name, the id stands at the bottom of "About"',
      '7:11 hosts.kpro5.port: found "99999", expected a port from 1 to 65535; write port: 22',
      '8:19 hosts.kpro5.rights.see: found "all", expected anyone or a list of ids of Slack users and user groups; write [U…, S…], or leave the key out for nobody',
      '8:38 hosts.kpro5.rights.launch[1]: found "@x", expected the id of a Slack user (U… or W…) or user group (S…); copy it in Slack: the profile, ⋮, "Copy member ID", or the group, ⋮, "Copy group ID"',
      '8:45 hosts.kpro5.rights.start: found an unknown key, expected one of see, launch, force, stop, watch; remove it',
    ],
  ],
  [
    'address: -oProxyCommand=x\nuser: root\nchannel: C0A\nkey: "-----BEGIN OPENSSH PRIVATE KEY-----"',
    [
      '4:14 hosts.kpro5.address: found "-oProxyCommand=x", expected a host name or an IP address alone; write the user under user and the port under port',
      '7:10 hosts.kpro5.key: found what looks like a token, expected the path of a file; write the path, never a key itself',
    ],
  ],
  [
    'alias: x\nkeep_runs: 0\nchannel: C0A',
    ['5:16 hosts.kpro5.keep_runs: found "0", expected whole days, 1 to 3650; write keep_runs: 30'],
  ],
  [
    'alias: x\nport: 22\nchannel: C0A',
    [
      '5:11 hosts.kpro5.port: found port beside alias, expected alias or address, user, port, key, known_hosts, jump; remove port here (~/.ssh/config says it), or remove alias',
    ],
  ],
  [
    'channel: C0A',
    [
      '3:3 hosts.kpro5.address: found neither address nor alias, expected address or alias; write address: 192.0.2.172, or alias: with a Host of ~/.ssh/config',
    ],
  ],
  [
    'address: x',
    [
      '3:3 hosts.kpro5.channel: found nothing, expected a Slack channel id (C… or G…), names can change; open the channel in Slack, click its name, the id stands at the bottom of "About"',
      '3:3 hosts.kpro5.user: found nothing, expected a user name on the host; write user: root',
    ],
  ],
];

test.each(HOSTS)('a host with %j is told exactly', (host, expected) => {
  expect(mistakes(vigilYaml({ host }))).toEqual(expected.map((line) => `vigil.yaml:${line}`));
});

test.each([
  ['', ['1:1 found nothing, expected instance, hosts and recipes; copy vigil.example.yaml and change it']],
  ['- a', ['1:1 found a list, expected a map of instance, hosts, recipes, diagnoses; write it as key: value lines']],
  ['a: 1\na: 2', ['2:1 found a key that stands in this map before, expected each key once; remove one of the two']],
  [
    '<<: {a: b}',
    ['1:1 found the merge key <<, expected the keys themselves; write them out, or use an alias for a whole value'],
  ],
  [
    'a: *b',
    [
      '1:4 found the alias *b without an anchor, expected &b before it; write the anchor, or quote the value if it is text',
    ],
  ],
  [
    'a: &a [*a]',
    [
      '1:7 found aliases or nesting that grow without end, expected at most 20000 values, 40 deep; write the values out',
    ],
  ],
  ['a: !x b', ['1:4 found a tag (Unresolved tag: !x), expected none; remove it: vigil.yaml takes values as typed']],
  ['a: 1\n---\nb: 1', ['2:1 found a second document after ---, expected one; put everything into one document']],
  ['a:\n\tb: 1', ['2:1 found a tab as indentation, expected spaces; replace it, two spaces a level']],
  [
    'a: "x',
    [
      '1:6 found what YAML can\'t read (Missing closing "quote), expected YAML 1.2; mend the line, or put the value in quotes',
    ],
  ],
])('the text %j is told exactly', (text, expected) => {
  expect(mistakes(text)).toEqual(expected.map((line) => `vigil.yaml:${line}`));
});

test('every mistake of the file is told at once, in its order', () => {
  const yaml = 'instance: Foo\nhosts:\n  last: {alias: a, channel: C0}\nrecipes:\n  -x: {argv: [v], gpus: 0}\nhost: 1';
  expect(mistakes(yaml).map((line) => line.replace(/: found.*/, ''))).toEqual([
    'vigil.yaml:1:11 instance',
    'vigil.yaml:3:3 hosts.last',
    'vigil.yaml:5:3 recipes.-x',
    'vigil.yaml:5:25 recipes.-x.gpus',
    'vigil.yaml:6:1 host',
  ]);
});

test('a host can not be called like a run of another', () => {
  const yaml = vigilYaml().replace('recipes:', '  kpro5-3: {alias: a, channel: C0A}\nrecipes:');
  expect(mistakes(yaml)).toEqual([
    'vigil.yaml:7:3 hosts.kpro5-3: found the name "kpro5-3", expected a name that no run of kpro5 can have; rename it, for example kpro5.3',
  ]);
});

test('aliases that multiply are refused before they fill the memory', () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) =>
      `a${n}: &a${n} [${Array(10)
        .fill(n === 0 ? 'x' : `*a${n - 1}`)
        .join(', ')}]`,
  );
  expect(mistakes(levels.join('\n'))[0]).toContain('found aliases or nesting that grow without end');
});

test('bytes that are not UTF-8 and a missing file are told', () => {
  expect(mistakes(Uint8Array.of(0x61, 0xff))).toEqual([
    "vigil.yaml: found bytes that aren't UTF-8, expected UTF-8 text; save the file as UTF-8",
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'vigil-config-'));
  const advice = 'expected a readable file; copy vigil.example.yaml there, or set VIGIL_CONFIG to the right path';
  expect(() => loadConfig(join(folder, 'none.yaml'), {})).toThrow(`${folder}/none.yaml: found no such file, ${advice}`);
  expect(() => loadConfig(folder, {})).toThrow(`${folder}: found a folder, ${advice}`);
  rmSync(folder, { recursive: true });
});

test('no mistake ever shows a token, whatever key it stands under', () => {
  const keys = [
    'instance',
    'user',
    'address',
    'key',
    'channel',
    'state_dir',
    'log',
    'gpus',
    'port',
    'stop_grace',
    'argv',
    TOKEN,
  ];
  for (const key of keys) {
    const told = [
      ...mistakes(vigilYaml({ recipe: `${RECIPE.replace(new RegExp(`^${key}:.*`, 'm'), '')}\n${key}: ${TOKEN}` })),
      ...mistakes(vigilYaml({ host: `${HOST.replace(new RegExp(`^${key}:.*`, 'm'), '')}\n${key}: ${TOKEN}` })),
    ];
    expect(told.join('\n')).not.toBe('');
    expect(told.join('\n')).not.toContain(TOKEN);
  }
});

test.each([
  ['gpu', 'gpus'],
  ['prot', 'port'],
  ['enviroment', 'environment'],
  ['Argv', 'argv'],
  ['banana', null],
])('the nearest key of %s is %s', (word, expected) => {
  expect(nearest(word, ['argv', 'environment', 'gpus', 'port'])).toBe(expected);
});
