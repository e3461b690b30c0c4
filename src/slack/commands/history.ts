import { z } from 'zod';
import type { Message } from '../../chat.ts';
import type { Past } from '../../history/entry.ts';
import { list } from '../../list.ts';
import { context } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { historyRow } from '../../report/history.ts';
import { hostsWith } from '../../rights.ts';
import type { Call } from '../call.ts';
import { KINDS, type Kind, otherThan } from '../kinds.ts';
import { wayTo } from '../past-answer.ts';
import { Elsewhere } from '../refusals.ts';
import { say } from '../say.ts';
import { known, meantBy, recipesOf, unknownWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';
import { notFound } from './refusal-words.ts';
import { grouped, missingBlocks } from './status.ts';

const MOST_ROWS = 15;
/** So many names are told where one isn't known. */
const MOST_NAMES = 12;

export function defineHistory(kind: Kind): Command {
  const { many } = KINDS[kind];
  return defineCommand({
    name: 'history',
    alsoCalled: ['past', 'ended', 'runs'],
    group: 'Look',
    summary: `List the ${many} that ended, the newest first`,
    usage: 'history [HOST|RECIPE]',
    example: ['history', 'RECIPE'],
    notes: [
      `Only ${many} on hosts that you may see are listed, at most ${MOST_ROWS}.`,
      '`npm run --silent history` where Vigil runs prints all of them as JSON lines.',
    ],
    right: 'see',
    whenClosed: "Redis does not answer: the history can't be shown now. Try again in a minute.",
    args: () => z.object({ of: z.string().optional() }),
    run: async ({ of = null }, call) => {
      const hosts = hostsWith(call.config, call.who, 'see');
      const past = await call.desk.history({ kind, hosts, of, most: MOST_ROWS });
      if (past.total > 0) return listing(call, past, { kind, of });
      return nothing(call, past, { kind, of, hosts });
    },
  });
}

interface Asked {
  readonly kind: Kind;
  readonly of: string | null;
}

async function listing(call: Call, { entries, total }: Past, { kind, of }: Asked): Promise<Message> {
  const rows = await Promise.all(
    entries.map(async (entry) => historyRow(entry, entry.thread === null ? null : await wayTo(call, entry.thread))),
  );
  const { one, many } = KINDS[kind];
  const whose = of === null ? '' : ` of *${escapeText(of)}*`;
  const head = total === 1 ? `One ${one}${whose} has ended:` : `${total} ${many}${whose} have ended, the newest first:`;
  const left = total - rows.length;
  const all = `${code(`npm run --silent history -- --kind ${kind}`)} where Vigil runs prints all as JSON lines.`;
  return say(
    head,
    ...grouped(rows),
    context([left === 0 ? all : `… and ${left} more. ${all}`]),
    ...missingBlocks(call),
  );
}

/** None has ended; or the word names nothing that there is. */
function nothing(
  call: Call,
  { recipes }: Past,
  { kind, of, hosts }: Asked & { readonly hosts: readonly string[] },
): Message {
  const { one } = KINDS[kind];
  const { config } = call;
  if (of === null) return say(`No ${one} has ended yet on the hosts that you may see.`, ...missingBlocks(call));
  const choices = [...new Set([...hosts, ...recipesOf(kind, config), ...recipes])];
  const name = known(of, choices);
  if (name !== null) return say(`No ${one} of *${escapeText(name)}* has ended yet.`, ...missingBlocks(call));
  const other = otherThan(kind);
  const theirs = known(of, recipesOf(other, config));
  if (theirs !== null)
    throw new Elsewhere(`${theirs} is a ${KINDS[other].one}'s recipe.`, [KINDS[other].slash, 'history', theirs]);
  const meant = meantBy(of, choices);
  const allowed = `There are ${list(choices.slice(0, MOST_NAMES))}.`;
  throw notFound(call, unknownWord({ noun: 'host or recipe', word: of, meant, allowed }), 'see');
}
