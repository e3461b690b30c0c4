/** Who may do what on which host, as vigil.yaml says it: person × host × verb, nobody by default. */

import type { Chat } from './chat.ts';
import type { Config, Verb } from './config/config.ts';

/** Whether vigil.yaml grants it; an unknown host grants nothing. Guests, bots and strangers are refused elsewhere, whatever it grants. */
export function mayDo(config: Config, user: string, verb: Verb, host: string): boolean {
  const rights = Object.hasOwn(config.hosts, host) ? config.hosts[host]?.rights[verb] : undefined;
  if (rights === undefined) return false;
  return rights === 'anyone' || rights.includes(user);
}

/** The hosts on which vigil.yaml grants it. */
export function hostsWith(config: Config, user: string, verb: Verb): readonly string[] {
  return Object.keys(config.hosts).filter((host) => mayDo(config, user, verb, host));
}

/** What stands where all who read a channel see it may name runs of these hosts. */
export function hostsSeenByAll({ hosts }: Config): readonly string[] {
  return Object.values(hosts).flatMap(({ name, rights }) => (rights.see === 'anyone' ? [name] : []));
}

/** The worker's own look, since a right may be gone by then: null = allowed, else why not. Throws what `chat.person` throws. */
export async function refusalOf(
  { config, chat }: { config: Config; chat: Pick<Chat, 'person'> },
  { user, host, verb }: { user: string; host: string; verb: Verb },
): Promise<string | null> {
  if (!mayDo(config, user, verb, host)) {
    return `Who asked may not ${verb} on ${host}: vigil.yaml lists who may under hosts.${host}.rights.${verb}. Ask whoever keeps that file.`;
  }
  const person = await chat.person(user);
  return person.kind === 'member'
    ? null
    : `Who asked is no full member of this workspace, and only those may use Vigil.`;
}
