import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepare } from '../../scripts/prepare/all.mjs';
import { addDebian, addProgram, type BareMachine, bareMachine, logOf, write } from './bare-machine.ts';

describe('what counts as there', () => {
  const ready: readonly (readonly [string, (machine: BareMachine) => void])[] = [
    ['redis-server on the PATH', (machine) => addProgram(machine, 'bin/redis-server')],
    ['redis-server beyond the PATH', (machine) => addProgram(machine, 'usr/sbin/redis-server')],
    ['valkey-server', (machine) => addProgram(machine, 'bin/valkey-server')],
    ['a Docker that answers', (machine) => addProgram(machine, 'bin/docker', '[ "$1" = info ]')],
    ['REDIS_URL', (machine) => (machine.env.REDIS_URL = 'redis://redis.example')],
  ];

  test.each(ready)('for the demo, %s is enough, and nothing is said', async (_, add) => {
    const machine = bareMachine();
    addDebian(machine);
    add(machine);
    await prepare('demo', machine);
    expect(machine.said).toEqual([]);
    expect(logOf(machine)).toEqual([]);
  });

  test('a Docker client without a daemon is not enough', async () => {
    const machine = bareMachine();
    addProgram(machine, 'bin/docker', 'exit 1');
    await expect(prepare('demo', machine)).rejects.toThrow(/needs redis-server/);
  });

  test('the tests need sshd, a browser and some small programs as well', async () => {
    const machine = bareMachine({ REDIS_URL: 'redis://redis.example', CHROMIUM_PATH: '/opt/chrome' });
    for (const name of ['ps', 'curl']) addProgram(machine, `bin/${name}`);
    await expect(prepare('test', machine)).rejects.toThrow(
      'npm test needs openssh-server (the tests start their own sshd on a loopback port); and busybox. Install what is missing and run it again.',
    );
    addProgram(machine, 'usr/sbin/sshd');
    addProgram(machine, 'bin/busybox');
    await prepare('test', machine);
    expect(existsSync(join(machine.root, 'run/sshd'))).toBe(true);
  });
});

describe('without a way to install', () => {
  test('one sentence says what to install', async () => {
    await expect(prepare('demo', bareMachine())).rejects.toThrow(
      'npm run demo needs redis-server or valkey-server on the PATH, a running Docker, or REDIS_URL. Install what is missing and run it again.',
    );
  });

  test('apt-get without root and without passwordless sudo is no way', async () => {
    const machine = { ...bareMachine(), uid: 1000 };
    addDebian(machine);
    addProgram(machine, 'bin/sudo', 'exit 1');
    await expect(prepare('demo', machine)).rejects.toThrow(/npm run demo needs redis-server/);
    expect(logOf(machine)).toEqual([]);
  });

  test('a person who says no gets the same sentence, and nothing is touched', async () => {
    const questions: string[] = [];
    const machine = { ...bareMachine(), ask: async (question: string) => questions.push(question) === 0 };
    addDebian(machine);
    await expect(prepare('demo', machine)).rejects.toThrow(/npm run demo needs redis-server/);
    expect(questions).toEqual(['Install redis-server with apt-get, services kept off?']);
    expect(logOf(machine)).toEqual([]);
    expect(readdirSync(machine.root)).not.toContain('home');
  });
});

test('with Homebrew what is missing is installed, and no service is started', async () => {
  const machine = { ...bareMachine(), platform: 'darwin' };
  addProgram(
    machine,
    'bin/brew',
    `echo "brew $*" >> $root/log
    mkdir -p $root/opt/homebrew/bin; cd $root/opt/homebrew/bin; cp $root/bin/brew redis-server; cp $root/bin/brew google-chrome`,
  );
  addProgram(machine, 'usr/sbin/sshd');
  await prepare('test', machine);
  expect(logOf(machine)).toEqual(['brew install redis', 'brew install --cask google-chrome']);
  expect(machine.said).toEqual(['redis-server, chromium: installing with brew, services kept off']);
});

test('an installation that brings no program is told', async () => {
  const machine = bareMachine();
  addProgram(machine, 'bin/brew');
  await expect(prepare('demo', machine)).rejects.toThrow(
    'installed redis-server, but found no program of it on the PATH',
  );
});

test('without root, apt-get is run by sudo that asks for no password', async () => {
  const machine = { ...bareMachine(), uid: 1000 };
  addDebian(machine);
  addProgram(
    machine,
    'bin/sudo',
    'echo "sudo $*" >> $root/log; [ $2 = true ] || cp $root/bin/sudo $root/bin/redis-server',
  );
  await prepare('demo', machine);
  const task = '{"kind":"install","wanted":[["redis-server"]]}';
  expect(logOf(machine)).toEqual([
    'sudo -n true',
    `sudo -n ${process.execPath} ${resolve('scripts/prepare/as-root.mjs')} ${task}`,
  ]);
});

describe('npm dependencies', () => {
  function withNpm(machine: BareMachine, ending: string): void {
    addProgram(machine, 'bin/npm', `echo "npm $*" >> $root/log\n${ending}`);
    addProgram(machine, 'bin/redis-server');
    write(machine.root, 'clone/package-lock.json', '{"packages":{"":{},"node_modules/a":{"version":"1.0.1"}}}');
  }

  test('are installed when they are out of step with package-lock.json', async () => {
    const machine = bareMachine();
    withNpm(machine, 'cp $root/clone/package-lock.json $root/clone/node_modules/.package-lock.json');
    write(machine.root, 'clone/node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
    await prepare('demo', machine);
    expect(logOf(machine)).toEqual(['npm ci --include=dev --no-audit --no-fund']);
    expect(machine.said).toEqual(['npm dependencies: out of step with package-lock.json; running npm ci']);
  });

  test('npm tells its own failure', async () => {
    const machine = bareMachine();
    withNpm(machine, 'echo "npm error code ENOTFOUND" >&2; exit 1');
    await expect(prepare('demo', machine)).rejects.toThrow('npm ci failed (exit 1):\nnpm error code ENOTFOUND');
  });

  test('another platform may lack its optional packages', async () => {
    const machine = bareMachine();
    withNpm(machine, '');
    write(machine.root, 'clone/package-lock.json', '{"packages":{"node_modules/b":{"version":"1","optional":true}}}');
    await prepare('demo', machine);
    expect(logOf(machine)).toEqual([]);
  });
});

test('the scripts use nothing but Node', () => {
  for (const file of readdirSync('scripts/prepare')) {
    const imported = readFileSync(join('scripts/prepare', file), 'utf8').matchAll(/(?:from |import\()'([^']+)'/g);
    for (const [, name] of imported) expect(name).toMatch(/^(node:|\.\/)/);
  }
});
