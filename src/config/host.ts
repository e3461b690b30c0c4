/** One entry of `hosts`. */

import { resolve } from 'node:path';
import type { z } from 'zod';
import type { HostConfig, Patrol } from './config.ts';
import type { Tree } from './document.ts';
import { readFields } from './fields.ts';
import type { Mistakes, Path } from './mistakes.ts';
import { HostKeys, MOST_GLOBS } from './schema.ts';

/** Where paths of this machine begin: `~/` at `home`, relative ones in `folder` (vigil.yaml's). */
export interface LocalPlaces {
  readonly home: string;
  readonly folder: string;
}

interface Reading {
  readonly tree: Tree;
  readonly path: Path;
  readonly mistakes: Mistakes;
}

type Fields = Partial<z.output<typeof HostKeys>>;

const SPELLED_OUT = ['address', 'user', 'port', 'key', 'known_hosts'] as const;

/** Defaults: port 22, key ~/.ssh/id_ed25519, known_hosts ~/.ssh/known_hosts, state_dir ~/.vigil/runs, rights nobody, no patrol. */
export function readHost(name: string, reading: Reading, places: LocalPlaces): HostConfig {
  const fields = readFields(HostKeys, reading);
  checkConnection(reading);
  const knownHosts = fields.known_hosts ?? '~/.ssh/known_hosts';
  return {
    name,
    connect:
      fields.alias === undefined
        ? {
            kind: 'address',
            address: fields.address ?? '',
            user: fields.user ?? '',
            port: fields.port ?? 22,
            key: localPath(fields.key ?? '~/.ssh/id_ed25519', places),
            knownHosts: (typeof knownHosts === 'string' ? [knownHosts] : knownHosts).map((path) =>
              localPath(path, places),
            ),
          }
        : { kind: 'alias', alias: fields.alias },
    stateDir: (fields.state_dir ?? '~/.vigil/runs').replace(/(?<=[^/])\/+$/, ''),
    channel: fields.channel ?? '',
    rights: {
      see: fields.rights?.see ?? [],
      launch: fields.rights?.launch ?? [],
      stop: fields.rights?.stop ?? [],
    },
    patrol: readPatrol(fields, reading),
  };
}

/** Defaults: every 60 s, the host's own channel. */
function readPatrol({ patrol, channel }: Fields, { path, mistakes }: Reading): Patrol | null {
  if (patrol === undefined) return null;
  const { logs } = patrol;
  if (logs.length > MOST_GLOBS) {
    const expected = `expected at most ${MOST_GLOBS}; let one with * stand for several`;
    mistakes.add([...path, 'patrol', 'logs'], `found ${logs.length} globs, ${expected}`);
  }
  return { logs, every: patrol.every ?? 60, channel: patrol.channel ?? channel ?? '' };
}

/** Either an alias, which says all, or address and user. */
function checkConnection({ tree, path, mistakes }: Reading): void {
  if (tree.kind !== 'map') return;
  const keys = tree.entries.map((entry) => entry.key);
  if (keys.includes('alias')) {
    for (const key of SPELLED_OUT.filter((spelled) => keys.includes(spelled))) {
      const expected = `expected alias or ${SPELLED_OUT.join(', ')}; remove ${key} here (~/.ssh/config says it), or remove alias`;
      mistakes.add([...path, key], `found ${key} beside alias, ${expected}`);
    }
    return;
  }
  if (!keys.includes('address')) {
    const expected = 'expected address or alias; write address: 192.0.2.172, or alias: with a Host of ~/.ssh/config';
    mistakes.add([...path, 'address'], `found neither address nor alias, ${expected}`);
    return;
  }
  if (!keys.includes('user')) mistakes.addExpected([...path, 'user'], 'a user name on the host; write user: root');
}

function localPath(path: string, { home, folder }: LocalPlaces): string {
  if (path === '~' || path.startsWith('~/')) return resolve(home, path.slice(2));
  return resolve(folder, path);
}
