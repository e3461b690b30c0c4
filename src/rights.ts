/** Who may do what on which host, as vigil.yaml says it: person × host × verb, nobody by default. */

import { type Chat, ChatError, type Person } from './chat.ts';
import type { Config, Verb } from './config/config.ts';
import { list } from './list.ts';

/** Somebody with the user groups that vigil.yaml names and that they are in. */
export interface Who {
  readonly user: string;
  readonly groups: readonly string[];
  /** Groups of which Slack didn't say who is in them: they grant nothing. */
  readonly unknown: readonly string[];
}

/** Whether vigil.yaml grants it; an unknown host grants nothing. Guests, bots and strangers are refused elsewhere, whatever it grants. */
export function mayDo(config: Config, { user, groups }: Who, verb: Verb, host: string): boolean {
  const rights = Object.hasOwn(config.hosts, host) ? config.hosts[host]?.rights[verb] : undefined;
  if (rights === undefined) return false;
  return rights === 'anyone' || rights.includes(user) || groups.some((group) => rights.includes(group));
}

/** The hosts on which vigil.yaml grants it. */
export function hostsWith(config: Config, who: Who, verb: Verb): readonly string[] {
  return Object.keys(config.hosts).filter((host) => mayDo(config, who, verb, host));
}

/** What stands where all who read a channel see it may name runs of these hosts. */
export function hostsSeenByAll({ hosts }: Config): readonly string[] {
  return Object.values(hosts).flatMap(({ name, rights }) => (rights.see === 'anyone' ? [name] : []));
}

/** A sentence on the groups that would grant it on one of these hosts, did Slack say who is in them; or null. */
export function whyUnsure(config: Config, who: Who, verb: Verb, hosts: readonly string[]): string | null {
  const refusing = hosts.filter((host) => !mayDo(config, who, verb, host));
  const granting = new Set(refusing.flatMap((host) => groupsWith(config, verb, host)));
  const groups = who.unknown.filter((group) => granting.has(group));
  if (groups.length === 0) return null;
  const [those, they] = groups.length === 1 ? ['the user group', 'it'] : ['the user groups', 'they'];
  return `Slack does not say who is in ${those} ${list(groups)}, which may: ${they} must exist, the workspace's plan must have user groups, and the app the scope usergroups:read.`;
}

/**
 * The worker's own look, since a right may be gone by then: null = allowed, else why not. Whom and what Slack refuses to tell is refused.
 * Throws what `chat.person` and `chat.members` throw where Slack is only away.
 */
export async function refusalOf(
  { config, chat }: { config: Config; chat: Pick<Chat, 'person' | 'members'> },
  { user, host, verb }: { user: string; host: string; verb: Verb },
): Promise<string | null> {
  const alone: Who = { user, groups: [], unknown: [] };
  const who = mayDo(config, alone, verb, host) ? alone : await inGroups(chat, user, groupsWith(config, verb, host));
  if (!mayDo(config, who, verb, host)) {
    const unsure = whyUnsure(config, who, verb, [host]);
    return `Who asked may not ${verb} on ${host}: vigil.yaml lists who may under hosts.${host}.rights.${verb}. ${unsure ?? 'Ask whoever keeps that file.'}`;
  }
  const person = await personOr(chat, user);
  if (typeof person === 'string') return person;
  return person.kind === 'member'
    ? null
    : `Who asked is no full member of this workspace, and only those may use Vigil.`;
}

/** The person, or why nobody can know who that is. */
async function personOr(chat: Pick<Chat, 'person'>, user: string): Promise<Person | string> {
  try {
    return await chat.person(user);
  } catch (error) {
    if (!(error instanceof ChatError) || error.kind !== 'closed') throw error;
    return `Slack does not say who asked (${error.message}), and only full members may use Vigil. Whoever keeps the Slack app can give it the scope users:read.`;
  }
}

async function inGroups(chat: Pick<Chat, 'members'>, user: string, groups: readonly string[]): Promise<Who> {
  const answers = await Promise.all(groups.map((group) => isIn(chat, group, user)));
  return {
    user,
    groups: groups.filter((_, index) => answers[index] === true),
    unknown: groups.filter((_, index) => answers[index] === 'unknown'),
  };
}

async function isIn(chat: Pick<Chat, 'members'>, group: string, user: string): Promise<boolean | 'unknown'> {
  try {
    return (await chat.members(group)).includes(user);
  } catch (error) {
    if (error instanceof ChatError && error.kind === 'closed') return 'unknown';
    throw error;
  }
}

function groupsWith({ hosts }: Config, verb: Verb, host: string): readonly string[] {
  const rights = Object.hasOwn(hosts, host) ? hosts[host]?.rights[verb] : undefined;
  return rights === undefined || rights === 'anyone' ? [] : rights.filter(isGroup);
}

/** All user groups that vigil.yaml gives a right to. */
export function groupsIn({ hosts }: Config): readonly string[] {
  const names = Object.values(hosts).flatMap(({ rights }) =>
    Object.values(rights).flatMap((granted) => (granted === 'anyone' ? [] : granted.filter(isGroup))),
  );
  return [...new Set(names)];
}

/** A user group (S…), not a person. */
export function isGroup(id: string): boolean {
  return id.startsWith('S');
}
