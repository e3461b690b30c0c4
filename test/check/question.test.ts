import { expect, it } from 'vitest';
import { activatedBy } from '../../src/check/activated.ts';
import { questionFor } from '../../src/check/question.ts';
import { readSubject } from '../../src/check/read-subject.ts';
import { drafting, serving } from '../../src/check/samples.ts';
import type { Subject } from '../../src/check/subject.ts';
import type { LaunchSpec } from '../../src/host/launch.ts';

function launchOf({ recipe }: Subject): LaunchSpec {
  const { argv, environment, prelude, directory, log } = recipe;
  const folder = { path: '~/.vigil/runs/vigil/kpro5/r', run: 'r' };
  return { ...folder, argv, environment, prelude, directory, log, aside: [], request: '' };
}

function ask(subject: Subject) {
  const { launch, ...question } = questionFor(subject, { launch: launchOf(subject), address: subject.address });
  expect(launch).toEqual(launchOf(subject));
  return question;
}

it('asks for what the checks compare, once each', () => {
  const config = '/models/drafter/config.json';
  const expect_ = [
    { file: config, path: ['block_size'], value: '16' },
    { file: config, path: ['sliding_window'], value: '2048' },
  ];
  const recipe = {
    expect: expect_,
    prelude: 'source /opt/venv/bin/activate',
    environment: { VLLM_CACHE_ROOT: '/fast' },
  };
  expect(ask(serving(['/models/target', ...drafting()], { recipe }))).toEqual({
    address: { kind: 'tcp', host: '127.0.0.1', port: 8000 },
    files: [config],
    models: ['/models/target', '/models/drafter'],
    hub: [],
    saves: [],
    room: ['/root', '/fast', '/dev/shm'],
    python: null,
    environments: ['/opt/venv'],
  });
});

it('asks for a model of the hub in the cache, and as a folder that would win', () => {
  const subject = serving(['org/model', '--revision', 'v1'], {
    recipe: { log: null, environment: { HF_HOME: '/hf' } },
  });
  expect(ask(subject)).toMatchObject({
    models: ['org/model'],
    hub: [{ id: 'org/model', revision: 'v1' }],
    room: ['~/.vigil/runs/vigil/kpro5/r', '~/.cache/vllm', '/hf/hub', '/dev/shm'],
  });
});

it.each([
  ['export HF_HOME=$HOME/hf', '~/hf/hub', { HF_HOME: '~/hf' }],
  ['HF_HOME=/elsewhere', '~/.cache/huggingface/hub', {}],
])('looks into the cache that the prelude %j names', (prelude, path, environment) => {
  const { recipe } = serving(['org/model'], { recipe: { prelude } });
  const subject = readSubject({ host: 'kpro5', recipe, devices: null, scripts: new Map() });
  const question = questionFor(subject, { launch: launchOf(subject), address: null });
  expect(question.room).toContain(path);
  expect(question.launch.environment).toEqual(environment);
});

it.each([
  ['source /opt/venv/bin/activate', ['/opt/venv']],
  ['. ~/venv/bin/activate\nexport A=1', ['~/venv']],
  ['set -e; source "/opt/my venv/bin/activate" && ulimit -n 65536', ['/opt/my venv']],
  ["cd /x\n  source '/a/bin/activate'\nsource /b/bin/activate # the second", ['/a', '/b']],
  ['source /opt/conda/bin/activate vllm', ['/opt/conda/envs/vllm']],
  ['source ~/conda/bin/activate /data/envs/a && cd /w', ['/data/envs/a']],
  ['. /opt/conda/bin/activate base', ['/opt/conda']],
  ['source $VENV/bin/activate', []],
  ['echo source /opt/venv/bin/activate', []],
  ['conda activate vllm', []],
  [null, []],
])('reads the environments of the prelude %j', (prelude, expected) => {
  expect(activatedBy(prelude)).toEqual(expected);
});

it.each([
  [['vllm', 'serve', '/m/a'], 1, []],
  [
    ['vllm', 'serve', '--config', '/m/a.yaml'],
    1,
    ['Flags that stand in `/m/a.yaml` are not read: no check sees them.'],
  ],
  [
    ['docker', 'run', 'vllm/vllm-openai', '--model', 'x'],
    0,
    ['The command runs behind `docker`, where no check looks: only program, log, port and disk are checked.'],
  ],
  [['./serve.sh'], 0, ['No `vllm serve` was found in the command: only program, log, port and disk are checked.']],
])('reads the subject of %j', (argv, servers, unread) => {
  const { recipe } = serving(['/m/a'], { recipe: { argv } });
  const subject = readSubject({ host: 'kpro5', recipe, devices: ['0'], scripts: new Map() });
  expect(subject.servers).toHaveLength(servers);
  expect(subject).toMatchObject({ host: 'kpro5', devices: ['0'], address: recipe.address, unread, trainer: null });
});
