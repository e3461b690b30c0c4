/** Who does something where; throws for ids that are nobody's and nowhere. */
import type { Channel, User } from './records.ts';
import type { Workspace } from './workspace.ts';

export function findUser({ users }: Workspace, id: string): User {
  const user = users.get(id);
  if (user === undefined) throw new Error(`no user ${id}; there are ${[...users.keys()].join(', ')}`);
  return user;
}

export function findChannel({ channels }: Workspace, id: string): Channel {
  const channel = channels.get(id);
  if (channel === undefined) throw new Error(`no channel ${id}; there are ${[...channels.keys()].join(', ')}`);
  return channel;
}

/** As interactive payloads name a person. */
export function toPayloadUser({ id, name, teamId }: User): Record<string, unknown> {
  return { id, username: name, name, team_id: teamId };
}
