/** One entry of `hosts`. */

import { resolve } from 'node:path';
import type { z } from 'zod';
import type { HostConfig, Passphrase, Patrol } from './config.ts';
import type { Tree } from './document.ts';
import { readFields } from './fields.ts';
import type { Mistakes, Path } from './mistakes.ts';
import { HostKeys, MOST_GLOBS } from './schema.ts';
import { lookUpSecret, type SecretSource } from './variables.ts';

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

const SPELLED_OUT = ['address', 'user', 'port', 'key', 'known_hosts', 'jump'] as const;

/** What a host's entry is read with: this machine's places, and Vigil's own environment. */
export interface Surroundings {
  readonly places: LocalPlaces;
  readonly secrets: SecretSource;
}

/** Defaults: state_dir ~/.vigil/runs, keep_runs 30, rights nobody, no patrol, no logs to be watched. */
export function readHost(name: string, reading: Reading, surroundings: Surroundings): HostConfig {
  const fields = readFields(HostKeys, reading);
  checkConnection(reading);
  return {
    name,
    connect: readConnection(fields, reading, surroundings),
    stateDir: (fields.state_dir ?? '~/.vigil/runs').replace(/(?<=[^/])\/+$/, ''),
    keepRuns: fields.keep_runs ?? 30,
    channel: fields.channel ?? '',
    rights: {
      see: fields.rights?.see ?? [],
      launch: fields.rights?.launch ?? [],
      force: fields.rights?.force ?? [],
      stop: fields.rights?.stop ?? [],
      watch: fields.rights?.watch ?? [],
    },
    patrol: readPatrol(fields, reading),
    watchLogs: readGlobs(fields.watch_logs ?? [], ['watch_logs'], reading),
  };
}

/** Defaults: port 22, key ~/.ssh/id_ed25519, known_hosts ~/.ssh/known_hosts, no jump, no passphrase. */
function readConnection(fields: Fields, reading: Reading, { places, secrets }: Surroundings): HostConfig['connect'] {
  const passphrase = readPassphrase(fields, reading, secrets);
  if (fields.alias !== undefined) return { kind: 'alias', alias: fields.alias, passphrase };
  const knownHosts = fields.known_hosts ?? '~/.ssh/known_hosts';
  return {
    kind: 'address',
    address: fields.address ?? '',
    user: fields.user ?? '',
    port: fields.port ?? 22,
    key: localPath(fields.key ?? '~/.ssh/id_ed25519', places),
    isOnlyKey: fields.key !== undefined,
    knownHosts: (typeof knownHosts === 'string' ? [knownHosts] : knownHosts).map((path) => localPath(path, places)),
    jump: fields.jump ?? null,
    passphrase,
  };
}

function readPassphrase({ passphrase }: Fields, { path, mistakes }: Reading, secrets: SecretSource): Passphrase | null {
  if (passphrase === undefined) return null;
  const name = passphrase.secret;
  return { name, value: lookUpSecret(name, { path: [...path, 'passphrase', 'secret'], mistakes }, secrets) };
}

/** Defaults: every 60 s, the host's own channel. */
function readPatrol({ patrol, channel }: Fields, reading: Reading): Patrol | null {
  if (patrol === undefined) return null;
  const logs = readGlobs(patrol.logs, ['patrol', 'logs'], reading);
  return { logs, every: patrol.every ?? 60, channel: patrol.channel ?? channel ?? '' };
}

function readGlobs(globs: readonly string[], keys: Path, { path, mistakes }: Reading): readonly string[] {
  if (globs.length > MOST_GLOBS) {
    const expected = `expected at most ${MOST_GLOBS}; let one with * stand for several`;
    mistakes.add([...path, ...keys], `found ${globs.length} globs, ${expected}`);
  }
  return globs;
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
