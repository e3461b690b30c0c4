import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { HOST, RECIPE, TRAINING, vigilYaml } from './yaml.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-check-'));
const file = join(folder, 'vigil.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

function check(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync('node', ['--import', 'tsx', 'src/check-config.ts', ...words], {
    env: { PATH, HOME: '/home/v', ...environment },
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replaceAll(file, 'vigil.yaml') };
}

test('a right file is shown with its exact argv, one word a line, and without secrets', () => {
  writeFileSync(
    file,
    vigilYaml({ recipe: `${RECIPE.replace('m]', '" m", ""]')}\nenvironment: {K: {secret: KEY}, A: b}` }),
  );
  const { status, stdout } = check([], { VIGIL_CONFIG: file, KEY: 's3cret' });
  expect(stdout.replace(file, 'vigil.yaml')).toMatchInlineSnapshot(`
    "vigil.yaml is right: instance vigil.

    host kpro5
      root@192.0.2.172, port 22
      key /home/v/.ssh/id_ed25519 (not on this machine), known hosts in /home/v/.ssh/known_hosts (not on this machine)
      run folders in ~/.vigil/runs, kept for 30 days after the end; threads in C0VIGIL
      who may see: nobody; launch: nobody; force: nobody; stop: nobody; watch: nobody
      no patrol: trainings that people start by hand are not looked for
      no log may be watched that somebody names

    recipe r, kind serve
      1 GPU, chosen at the start; server at http://127.0.0.1:8000; a stop waits 60 s
      log in the run's folder; directory the SSH user's home; prelude none
      environment:
        K (not shown)
        A=b
      argv, one word a line:
        vllm
        serve
        " m"
        ""
    "
  `);
  expect(status).toBe(0);
});

const EXPECTED = [
  'resume: true',
  'python: /v/bin/python',
  'versions: {vllm: ">=0.22", flash_attn: none}',
  'expect: [{file: /m/config.json, path: \'a."b.c"[1]\', value: [1, "2"]}]',
  'budgets: {loading: 300, training: 60}',
].join('\n');

test('a patrol and a training are shown with what is followed', () => {
  const host = `${HOST}\npatrol: {logs: [/w/*/run.log, "/x "]}`;
  writeFileSync(file, vigilYaml({ host, recipe: `${TRAINING}\ntarget: {log: /w/vllm.log, port: 8000}\n${EXPECTED}` }));
  const { stdout } = check([file]);
  expect(stdout).toContain(
    'nobody\n  patrol every 60 s, threads in C0VIGIL; logs, one glob a line:\n    /w/*/run.log\n    "/x "\n',
  );
  expect(stdout).toContain(
    'recipe r, kind train\n  4 GPUs, chosen at the start; target server at http://127.0.0.1:8000, log /w/vllm.log; a stop waits 120 s\n',
  );
  expect(stdout).toContain(
    [
      '  goes on from the checkpoints in its save path',
      '  python /v/bin/python',
      '  versions: vllm >=0.22; flash-attn none',
      '  what files on the host must hold:',
      '    /m/config.json a."b.c"[1] = [1,"2"]',
      '  its log may be silent for: loading 300 s, training 60 s\n',
    ].join('\n'),
  );
  expect(stdout).toContain('  environment:\n    COLUMNS=1000\n    PYTHONUNBUFFERED=1\n');
});

test('mistakes end with 1; a missing secret is one, unless it is not asked for', () => {
  writeFileSync(file, vigilYaml({ recipe: `${RECIPE}\nenvironment: {K: {secret: KEY}}` }));
  expect(check([file])).toEqual({
    status: 1,
    stdout: '',
    stderr:
      "vigil.yaml:11:31 recipes.r.environment.K.secret: found no KEY in Vigil's own environment, expected the secret in the variable KEY; set KEY where Vigil is started\n1 mistake.\n",
  });
  expect(check(['--without-secrets', file]).status).toBe(0);
});

test.each([[['--nope']], [['a', 'b']]])('%j is misuse and ends with 2', (words) => {
  const { status, stderr } = check(words);
  expect(status).toBe(2);
  expect(stderr).toContain('Usage: npm run check-config');
});
