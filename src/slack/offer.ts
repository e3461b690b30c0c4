/** A launch that doesn't fit now: who has what, since when, and what can be done about it. Nothing is written down for it. */

import type { ActionsBlock, Button } from '@slack/types';
import { z } from 'zod';
import type { Message } from '../chat.ts';
import { list } from '../list.ts';
import { section } from '../report/blocks.ts';
import { clip, code, escapeText } from '../report/escape.ts';
import { holderRows, runWords } from '../report/holders.ts';
import { time } from '../report/words.ts';
import type { Held } from '../requests.ts';
import { mayDo } from '../rights.ts';
import type { RunHolder } from '../run/holder.ts';
import type { Call } from './call.ts';
import { KINDS } from './kinds.ts';
import { nameOf, say } from './say.ts';

/** The buttons' names. */
export const QUEUE_ACTION = 'launch_queue';
export const REPLACE_ACTION = 'launch_replace';
export const CANCEL_ACTION = 'launch_cancel';

/** All that a button has to know: it works after any restart. `runs`: those that a Replace would end, as they were named. */
const Offered = z.object({
  host: z.string(),
  recipe: z.string(),
  trigger: z.string(),
  isForced: z.boolean().default(false),
  runs: z.array(z.string()).default([]),
});
export type Offered = z.infer<typeof Offered>;

/** Slack's limit for a button's value. */
const MOST_VALUE = 2000;
const MOST_WAITING = 5;

/** What stands in a button's value, or null where it is no value of ours. */
export function readOffered(value: string): Offered | null {
  try {
    return Offered.parse(JSON.parse(value));
  } catch {
    return null; // a button of another version
  }
}

export async function offer(call: Call, wanted: Omit<Offered, 'runs'>, held: Held): Promise<Message> {
  const { host, recipe } = wanted;
  const names = await namesOf(call, [...held.holders, ...held.ahead]);
  const runs = mayDo(call.config, call.who, 'stop', host) ? held.replaceable : [];
  const told = [
    `Refused, nothing was started: *${escapeText(recipe)}* on *${escapeText(host)}* needs what is in use.`,
    ...countWords(held),
    ...(held.holders.length === 0 ? [] : [holderRows(held.holders, names)]),
    ...lineWords(held, names),
  ];
  const head = told.join('\n');
  const buttons = actions(wanted, runs);
  return say(head, section(`${whatNow(runs, held)}${checkHint(wanted, held, call)}`), buttons);
}

/** Others' processes may be left over from a server that has ended. */
function checkHint({ host, recipe }: Omit<Offered, 'runs'>, { holders }: Held, { config }: Call): string {
  const kind = config.recipes[recipe]?.kind;
  if (kind === undefined || !holders.some((holder) => holder.kind === 'process')) return '';
  return ` ${code(`${KINDS[kind].slash} check ${host} ${recipe}`)} tells whether a process is left over, how to end it, and what else is in the way.`;
}

function countWords({ count }: Held): string[] {
  if (count === null) return [];
  const { asked, free } = count;
  const which =
    free.length === 0
      ? 'none is'
      : `only ${list(free.map((name) => `GPU ${name}`))} ${free.length === 1 ? 'is' : 'are'}`;
  return [`It asks for ${asked === 1 ? 'one GPU' : `${asked} GPUs`}; ${escapeText(which)} free.`];
}

function lineWords({ ahead }: Held, names: ReadonlyMap<string, string>): string[] {
  if (ahead.length === 0) return [];
  const rows = ahead.slice(0, MOST_WAITING).map((one) => `• ${runWords(one, names)}, since ${time(one.since)}`);
  const left = ahead.length - rows.length;
  return ['In the line for it already:', ...rows, ...(left === 0 ? [] : [`… and ${left} more`])];
}

function whatNow(runs: readonly RunHolder[], { ahead }: Held): string {
  const queue = '*Queue* waits for it, and starts it by itself when its turn comes.';
  if (runs.length === 0) return queue;
  const first = ahead.length === 0 ? '' : ' and goes before all who wait';
  return `${queue} *Replace* ends ${list(runs.map((run) => runWords(run, new Map())))} first${first}.`;
}

function actions(wanted: Omit<Offered, 'runs'>, runs: readonly RunHolder[]): ActionsBlock {
  const { host, recipe, trigger, isForced } = wanted;
  const value = (ended: readonly string[]): string => JSON.stringify({ host, recipe, trigger, isForced, runs: ended });
  const replacing = value(runs.map(({ run }) => run));
  return {
    type: 'actions',
    elements: [
      button(QUEUE_ACTION, 'Queue', value([])),
      ...(runs.length === 0 || replacing.length > MOST_VALUE ? [] : [replaceButton(wanted, runs, replacing)]),
      button(CANCEL_ACTION, 'Cancel', value([])),
    ],
  };
}

function button(action: string, text: string, value: string): Button {
  return { type: 'button', action_id: action, value, text: { type: 'plain_text', text } };
}

function replaceButton({ recipe, host }: Omit<Offered, 'runs'>, runs: readonly RunHolder[], value: string): Button {
  const names = list(runs.map(({ name }) => name));
  const those = list(runs.map((run) => `${run.name} (${run.recipe})`));
  const text = `${those} on ${host} ${runs.length === 1 ? 'ends' : 'end'}, with all that is being served or trained there. Then ${recipe} starts.`;
  return {
    ...button(REPLACE_ACTION, 'Replace', value),
    style: 'danger',
    confirm: {
      title: { type: 'plain_text', text: clip(`Stop ${names}?`, 100) },
      text: { type: 'plain_text', text: clip(text, 300) },
      confirm: { type: 'plain_text', text: 'Stop and launch' },
      deny: { type: 'plain_text', text: runs.length === 1 ? 'Keep it' : 'Keep them' },
      style: 'danger',
    },
  };
}

async function namesOf(call: Call, holders: Held['holders']): Promise<ReadonlyMap<string, string>> {
  const people = new Set(holders.flatMap((holder) => (holder.kind === 'run' ? [holder.by] : [])));
  return new Map(await Promise.all([...people].map(async (by) => [by, await nameOf(call, by)] as const)));
}
