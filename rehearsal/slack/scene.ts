/** The workspace and all that the Web API's methods may touch, as the options want it. */
import { Files } from './files.ts';
import type { Scene } from './methods/method.ts';
import type { SocketMode } from './socket-mode.ts';
import type { SlackOptions } from './stand-in.ts';
import { Triggers } from './triggers.ts';
import { Views } from './views.ts';
import { Workspace } from './workspace.ts';

export function createWorkspace(options: SlackOptions, now: () => number): Workspace {
  const teamId = options.teamId ?? 'T0LOCAL';
  return new Workspace({
    teamId,
    now,
    app: { appId: 'A0LOCAL', botId: 'B0LOCAL', userId: 'U0LOCALBOT', name: options.appName ?? 'app' },
    channels: options.channels.map(({ id, name, botIsMember, private: isPrivate, members = null }) => ({
      id,
      name,
      botIsMember,
      members,
      isArchived: false,
      kind: isPrivate === true ? 'private' : 'public',
      user: null,
    })),
    groups: options.groups ?? [],
    users: options.users.map((user) => ({ ...user, teamId: user.teamId ?? teamId })),
  });
}

export function createScene(
  options: SlackOptions,
  parts: { workspace: Workspace; sockets: SocketMode; origin: () => string; now: () => number },
): Scene {
  const { workspace, sockets, origin, now } = parts;
  let ids = 0;
  const nextId = (): string => {
    ids += 1;
    return `L${ids.toString(36).padStart(4, '0')}`;
  };
  return {
    workspace,
    get origin() {
      return origin();
    },
    refuses: options.refuses ?? [],
    files: new Files({ workspace, origin, now }, options.sharing ?? {}),
    triggers: new Triggers(now),
    dialogs: new Views(workspace, nextId),
    views: [],
    openSocket: () => sockets.ticket(),
    nextId,
  };
}
