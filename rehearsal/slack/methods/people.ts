/** users.* and usergroups.*: who is who. */
import { z } from 'zod';
import type { User } from '../records.ts';
import { count } from './arguments.ts';
import { defineMethod, SlackError } from './method.ts';

export const people = {
  'users.info': defineMethod({
    args: { user: z.string() },
    run({ user: id }, { workspace }) {
      const user = workspace.users.get(id);
      if (user === undefined) throw new SlackError('user_not_found');
      return {
        user: { ...name(user), real_name: user.name, deleted: false, ...rank(user), ...PLACE, ...profile(user) },
      };
    },
  }),

  'users.list': defineMethod({
    args: { limit: count(200) },
    run: (_args, { workspace }) => ({
      members: [...workspace.users.values()].map(name),
      response_metadata: { next_cursor: '' },
    }),
  }),

  'usergroups.list': defineMethod({
    args: {},
    run: (_args, { workspace }) => ({
      usergroups: [...workspace.groups.values()].map(({ id, handle }) => ({
        id,
        team_id: workspace.teamId,
        is_usergroup: true,
        name: handle,
        handle,
      })),
    }),
  }),

  'usergroups.users.list': defineMethod({
    args: { usergroup: z.string() },
    run({ usergroup }, { workspace }) {
      const group = workspace.groups.get(usergroup);
      if (group === undefined) throw new SlackError('no_such_subteam');
      return { users: group.members };
    },
  }),
};

const PLACE = { tz: 'Etc/UTC', tz_offset: 0 };

function name(user: User): Record<string, unknown> {
  return { id: user.id, team_id: user.teamId, name: user.name };
}

function rank({ kind }: User): Record<string, unknown> {
  return { is_bot: kind === 'bot', is_restricted: kind === 'guest', is_ultra_restricted: false };
}

function profile(user: User): Record<string, unknown> {
  return { profile: { real_name: user.name, display_name: user.name } };
}
