/** auth, apps, users, views, reactions. */
import { z } from 'zod';
import {
  count,
  defineMethod,
  json,
  liveMessage,
  openChannel,
  type Scene,
  SlackError,
  type StoredView,
} from './method.ts';

const view = json.pipe(z.looseObject({ type: z.string() }));

export const others = {
  'auth.test': defineMethod({
    args: {},
    run(_args, { workspace, origin }) {
      const { app, teamId } = workspace;
      const identity = { user: app.name, user_id: app.userId, bot_id: app.botId, is_enterprise_install: false };
      return { url: `${origin}/`, team: 'Rehearsal', team_id: teamId, ...identity };
    },
  }),

  'apps.connections.open': defineMethod({
    token: 'app',
    args: {},
    run: (_args, scene) => ({ url: scene.openSocket() }),
  }),

  'users.info': defineMethod({
    args: { user: z.string() },
    run({ user: id }, { workspace }) {
      const user = workspace.users.get(id);
      if (user === undefined) throw new SlackError('user_not_found');
      const profile = { real_name: user.name, display_name: user.name };
      const kind = { is_bot: user.kind === 'bot', is_restricted: user.kind === 'guest', is_ultra_restricted: false };
      const place = { tz: 'Etc/UTC', tz_offset: 0 };
      return {
        user: {
          id,
          team_id: user.teamId,
          name: user.name,
          real_name: user.name,
          deleted: false,
          ...kind,
          ...place,
          profile,
        },
      };
    },
  }),

  'users.list': defineMethod({
    args: { limit: count(200) },
    run(_args, { workspace }) {
      const members = [...workspace.users.values()].map((user) => ({
        id: user.id,
        team_id: user.teamId,
        name: user.name,
      }));
      return { members, response_metadata: { next_cursor: '' } };
    },
  }),

  'views.open': defineMethod({
    args: { trigger_id: z.string(), view },
    run: (args, scene) => store({ scene, method: 'views.open', user: null, view: args.view, id: scene.nextId() }),
  }),

  'views.update': defineMethod({
    args: { view_id: z.string(), view },
    run: (args, scene) => store({ scene, method: 'views.update', user: null, view: args.view, id: args.view_id }),
  }),

  'views.publish': defineMethod({
    args: { user_id: z.string(), view },
    run: (args, scene) =>
      store({ scene, method: 'views.publish', user: args.user_id, view: args.view, id: scene.nextId() }),
  }),

  'reactions.add': defineMethod({
    args: { channel: z.string(), timestamp: z.string(), name: z.string() },
    run({ channel, timestamp, name }, scene) {
      const message = liveMessage(scene, openChannel(scene, channel).id, timestamp);
      const { userId } = scene.workspace.app;
      if (message.reactions.some((reaction) => reaction.name === name && reaction.users.includes(userId))) {
        throw new SlackError('already_reacted');
      }
      scene.workspace.react(message, name, userId);
      return {};
    },
  }),
};

/** Views are kept for whoever asks; nothing shows them. */
function store({ scene, ...stored }: StoredView & { scene: Scene }): Record<string, unknown> {
  scene.views.push(stored);
  return { view: { ...stored.view, id: stored.id, hash: scene.nextId(), team_id: scene.workspace.teamId } };
}
