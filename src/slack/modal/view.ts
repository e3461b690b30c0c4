/** The modal itself: two lists, two ticks, and what the launch would meet. */

import type { Checkboxes, InputBlock, KnownBlock, ModalView, PlainTextElement, PlainTextOption } from '@slack/types';
import { context, section } from '../../report/blocks.ts';
import { clean, clip, code, markup } from '../../report/escape.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { type Carried, FIELDS, TICKED, writeCarried } from './fields.ts';
import { type Offered, onlyOnes } from './offered.ts';

/** The callback_id of our modals. */
export const LAUNCH_CALLBACK = 'launch';

const WORDS: Readonly<Record<Kind, { readonly title: string; readonly submit: string }>> = {
  serve: { title: 'Launch a server', submit: 'Launch' },
  train: { title: 'Train a drafter', submit: 'Train' },
};

/** Slack's limits: options of a list, characters of an option's text and of its description. */
const MOST_OPTIONS = 100;
const OPTION = 75;

export interface Form {
  readonly carried: Carried;
  readonly offered: Offered;
  /** The chosen one: whether its checks can be overridden depends on it. */
  readonly host: string | null;
  /** Below the fields: what the launch would meet, or why that isn't known. */
  readonly preview: readonly KnownBlock[];
}

export function launchView({ carried, offered, host, preview }: Form): ModalView {
  const { title, submit } = WORDS[offered.kind];
  const words = KINDS[offered.kind];
  const only = onlyOnes(offered);
  const hosts = offered.hosts.map((name) => option(name, null));
  const recipes = offered.recipes.map(({ name, about }) => option(name, about));
  return {
    ...frame(carried, title),
    submit: plain(submit),
    blocks: [
      choice({ field: FIELDS.host, label: 'Host', options: hosts, only: only.host, words }),
      choice({ field: FIELDS.recipe, label: 'Recipe', options: recipes, only: only.recipe, words }),
      tick(FIELDS.queue, 'If something is in its way', 'Wait in the line', 'It starts by itself when its turn comes.'),
      ...(host !== null && offered.forcible.includes(host) ? [FORCE] : []),
      ...(offered.missing === null ? [] : [context([markup(offered.missing)])]),
      { type: 'divider' },
      ...preview,
    ],
  };
}

/** The modal without its fields, when nothing can be chosen in it any more; `reason` is a sentence that may name anything. */
export function closedView(carried: Carried, reason: string): ModalView {
  return {
    ...frame(carried, WORDS[carried.kind].title),
    close: plain('Close'),
    blocks: [section(markup(clip(reason, 1500)))],
  };
}

/** Below the fields while something is still to be chosen. */
export const TO_CHOOSE: readonly KnownBlock[] = [
  context(['What it would run and what is in its way is shown here as soon as both are chosen.']),
];

/** Below the fields while the host is asked. */
export function looking(host: string): readonly KnownBlock[] {
  return [context([`Looking at ${code(host)} … Nothing has been started.`])];
}

function frame(carried: Carried, title: string) {
  return {
    type: 'modal',
    callback_id: LAUNCH_CALLBACK,
    private_metadata: writeCarried(carried),
    title: plain(title),
    close: plain('Cancel'),
  } as const;
}

interface Choosing {
  readonly field: string;
  readonly label: string;
  readonly options: readonly PlainTextOption[];
  /** Chosen from the start, or null. */
  readonly only: string | null;
  readonly words: { readonly slash: string; readonly start: string };
}

function choice({ field, label, options, only, words: { slash, start } }: Choosing): InputBlock {
  const chosen = options.find(({ value }) => value === only);
  const left = options.length - MOST_OPTIONS;
  return {
    type: 'input',
    block_id: field,
    dispatch_action: true,
    label: plain(label),
    ...(left > 0 ? { hint: plain(`${left} more are not shown: ${slash} ${start} HOST RECIPE takes them.`) } : {}),
    element: {
      type: 'static_select',
      action_id: field,
      placeholder: plain('Choose one'),
      options: options.slice(0, MOST_OPTIONS),
      ...(chosen === undefined ? {} : { initial_option: chosen }),
    },
  };
}

function option(name: string, about: string | null): PlainTextOption {
  return {
    text: plain(clip(name, OPTION)),
    value: name,
    ...(about === null ? {} : { description: plain(clip(clean(about), OPTION)) }),
  };
}

function tick(field: string, label: string, text: string, description: string): InputBlock {
  const element: Checkboxes = {
    type: 'checkboxes',
    action_id: field,
    options: [{ text: plain(text), value: TICKED, description: plain(description) }],
  };
  return { type: 'input', block_id: field, optional: true, label: plain(label), element };
}

const FORCE = tick(
  FIELDS.force,
  'If its checks refuse it',
  'Start it all the same',
  'The thread names what was overridden.',
);

function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}
