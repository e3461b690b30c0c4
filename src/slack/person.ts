/** Who somebody is, as seen from our own workspace. */

import type { WebClient } from '@slack/web-api';
import type { Person } from '../chat.ts';
import { chatError, slackCode } from './chat-errors.ts';

/** A user who can't be found, is deactivated or belongs to another workspace is a stranger. */
export async function readPerson(
  reads: WebClient,
  id: string,
  identity: () => Promise<{ readonly team_id?: string }>,
): Promise<Person> {
  const { team_id: team } = await identity();
  try {
    const { user } = await reads.users.info({ user: id });
    if (user === undefined) return { kind: 'stranger', name: id };
    const name = user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || id;
    if (user.is_bot || id === 'USLACKBOT') return { kind: 'bot', name };
    const isForeign = team === undefined || user.team_id !== team || user.is_stranger === true;
    if (isForeign || user.deleted === true) return { kind: 'stranger', name };
    return { kind: user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member', name };
  } catch (error) {
    const code = slackCode(error);
    if (code === 'user_not_found' || code === 'user_not_visible') return { kind: 'stranger', name: id };
    throw chatError('users.info', error);
  }
}
