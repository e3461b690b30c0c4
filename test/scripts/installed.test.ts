import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { thisMachine } from '../../scripts/prepare/machine.mjs';
import { readRecord, recordPath } from '../../scripts/prepare/record.mjs';
import { isMasked, startLinks } from '../../scripts/prepare/services.mjs';

/** This machine, not a stand-in: what the set-up installed here must still be off. */
const machine = thisMachine();
const ours = readRecord(machine).filter((one) => one.state === 'installed');
const wayOut = (name: string) =>
  `switched on by hand? then take ${name} out of ${recordPath(machine)}, else run \`systemctl mask\` and \`update-rc.d … disable\``;

describe.runIf(platform() === 'linux')('services of packages that the set-up installed on this machine', () => {
  test('are masked', () => {
    for (const { name, units } of ours) {
      expect(
        units.filter((unit) => !isMasked(unit, machine)),
        wayOut(name),
      ).toEqual([]);
    }
  });

  test('have no link that starts them at boot', () => {
    for (const { name, scripts } of ours) {
      expect(
        scripts.flatMap((script) => startLinks(script, machine)),
        wayOut(name),
      ).toEqual([]);
    }
  });

  test.each([
    ['redis-server', 6379, /^redis-(server|check-rdb)$/],
    ['openssh-server', 22, /^sshd$/],
  ] as const)('%s does not listen on port %i', (name, port, program) => {
    if (!ours.some((one) => one.name === name)) return;
    const listeners = programsListeningOn(port).filter((one) => program.test(one));
    expect(listeners, wayOut(name)).toEqual([]);
  });
});

/** Names of programs that listen on a TCP port, by /proc; those of other users can't be read without root. */
function programsListeningOn(port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1));
  const listening = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A');
  const sockets = new Set(listening.map((fields) => `socket:[${fields[9]}]`));
  if (sockets.size === 0) return [];
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids
    .filter((pid) => openFiles(pid).some((file) => sockets.has(file)))
    .map((pid) => basename(link(`/proc/${pid}/exe`)));
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => link(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // gone meanwhile, or another user's
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // gone meanwhile
  }
}
