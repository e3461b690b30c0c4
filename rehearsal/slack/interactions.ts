/** What people do: type a command or a message, press a button, fill in a modal. What the app shall hear becomes one envelope, with 3 s for the ack. */
import type { AnswerPlace, Answers, ResponseUrls } from './answers.ts';
import { findButton } from './buttons.ts';
import { type AppEvent, Events, type Said } from './events.ts';
import type { Scene } from './methods/method.ts';
import { Modals } from './modals.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { findChannel, findUser, toPayloadUser } from './people.ts';
import type { Channel, Content, User } from './records.ts';
import type { SocketMode } from './socket-mode.ts';
import { toTokens } from './tokens.ts';

interface Setting {
  readonly scene: Scene;
  readonly sockets: SocketMode;
  readonly answers: Answers;
  readonly urls: ResponseUrls;
  readonly ackLimitMs: number;
}

export class Interactions {
  readonly #setting: Setting;
  readonly #modals: Modals;
  readonly #events: Events;

  constructor(setting: Setting) {
    this.#setting = setting;
    const { scene, sockets, ackLimitMs } = setting;
    const { workspace, dialogs: views, triggers } = scene;
    this.#modals = new Modals({ workspace, views, triggers, sockets, ackLimitMs });
    this.#events = new Events({ workspace, sockets, ackLimitMs });
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
      user: toPayloadUser(user),
      container: { type: 'message', message_ts: ts, channel_id: channel.id, is_ephemeral: isEphemeral, ...inThread },
      channel: { id: channel.id, name: channel.name },
      message: { type: 'message', user: workspace.app.userId, ts, ...target.content, ...inThread },
      state: { values: {} },
      actions: [{ ...button, block_id: blockId, action_ts: workspace.nextTs() }],
    };
    const { envelopeId, delivery } = this.#setting.sockets.send('interactive', payload, this.#setting.ackLimitMs);
    return toOutcome(await delivery, common.trigger_id, envelopeId);
  }

  /** Says something in a channel or a thread; null where the app doesn't hear it. */
  talk(said: Said): Promise<Outcome | null> {
    return this.#events.talk(said);
  }

  /** Something happens to the app as a whole, and it is told. */
  tell(type: AppEvent): Promise<Outcome> {
    return this.#events.tell(type);
  }

  /** Uses something inside an open modal. `value`: an option's, a button's, or what is typed; `values`: what else stands in the form by then. */
  choose(input: Parameters<Modals['choose']>[0]): Promise<Outcome> {
    return this.#modals.choose(input);
  }

  /** Sends an open modal, with these values over those that stand in it. */
  submit(input: Parameters<Modals['submit']>[0]): Promise<Outcome> {
    return this.#modals.submit(input);
  }

  /** Closes an open modal by its cross. */
  dismiss(input: Parameters<Modals['dismiss']>[0]): Promise<void> {
    return this.#modals.dismiss(input);
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
    const { triggers, workspace } = this.#setting.scene;
    const trigger_id = triggers.create(place.user);
    return { api_app_id: workspace.app.appId, trigger_id, response_url: this.#setting.urls.create(place) };
  }

  #who(input: { user: string; channel: string }): { user: User; channel: Channel } {
    const { workspace } = this.#setting.scene;
    return { user: findUser(workspace, input.user), channel: findChannel(workspace, input.channel) };
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
