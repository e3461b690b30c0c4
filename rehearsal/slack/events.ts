/** Events API: what the app hears of without having been called: that it was mentioned, uninstalled, or called too often. */
import { randomBytes } from 'node:crypto';
import { type Outcome, toOutcome, UNSENT } from './outcome.ts';
import { findChannel, findUser } from './people.ts';
import type { Message } from './records.ts';
import type { SocketMode } from './socket-mode.ts';
import { toMessageText } from './tokens.ts';
import type { Workspace } from './workspace.ts';

export type AppEvent = 'app_uninstalled' | 'tokens_revoked' | 'app_rate_limited';

interface Setting {
  readonly workspace: Workspace;
  readonly sockets: SocketMode;
  readonly ackLimitMs: number;
}

export interface Said {
  readonly user: string;
  readonly channel: string;
  /** The root's ts, for a reply. */
  readonly thread?: string | undefined;
  readonly text: string;
}

export class Events {
  readonly #setting: Setting;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** A person says something. The app hears it if it is mentioned and in the channel; else null. */
  async talk(said: Said): Promise<Outcome | null> {
    const { workspace } = this.#setting;
    const message = this.#say(said);
    const isMentioned = message.mentions.some(({ kind, id }) => kind === 'user' && id === workspace.app.userId);
    if (!isMentioned || workspace.channels.get(message.channel)?.botIsMember !== true) return null;
    const { author, text, ts, channel, thread } = message;
    const place = { channel, ...(thread !== null && { thread_ts: thread }) };
    const by = { user: author, team: workspace.teamId };
    return this.#send(callback(workspace, { type: 'app_mention', ...by, text, ts, ...place, event_ts: ts }));
  }

  /** Something happens to the app as a whole. */
  async tell(type: AppEvent): Promise<Outcome> {
    const { workspace } = this.#setting;
    const { teamId, app } = workspace;
    if (type === 'app_rate_limited') {
      // The only one without an inner event.
      const minute = Math.floor(Number(workspace.nextTs()) / 60) * 60;
      return this.#send({ type, token: 'legacy', team_id: teamId, minute_rate_limited: minute, api_app_id: app.appId });
    }
    const tokens = type === 'tokens_revoked' ? { tokens: { oauth: [], bot: [app.userId] } } : {};
    return this.#send(callback(workspace, { type, ...tokens, event_ts: workspace.nextTs() }));
  }

  #say({ user, channel, thread, text }: Said): Message {
    const { workspace } = this.#setting;
    const where = findChannel(workspace, channel);
    if (where.isArchived) throw new Error(`#${where.name} is archived: nobody can say anything there`);
    const root = thread === undefined ? undefined : workspace.message(channel, thread);
    if (thread !== undefined && (root === undefined || root.deleted))
      throw new Error(`no thread ${thread} stands in ${channel}`);
    return workspace.post({
      channel,
      thread: thread ?? null,
      broadcast: false,
      author: findUser(workspace, user).id,
      text: toMessageText(text, workspace),
      blocks: [],
      metadata: null,
    });
  }

  async #send(payload: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const { sockets, ackLimitMs } = this.#setting;
    const { envelopeId, delivery } = sockets.send('events_api', payload, ackLimitMs);
    return toOutcome(await delivery, UNSENT.triggerId, envelopeId);
  }
}

function callback(
  { teamId, app }: Workspace,
  event: Readonly<Record<string, unknown>> & { readonly event_ts: string },
): Record<string, unknown> {
  return {
    type: 'event_callback',
    token: 'legacy',
    team_id: teamId,
    api_app_id: app.appId,
    event_id: `Ev${randomBytes(5).toString('hex').toUpperCase()}`,
    event_time: Math.floor(Number(event.event_ts)),
    authorizations: [{ enterprise_id: null, team_id: teamId, user_id: app.userId, is_bot: true }],
    is_ext_shared_channel: false,
    event,
  };
}
