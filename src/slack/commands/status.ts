import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { context, section } from '../../report/blocks.ts';
import { renderCard } from '../../report/card.ts';
import { code, escapeText } from '../../report/escape.ts';
import { lower } from '../../report/phase-words.ts';
import { runTailLine } from '../../report/terminal.ts';
import { stateWords, time } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import { isFound } from '../../run/request.ts';
import { isEnd } from '../../run/run.ts';
import { within } from '../../within.ts';
import type { Call } from '../call.ts';
import { findRun, visibleRuns } from '../find-run.ts';
import { KINDS, type Kind, statusLine } from '../kinds.ts';
import { nameOf, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

const MOST_ROWS = 20;

export function defineStatus(kind: Kind): Command {
  return defineCommand({
    name: 'status',
    summary: `List the live ${KINDS[kind].many}, or tell all about one`,
    usage: 'status [RUN]',
    notes: [`Only ${KINDS[kind].many} on hosts that you may see are listed.`],
    right: 'see',
    whenClosed: "Redis does not answer: how the runs stand can't be told now. They go on. Try again in a minute.",
    args: () => z.object({ run: runWord().optional() }),
    run: async ({ run }, call) => {
      if (run === undefined) return overview(call, kind);
      return details(call, await findRun(call, run, { kind, right: 'see', verb: 'status' }));
    },
  });
}

async function overview(call: Call, kind: Kind): Promise<Message> {
  const { slash, start, one, many, works } = KINDS[kind];
  const visible = await visibleRuns(call, 'see');
  const runs = visible.filter(({ run }) => run.request.kind === kind && !isEnd(run.phase));
  if (runs.length === 0)
    return say(`Nothing ${works} that you may see. ${code(`${slash} ${start} HOST RECIPE`)} starts something.`);
  const rows = await Promise.all(runs.slice(0, MOST_ROWS).map((summary) => row(call, summary)));
  const left = runs.length - rows.length;
  const head = `${runs.length === 1 ? `One live ${one}` : `${runs.length} live ${many}`}:`;
  const all = code(statusLine(kind, 'RUN'));
  const more = left === 0 ? [] : [section(`… and ${left} more; ${all} tells all about one.`)];
  return say(head, ...grouped(rows), ...more);
}

/** A few rows a section: a section holds 3,000 characters. */
function grouped(rows: readonly string[]): KnownBlock[] {
  const groups = Array.from({ length: Math.ceil(rows.length / 5) }, (_, index) => rows.slice(index * 5, index * 5 + 5));
  return groups.map((group) => section(group.join('\n')));
}

async function row(call: Call, { run }: RunSummary): Promise<string> {
  const { name, recipe, host, by } = run.request;
  const whose = by === '' ? 'found by the patrol' : `${isFound(run) ? 'watched for' : 'by'} ${await nameOf(call, by)}`;
  const since = run.visits.at(-1)?.at ?? run.request.at;
  const state = escapeText(lower(stateWords(run)));
  return `• ${code(name)} *${escapeText(recipe)}* on *${escapeText(host)}*: ${state} since ${time(since)}, ${whose}`;
}

/** The run's card without its button, and the way to its thread. */
async function details(call: Call, { run, root }: RunSummary): Promise<Message> {
  const [requesterName, link] = await Promise.all([
    run.request.by === '' ? '' : nameOf(call, run.request.by),
    root === null
      ? null
      : within(
          call.limits.person / 2,
          call.chat.permalink(root).catch(() => null),
        ),
  ]);
  const card = renderCard(run, { requesterName, stopperName: null, hostLine: runTailLine(call.config, run) });
  const isLinked = link !== null && link !== 'late';
  const thread =
    root === null
      ? 'Its thread is not posted yet.'
      : isLinked
        ? `<${link}|Open its thread>`
        : `Its thread is in <#${root.channel}>.`;
  return { text: card.text, blocks: [...card.blocks.filter((block) => block.type !== 'actions'), context([thread])] };
}
