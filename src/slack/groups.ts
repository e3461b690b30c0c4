/** Who is in a user group. */

import type { WebClient } from '@slack/web-api';
import { ChatError } from '../chat.ts';
import { call } from './client.ts';
import { remember } from './memo.ts';

/** usergroups.users.list is one of Slack's rarer calls (20 a minute). */
const KNOWN_MS = 5 * 60_000;
/** What only an administrator can change: no plan with groups, no such group, no scope. */
const REFUSED_MS = 60_000;

type Answer =
  | { readonly kind: 'members'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly why: ChatError };

/** The ids of a group's people, asked for one call at a time. Throws ChatError; `closed` where Slack will not tell, `limited` and `ambiguous` where it did not. */
export function openGroups(reads: WebClient): (group: string) => Promise<readonly string[]> {
  const answers = remember(
    (group) => ask(reads, group),
    ({ kind }) => (kind === 'members' ? KNOWN_MS : REFUSED_MS),
  );
  return async (group) => {
    const answer = await answers(group);
    if (answer.kind === 'refused') throw answer.why;
    return answer.ids;
  };
}

async function ask(reads: WebClient, usergroup: string): Promise<Answer> {
  try {
    const { users } = await call('usergroups.users.list', () => reads.usergroups.users.list({ usergroup }));
    return { kind: 'members', ids: users ?? [] };
  } catch (error) {
    if (error instanceof ChatError && error.kind === 'closed') return { kind: 'refused', why: error };
    throw error;
  }
}
