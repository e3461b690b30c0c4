/** What people do: type a command, press a button, send a modal. Each becomes one envelope, with 3 s for the ack. */
import { randomBytes } from 'node:crypto';
import type { AnswerPlace, Answers, ResponseUrls } from './answers.ts';
import { findButton } from './buttons.ts';
import type { Delivery } from './envelopes.ts';
import type { Scene } from './methods/method.ts';
import type { Channel, Content, User } from './records.ts';
import type { SocketMode } from './socket-mode.ts';
import { toTokens } from './tokens.ts';

export interface Outcome {
  /** An ack came within the limit. */
  readonly acked: boolean;
  /** The ack's payload, or null. */
  readonly ack: unknown;
  /** Time to the ack, or the limit; 0 if nothing could be sent. */
  readonly afterMs: number;
  /** What the user was told by Slack itself, or null. */
  readonly error: 'operation_timeout' | 'dispatch_failed' | 'invalid_command_response' | null;
  readonly triggerId: string;
  readonly envelopeId: string;
}

interface Setting {
  readonly scene: Scene;
  readonly sockets: SocketMode;
  readonly answers: Answers;
  readonly urls: ResponseUrls;
  readonly ackLimitMs: number;
}

export class Interactions {
  readonly #setting: Setting;
  #triggers = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** Types `/command and arguments` in a channel. */
  async command(input: { user: string; channel: string; text: string }): Promise<Outcome> {
    const { user, channel } = this.#who(input);
    const typed = input.text.trim();
    const [command = ''] = typed.split(/\s/, 1);
    if (!command.startsWith('/')) throw new Error(`"${typed}" is not a command: a command begins with /`);
    const place = { channel: channel.id, user: user.id, original: null, typed };
    const common = this.#common(place);
    const payload = {
      ...common,
      token: 'legacy',
      team_id: user.teamId,
      team_domain: 'rehearsal',
      channel_id: channel.id,
      channel_name: channel.kind === 'private' ? 'privategroup' : channel.name,
      user_id: user.id,
      user_name: user.name,
      command,
      text: toTokens(typed.slice(command.length).trim(), this.#setting.scene.workspace),
      is_enterprise_install: 'false',
    };
    const { envelopeId, delivery } = this.#setting.sockets.send('slash_commands', payload, this.#setting.ackLimitMs);
    const outcome = toOutcome(await delivery, common.trigger_id, envelopeId);
    const error = outcome.error ?? this.#showAck(place, outcome);
    if (error !== null) this.#blame(place, `${command} failed with the error "${error}"`);
    return { ...outcome, error };
  }

  /** Presses a button of a message or of an ephemeral one. The confirm dialog is the page's business. */
  async click(input: { user: string; channel: string; ts: string; actionId: string }): Promise<Outcome> {
    const { user, channel } = this.#who(input);
    const target = this.#target(input);
    const { button, blockId } = findButton(target.content, input.actionId);
    const place = { channel: channel.id, user: user.id, original: target.original, typed: null };
    const common = this.#common(place);
    const { ts, thread, isEphemeral } = target.original;
    const { workspace } = this.#setting.scene;
    const team = { id: workspace.teamId, domain: 'rehearsal' };
    const inThread = thread === null ? {} : { thread_ts: thread };
    const payload = {
      ...common,
      type: 'block_actions',
      team,
      user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
      container: { type: 'message', message_ts: ts, channel_id: channel.id, is_ephemeral: isEphemeral, ...inThread },
      channel: { id: channel.id, name: channel.name },
      message: { type: 'message', user: workspace.app.userId, ts, ...target.content, ...inThread },
      state: { values: {} },
      actions: [{ ...button, block_id: blockId, action_ts: workspace.nextTs() }],
    };
    return this.#interact(payload, common.trigger_id);
  }

  /** Sends a modal that the app opened, with the values a person gave. */
  async submit(input: { user: string; viewId: string; values: Readonly<Record<string, unknown>> }): Promise<Outcome> {
    const { workspace, views } = this.#setting.scene;
    const user = this.#user(input.user);
    const stored = views.findLast((view) => view.id === input.viewId);
    if (stored === undefined) throw new Error(`no view ${input.viewId} was opened`);
    const triggerId = this.#trigger();
    const payload = {
      type: 'view_submission',
      team: { id: workspace.teamId, domain: 'rehearsal' },
      user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
      api_app_id: workspace.app.appId,
      trigger_id: triggerId,
      view: { ...stored.view, id: stored.id, state: { values: input.values } },
      response_urls: [],
    };
    return this.#interact(payload, triggerId);
  }

  async #interact(payload: Readonly<Record<string, unknown>>, triggerId: string): Promise<Outcome> {
    const { envelopeId, delivery } = this.#setting.sockets.send('interactive', payload, this.#setting.ackLimitMs);
    return toOutcome(await delivery, triggerId, envelopeId);
  }

  /** An ack with a message is an answer; one without is silence, which is fine. */
  #showAck(place: AnswerPlace, outcome: Outcome): Outcome['error'] {
    const body = outcome.ack;
    if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return null;
    return this.#setting.answers.give(place, body, 'ack') === null ? null : 'invalid_command_response';
  }

  #blame({ channel, user }: AnswerPlace, text: string): void {
    this.#setting.scene.workspace.show({ channel, user, thread: null, source: 'slack', text, blocks: [] });
  }

  #common(place: AnswerPlace): { api_app_id: string; trigger_id: string; response_url: string } {
    const { appId } = this.#setting.scene.workspace.app;
    return { api_app_id: appId, trigger_id: this.#trigger(), response_url: this.#setting.urls.create(place) };
  }

  #trigger(): string {
    this.#triggers += 1;
    return `${Date.now()}.${this.#triggers}.${randomBytes(16).toString('hex')}`;
  }

  #who(input: { user: string; channel: string }): { user: User; channel: Channel } {
    const { channels } = this.#setting.scene.workspace;
    const channel = channels.get(input.channel);
    if (channel === undefined)
      throw new Error(`no channel ${input.channel}; there are ${[...channels.keys()].join(', ')}`);
    return { user: this.#user(input.user), channel };
  }

  #user(id: string): User {
    const { users } = this.#setting.scene.workspace;
    const user = users.get(id);
    if (user === undefined) throw new Error(`no user ${id}; there are ${[...users.keys()].join(', ')}`);
    return user;
  }

  #target({ channel, ts }: { channel: string; ts: string }): {
    content: Content;
    original: NonNullable<AnswerPlace['original']>;
  } {
    const { workspace } = this.#setting.scene;
    const message = workspace.message(channel, ts);
    const shown = workspace.ephemeral(ts);
    const found = message ?? shown;
    if (found === undefined || found.deleted)
      throw new Error(`no message ${ts} stands in ${channel}, so it can't be clicked`);
    const { text, blocks, thread } = found;
    return { content: { text, blocks }, original: { ts, thread, isEphemeral: message === undefined } };
  }
}

function toOutcome(delivery: Delivery, triggerId: string, envelopeId: string): Outcome {
  const ids = { triggerId, envelopeId };
  if (delivery.kind === 'acked')
    return { acked: true, ack: delivery.payload, afterMs: delivery.afterMs, error: null, ...ids };
  if (delivery.kind === 'unanswered') {
    return { acked: false, ack: null, afterMs: delivery.afterMs, error: 'operation_timeout', ...ids };
  }
  return { acked: false, ack: null, afterMs: 0, error: 'dispatch_failed', ...ids };
}
