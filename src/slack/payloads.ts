/** What Slack sends for what people do, read into our terms. */

import type { BlockAction, ButtonAction, SlashCommand, ViewOutput, ViewSubmitAction } from '@slack/bolt';
import type { AppMentionEvent } from '@slack/types';
import { z } from 'zod';
import type { TypedCommand } from './answer.ts';
import type { Click } from './click.ts';
import type { Mention } from './mention.ts';
import type { Choice, Returned } from './modal/modal.ts';
import type { Origin } from './respond.ts';

/** Something that somebody did, and where the answer belongs. */
export type Done<T> = T & { readonly origin: Origin };

export function readCommand(command: SlashCommand): Done<TypedCommand> {
  const { command: name, text, user_id: user, team_id: team, channel_id: channel, trigger_id: trigger } = command;
  const origin = { user, channel, thread: null, url: command.response_url };
  return { command: name, text, user, team, channel, trigger, origin };
}

/** A button's click in a message; links and menus of others' making say nothing to us: null. */
export function readClick(body: BlockAction, action: BlockAction['actions'][number]): Done<Click> | null {
  if (!isButton(action) || body.view !== undefined) return null;
  const channel = body.channel?.id ?? text(body.container.channel_id) ?? '';
  const root = text(body.container.thread_ts) ?? text(body.message?.thread_ts);
  const asked = { ...whoOf(body), channel, trigger: body.trigger_id };
  const origin = { user: asked.user, channel, thread: root, url: body.response_url };
  // A message of ours that stands alone is the root of its thread; one that only its reader sees is none.
  const isRoot = root === null && body.container.is_ephemeral !== true;
  const ts = isRoot ? text(body.message?.ts) : root;
  const thread = ts === null ? null : { channel, ts };
  return { ...asked, action: action.action_id, value: action.value ?? '', thread, origin };
}

/** A choice or a click in a modal, or null. */
export function readChoice(body: BlockAction, action: BlockAction['actions'][number]): Done<Choice> | null {
  if (body.view === undefined) return null;
  const value = chosenIn(action);
  return {
    ...readView(body.view, { ...whoOf(body), trigger: body.trigger_id }),
    action: action.action_id,
    value: typeof value === 'string' ? value : '',
  };
}

export function readSubmission(body: ViewSubmitAction): Done<Returned> {
  return readView(body.view, { ...whoOf(body), trigger: body.trigger_id });
}

/** A person's mention of us; null for what bots say, ourselves included. */
export function readMention(
  event: AppMentionEvent,
  { team_id: ours, event_id: trigger }: { readonly team_id: string; readonly event_id: string },
): Done<Mention> | null {
  const { user, channel, thread_ts: thread = null } = event;
  if (user === undefined || event.bot_id !== undefined || event.subtype === 'bot_message') return null;
  const team = event.user_team ?? event.source_team ?? event.team ?? ours;
  return { user, team, channel, trigger, text: event.text, thread, origin: { user, channel, thread, url: null } };
}

const Metadata = z.object({ channel: z.string().default(''), url: z.string().nullable().default(null) });

function readView(
  { id, callback_id: callback, private_metadata: metadata, state }: ViewOutput,
  who: { user: string; team: string; trigger: string },
): Done<Returned> {
  const parsed = Metadata.safeParse(parseJson(metadata));
  const { channel, url } = parsed.success ? parsed.data : { channel: '', url: null };
  const values = Object.entries(state.values).map(([block, elements]) => {
    const chosen = Object.values(elements).map(chosenIn);
    return [block, chosen.find((value) => value !== null) ?? null] as const;
  });
  const origin = { user: who.user, channel, thread: null, url };
  return { ...who, channel, viewId: id, callback, metadata, values: Object.fromEntries(values), origin };
}

const Option = z.object({ value: z.string() });
const Element = z.looseObject({
  value: z.string().nullish(),
  selected_option: Option.nullish(),
  selected_options: z.array(Option).optional(),
});

/** What is chosen or typed in an element: one value, or several where it takes several. */
function chosenIn(element: object): string | readonly string[] | null {
  const parsed = Element.safeParse(element);
  if (!parsed.success) return null;
  const { value, selected_option: one, selected_options: several } = parsed.data;
  return several?.map((option) => option.value) ?? one?.value ?? value ?? null;
}

interface Whose {
  readonly user: { readonly id: string; readonly team_id?: string | undefined };
  readonly team: { readonly id: string } | null;
}

function whoOf({ user, team }: Whose): { user: string; team: string } {
  return { user: user.id, team: user.team_id ?? team?.id ?? '' };
}

function isButton(action: BlockAction['actions'][number]): action is ButtonAction {
  return action.type === 'button';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null; // none of ours: read as a modal that carries nothing
  }
}
