/** `check`: all that a launch would be refused or warned for, told to who asks alone. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { findingsOf } from '../../check/sums.ts';
import { message, section } from '../../report/blocks.ts';
import { checklistBlocks, checksWords, labelsOf } from '../../report/checklist.ts';
import { code, escapeText } from '../../report/escape.ts';
import { askHost } from '../ask.ts';
import type { Call } from '../call.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { explain } from '../say.ts';
import { hostOf, recipeOf } from './arguments.ts';
import { type Command, defineCommand, mustHave } from './define.ts';
import { completeTraining } from './train.ts';

export function defineCheck(kind: Kind): Command {
  const { one } = KINDS[kind];
  const usage = kind === 'train' ? 'check [HOST] [RECIPE]' : 'check HOST RECIPE';
  return defineCommand({
    name: 'check',
    alsoCalled: ['preflight', 'validate', 'test'],
    group: 'Start',
    summary: `Look for what would keep a ${one} from starting, without starting it`,
    usage,
    example: ['check', 'HOST', 'RECIPE'],
    notes: [
      'Each launch begins with the same checks: GPUs and their memory, port, log, model and drafter on disk, packages, versions, room.',
      'One look at the host, a few seconds; nothing is started or changed there.',
    ],
    right: 'launch',
    whenClosed: 'Redis does not answer, nothing was checked. Try again in a minute.',
    args: ({ config }) => z.object({ host: hostOf(config), recipe: recipeOf(kind, config, 'check') }),
    ...(kind === 'train' ? { complete: completeTraining } : {}),
    run: ({ host, recipe }, call) => check({ host, recipe, kind }, call),
  });
}

interface Wanted {
  readonly host: string;
  readonly recipe: string;
  readonly kind: Kind;
}

/** Refuses who may not launch there: folders, processes and versions are for those who may start things. */
async function check({ host, recipe, kind }: Wanted, call: Call): Promise<Message> {
  mustHave(call, 'launch', host);
  const answer = await askHost(call, { kind: 'check', host, recipe });
  if (answer.kind === 'failed') return explain(`${answer.reason} Nothing was checked.`, null);
  const checks = answer.told;
  const refused = findingsOf(checks, 'refused');
  const what = `*${escapeText(recipe)}* on *${escapeText(host)}*`;
  const start = code(`${KINDS[kind].slash} ${KINDS[kind].start} ${host} ${recipe}`);
  const verdict =
    refused.length === 0
      ? `nothing was found that refuses it. ${start} starts it.`
      : `it would be refused: ${escapeText(labelsOf(refused))}.`;
  const head = `Checked ${what}: ${verdict} ${checksWords(checks)}.`;
  return message(head, [section(head), ...checklistBlocks(checks)]);
}
