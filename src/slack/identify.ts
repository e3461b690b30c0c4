/** Who asks, and whether that is somebody whom Vigil may listen to at all. */

import { ChatError, type Person } from '../chat.ts';
import { groupsIn, type Who } from '../rights.ts';
import { within } from '../within.ts';
import type { Asked, Edge } from './call.ts';
import { Refused } from './refusals.ts';

/** A full member of our own workspace, or a refusal that says why not. Fails closed: who can't be looked up is refused, and a group that can't be read grants nothing. */
export async function identify(edge: Edge, asked: Asked): Promise<Who> {
  if (asked.team !== edge.self.team) {
    throw new Refused(
      'workspace',
      'Refused: you ask from another workspace, and only full members of the one that runs Vigil may use it.',
    );
  }
  const [person, who] = await Promise.all([lookUp(edge, asked.user), groupsOf(edge, asked.user)]);
  if (person.kind !== 'member') throw new Refused(person.kind, REFUSALS[person.kind]);
  return who;
}

/** Groups that Slack doesn't tell in time are left out, and named as unknown. */
async function groupsOf(edge: Edge, user: string): Promise<Who> {
  const named = groupsIn(edge.config);
  const isIn = await Promise.all(named.map((group) => isMember(edge, group, user)));
  return {
    user,
    groups: named.filter((_, index) => isIn[index] === true),
    unknown: named.filter((_, index) => isIn[index] === 'unknown'),
  };
}

async function isMember(edge: Edge, group: string, user: string): Promise<boolean | 'unknown'> {
  try {
    const members = await within(edge.limits.person, edge.chat.members(group));
    return members === 'late' ? 'unknown' : members.includes(user);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    edge.log.warn({ group, err: error }, 'Slack did not say who is in a user group');
    return 'unknown';
  }
}

async function lookUp(edge: Edge, user: string): Promise<Person> {
  try {
    const person = await within(edge.limits.person, edge.chat.person(user));
    if (person !== 'late') return person;
    edge.log.warn({ user }, 'Slack did not say in time who asks');
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    edge.log.warn({ user, err: error }, 'Slack refused to say who asks');
  }
  throw new Refused(
    'unidentified',
    `Nothing was done: Slack did not say within ${edge.limits.person / 1000} s who you are. Try again in a moment.`,
  );
}

const REFUSALS: Readonly<Record<Exclude<Person['kind'], 'member'>, string>> = {
  guest:
    'Refused: you are a guest of this workspace, and only its full members may use Vigil. Ask a member to do it for you.',
  bot: 'Refused: a bot asks, and only people may use Vigil.',
  stranger: 'Refused: you belong to another workspace, and only full members of the one that runs Vigil may use it.',
};
