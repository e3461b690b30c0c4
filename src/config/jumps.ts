/** `jump` names another host of the file, and following the names ends somewhere. */

import type { HostConfig } from './config.ts';
import type { Mistakes } from './mistakes.ts';
import { nearest } from './nearest.ts';

export function refuseJumps(hosts: Readonly<Record<string, HostConfig>>, mistakes: Mistakes): void {
  for (const { name } of Object.values(hosts)) {
    const jump = jumpOf(hosts[name]);
    if (jump === null) continue;
    const path = ['hosts', name, 'jump'];
    if (hosts[jump] === undefined) mistakes.add(path, unknownHost(jump, Object.keys(hosts)));
    const loop = loopFrom(name, hosts);
    if (loop === null) continue;
    const expected = 'expected a way that ends at a host without jump; take jump away from one of these hosts';
    mistakes.add(path, `found a way that comes back to ${name} (${loop.join(' through ')}), ${expected}`);
  }
}

function unknownHost(jump: string, names: readonly string[]): string {
  const meant = nearest(jump, names);
  const advice = meant === null ? 'add it under hosts' : `did you mean ${meant}?`;
  return `found ${JSON.stringify(jump)}, expected the name of another host of this file (${names.join(', ')}); ${advice}`;
}

/** The hosts on the way from `name` back to itself, or null. */
function loopFrom(name: string, hosts: Readonly<Record<string, HostConfig>>): readonly string[] | null {
  const way = [name];
  for (let next = jumpOf(hosts[name]); next !== null; next = jumpOf(hosts[next])) {
    if (next === name) return [...way, name];
    if (way.includes(next)) return null;
    way.push(next);
  }
  return null;
}

function jumpOf(host: HostConfig | undefined): string | null {
  return host?.connect.kind === 'address' ? host.connect.jump : null;
}
