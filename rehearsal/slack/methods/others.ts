/** auth, apps, reactions. */
import { z } from 'zod';
import { liveMessage, writableChannel } from './arguments.ts';
import { defineMethod, SlackError } from './method.ts';

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

  'reactions.add': defineMethod({
    args: { channel: z.string(), timestamp: z.string(), name: z.string() },
    run({ channel, timestamp, name }, scene) {
      const message = liveMessage(scene, writableChannel(scene, channel).id, timestamp);
      const { userId } = scene.workspace.app;
      if (message.reactions.some((reaction) => reaction.name === name && reaction.users.includes(userId))) {
        throw new SlackError('already_reacted');
      }
      scene.workspace.react(message, name, userId);
      return {};
    },
  }),
};
