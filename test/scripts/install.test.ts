import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { prepare } from '../../scripts/prepare/all.mjs';
import type { Machine } from '../../scripts/prepare/machine.mjs';
import { readRecord, recordPackages } from '../../scripts/prepare/record.mjs';
import { addDebian, addMask, addProgram, bareMachine, logOf, write } from './bare-machine.ts';

const UNITS = ['redis-server.service', 'redis.service', 'ssh.service', 'ssh.socket', 'sshd.service'];

function bootLinks({ root }: Machine): string[] {
  return ['rc2.d', 'rc3.d', 'rc4.d', 'rc5.d'].flatMap((level) => readdirSync(join(root, 'etc', level)));
}

function masked({ root }: Machine): string[] {
  const folder = join(root, 'etc/systemd/system');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((unit) => readlinkSync(join(folder, unit)) === '/dev/null');
}

const FORMER = '#!/bin/sh\nexit 104\n';

const policyOf = ({ root }: Machine) => join(root, 'usr/sbin/policy-rc.d');

describe('on a bare Debian', () => {
  test('one apt-get run installs what is missing, masked before it and every start refused while it runs', async () => {
    const machine = bareMachine();
    addDebian(machine);
    await prepare('test', machine);
    expect(logOf(machine)).toEqual([
      'update',
      'install redis-server openssh-server busybox procps curl chromium',
      ...UNITS.map((unit) => `masked ${unit}`),
      'policy 101',
      'update-rc.d redis-server disable',
      'update-rc.d ssh disable',
    ]);
    expect(machine.said).toEqual([
      'redis-server, openssh-server, busybox, procps, curl, chromium: installing with apt-get, services kept off',
    ]);
  });

  test('afterwards nothing starts at boot, whatever the installation did to masks and links', async () => {
    const machine = bareMachine();
    addDebian(machine);
    await prepare('test', machine);
    expect(masked(machine).sort()).toEqual([...UNITS].sort());
    expect(bootLinks(machine).filter((name) => name.startsWith('S'))).toEqual([]);
    expect(existsSync(policyOf(machine))).toBe(false);
    expect(readRecord(machine).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'redis-server installed',
      'openssh-server installed',
      'busybox installed',
      'procps installed',
      'curl installed',
      'chromium installed',
    ]);
  });

  test('the second time nothing is done and nothing is said', async () => {
    const machine = bareMachine();
    addDebian(machine);
    await prepare('test', machine);
    const [log, said] = [logOf(machine), [...machine.said]];
    await prepare('test', machine);
    expect([logOf(machine), machine.said]).toEqual([log, said]);
  });

  test('a package that was there keeps its service and its boot links', async () => {
    const machine = bareMachine({ CHROMIUM_PATH: '/opt/chrome' });
    addDebian(machine);
    addProgram(machine, 'usr/sbin/sshd');
    for (const name of ['busybox', 'ps', 'curl']) addProgram(machine, `bin/${name}`);
    write(machine.root, 'installed', 'openssh-server\n');
    write(machine.root, 'etc/rc3.d/S01ssh', '');
    await prepare('test', machine);
    expect(masked(machine)).toEqual(['redis-server.service', 'redis.service']);
    expect(bootLinks(machine)).toContain('S01ssh');
    expect(readRecord(machine).map(({ name }) => name)).toEqual(['redis-server']);
  });

  test('chromium-browser is taken where apt knows no chromium', async () => {
    const machine = bareMachine({ REDIS_URL: 'redis://redis.example' });
    addDebian(machine, { unknown: 'chromium' });
    await prepare('test', machine);
    expect(logOf(machine)).toContain('install openssh-server busybox procps curl chromium-browser');
  });
});

describe('what was there is put back', () => {
  test("an administrator's policy-rc.d, after success", async () => {
    const machine = bareMachine();
    addDebian(machine);
    write(machine.root, 'usr/sbin/policy-rc.d', FORMER, 0o755);
    await prepare('demo', machine);
    expect(logOf(machine)).toContain('policy 101');
    expect(readFileSync(policyOf(machine), 'utf8')).toBe(FORMER);
  });

  test('after a failure too; masks that we added go, those that stood stay, and apt-get is quoted', async () => {
    const machine = bareMachine({ APT_FAILS: 'Unable to fetch some archives' });
    addDebian(machine);
    addMask(machine, 'redis.service');
    write(machine.root, 'usr/sbin/policy-rc.d', FORMER, 0o755);
    await expect(prepare('demo', machine)).rejects.toThrow(
      'apt-get install redis-server failed:\nE: Unable to fetch some archives',
    );
    expect(readFileSync(policyOf(machine), 'utf8')).toBe(FORMER);
    expect(masked(machine)).toEqual(['redis.service']);
    expect(readRecord(machine)).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('after %s in the middle of apt-get', async (signal) => {
    const machine = bareMachine({ APT_WAITS: 'yes' });
    addDebian(machine);
    const { said, say, ...plain } = machine;
    const script = `
      import { prepare } from ${JSON.stringify(resolve('scripts/prepare/all.mjs'))};
      prepare('demo', { ...${JSON.stringify(plain)}, say() {} }).catch((error) => { process.exitCode = error.exitCode; });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    await vi.waitFor(() => expect(logOf(machine)).toContain('policy 101'), { timeout: 20_000 });
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(existsSync(policyOf(machine))).toBe(false);
    expect(masked(machine)).toEqual([]);
    expect(readRecord(machine)).toEqual([]);
  });

  test('after kill -9 the policy is void at once, and the next set-up finishes the work', async () => {
    const machine = bareMachine();
    addDebian(machine);
    addProgram(machine, 'usr/sbin/redis-server');
    write(machine.root, 'installed', 'redis-server\n');
    write(machine.root, 'etc/rc3.d/S01redis-server', '');
    write(machine.root, 'usr/sbin/policy-rc.d', '#!/bin/sh\n# vigil-prepare 4194305\n', 0o755);
    write(machine.root, 'usr/sbin/policy-rc.d.vigil-former', FORMER, 0o755);
    recordPackages(['redis-server'], 'installing', machine);
    addProgram(machine, 'bin/update-rc.d', 'rm $root/etc/rc3.d/S01$1');
    await prepare('demo', machine);
    expect(readFileSync(policyOf(machine), 'utf8')).toBe(FORMER);
    expect(bootLinks(machine)).toEqual([]);
    expect(masked(machine)).toEqual(['redis-server.service', 'redis.service']);
    expect(readRecord(machine).map(({ state }) => state)).toEqual(['installed']);
  });
});

test("a record that was left open doesn't cost an administrator's policy-rc.d", async () => {
  const machine = bareMachine();
  addDebian(machine);
  addProgram(machine, 'usr/sbin/redis-server');
  write(machine.root, 'usr/sbin/policy-rc.d', FORMER, 0o755);
  recordPackages(['redis-server'], 'installing', machine);
  await prepare('demo', machine);
  expect(readFileSync(policyOf(machine), 'utf8')).toBe(FORMER);
  expect(readRecord(machine)).toEqual([]);
});

test("an administrator's own redis-server.service stops the installation", async () => {
  const machine = bareMachine();
  addDebian(machine);
  write(machine.root, 'etc/systemd/system/redis-server.service', '[Service]\n');
  await expect(prepare('demo', machine)).rejects.toThrow(
    /an administrator's own service, left alone; install redis-server by hand/,
  );
  expect(logOf(machine)).toEqual(['update']);
});
