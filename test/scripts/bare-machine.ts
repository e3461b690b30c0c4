import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Machine } from '../../scripts/prepare/machine.mjs';

export type BareMachine = Machine & { readonly said: string[] };

/** A machine that is one folder: nothing is installed, and its PATH holds only the stand-ins that a test puts there. */
export function bareMachine(env: NodeJS.ProcessEnv = {}): BareMachine {
  const root = mkdtempSync(join(tmpdir(), 'vigil-root-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const said: string[] = [];
  write(root, 'installed', '');
  write(root, 'log', '');
  write(root, 'clone/package-lock.json', '{"packages":{}}');
  write(root, 'clone/node_modules/.package-lock.json', '{"packages":{}}');
  for (const level of ['rc2.d', 'rc3.d', 'rc4.d', 'rc5.d']) mkdirSync(join(root, 'etc', level), { recursive: true });
  return {
    env: { PATH: join(root, 'bin'), HOME: join(root, 'home'), FAKE_ROOT: root, ...env },
    root,
    platform: 'linux',
    uid: 0,
    repo: join(root, 'clone'),
    say: (line) => said.push(line),
    ask: null,
    said,
  };
}

export function write(root: string, path: string, text: string, mode = 0o644): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

export function addProgram({ root }: Machine, path: string, script = 'exit 0'): void {
  write(root, path, `#!/bin/sh\nPATH=/usr/bin:/bin\nroot=${root}\n${script}\n`, 0o755);
}

/** What the stand-ins noted while they ran. */
export function logOf({ root }: Machine): string[] {
  return readFileSync(join(root, 'log'), 'utf8').split('\n').filter(Boolean);
}

/** A mask as an administrator, or Debian's removal of a package, leaves it. */
export function addMask({ root }: Machine, unit: string): void {
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true });
  symlinkSync('/dev/null', join(root, 'etc/systemd/system', unit));
}

const APT_GET = `
for word in "$@"; do case $word in update) echo update >> $root/log; exit 0 ;; esac; done
while [ "$1" != install ]; do shift; done; shift
echo "install $*" >> $root/log
for unit in redis-server.service redis.service ssh.service ssh.socket sshd.service; do
  [ "$(readlink $root/etc/systemd/system/$unit)" = /dev/null ] && echo "masked $unit" >> $root/log
done
$root/usr/sbin/policy-rc.d redis-server start; echo "policy $?" >> $root/log
[ -z "$APT_WAITS" ] || exec sleep 60
[ -z "$APT_FAILS" ] || { echo "E: $APT_FAILS" >&2; exit 100; }
link_at_boot() { for level in 2 3 4 5; do ln -s ../init.d/$1 $root/etc/rc$level.d/S01$1; done; }
program() { mkdir -p $root/usr/sbin; printf '#!/bin/sh\\n' > $root/usr/sbin/$1; chmod +x $root/usr/sbin/$1; }
for package in "$@"; do
  echo $package >> $root/installed
  case $package in
  redis-server) program redis-server; link_at_boot redis-server
    rm -f $root/etc/systemd/system/redis*.service
    ln -s /lib/systemd/system/redis-server.service $root/etc/systemd/system/redis.service ;;
  openssh-server) program sshd; link_at_boot ssh ;;
  procps) program ps ;;
  *) program $package ;;
  esac
done`;

const UPDATE_RC_D = `
echo "update-rc.d $*" >> $root/log
for link in $root/etc/rc?.d/S01$1; do [ -L $link ] && mv $link $(dirname $link)/K01$1; done; exit 0`;

/** Debian's tools. apt-get behaves at its worst: it takes masks away, adds an alias and boot links. */
export function addDebian(machine: Machine, { unknown = 'none' }: { readonly unknown?: string } = {}): void {
  addProgram(machine, 'bin/apt-get', APT_GET);
  addProgram(machine, 'bin/apt-cache', `[ $2 = ${unknown} ] && echo '  Candidate: (none)' || echo '  Candidate: 1.0'`);
  addProgram(machine, 'bin/dpkg-query', `sed 's/$/ installed/' $root/installed`);
  addProgram(machine, 'bin/update-rc.d', UPDATE_RC_D);
}
