import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { context, section } from '../../report/blocks.ts';
import { renderDetails } from '../../report/card.ts';
import { stateEmoji, urgency } from '../../report/emoji.ts';
import { code, escapeText, markup } from '../../report/escape.ts';
import { loadInShort } from '../../report/load.ts';
import { lower } from '../../report/phase-words.ts';
import { withoutColon } from '../../report/sentence.ts';
import { standingOf } from '../../report/standing.ts';
import { stateWords, time } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import { isFound } from '../../run/request.ts';
import { isEnd, type Run } from '../../run/run.ts';
import type { Call } from '../call.ts';
import { type AnyRun, findAnyRun, visibleRuns } from '../find-run.ts';
import { KINDS, type Kind, statusLine } from '../kinds.ts';
import { pastAnswer } from '../past-answer.ts';
import { viewOf } from '../run-view.ts';
import { nameOf, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';
import { missingWords } from './refusal-words.ts';

const MOST_ROWS = 40;

export function defineStatus(kind: Kind): Command {
  return defineCommand({
    name: 'status',
    alsoCalled: ['ps', 'list', 'ls', 'show', 'state', 'info', 'top', 'live'],
    group: 'Look',
    summary: `List the live ${KINDS[kind].many}, or tell all about one`,
    usage: 'status [RUN]',
    example: ['status', 'RUN'],
    notes: [`Only ${KINDS[kind].many} on hosts that you may see are listed; what needs a person stands first.`],
    right: 'see',
    whenClosed: "Redis does not answer: how the runs stand can't be told now. They go on. Try again in a minute.",
    args: () => z.object({ run: runWord().optional() }),
    run: async ({ run }, call) => {
      if (run === undefined) return overview(call, kind);
      return details(call, await findAnyRun(call, run, { kind, right: 'see', verb: 'status' }));
    },
  });
}

async function overview(call: Call, kind: Kind): Promise<Message> {
  const { slash, start, works } = KINDS[kind];
  const visible = await visibleRuns(call, 'see');
  const runs = visible
    .filter(({ run }) => run.request.kind === kind && !isEnd(run.phase))
    .toSorted((one, other) => urgency(one.run) - urgency(other.run));
  const missing = missingBlocks(call);
  if (runs.length === 0)
    return say(
      `Nothing ${works} that you may see. ${code(`${slash} ${start} HOST RECIPE`)} starts something.`,
      ...missing,
    );
  const rows = await Promise.all(runs.slice(0, MOST_ROWS).map((summary) => row(call, summary)));
  const left = runs.length - rows.length;
  const all = code(statusLine(kind, 'RUN'));
  const more = left === 0 ? [] : [section(`… and ${left} more; ${all} tells all about one.`)];
  return say(headOf(runs, kind), ...grouped(rows), ...more, ...missing);
}

/** Below what somebody is shown, where that may not be all of it. */
export function missingBlocks(call: Call): KnownBlock[] {
  const words = missingWords(call, 'see');
  return words === null ? [] : [context([markup(words)])];
}

/** `One live server:`, `5 live servers, 2 of them need a person now:` */
function headOf(runs: readonly RunSummary[], kind: Kind): string {
  const { one, many } = KINDS[kind];
  const urgent = runs.filter(({ run }) => urgency(run) === 0).length;
  if (runs.length === 1) return urgent === 0 ? `One live ${one}:` : `One live ${one}, and it needs a person now:`;
  const need = urgent === 0 ? '' : `, ${urgent} of them ${urgent === 1 ? 'needs' : 'need'} a person now`;
  return `${runs.length} live ${many}${need}:`;
}

/** A few rows a section: a section holds 3,000 characters. */
export function grouped(rows: readonly string[]): KnownBlock[] {
  const groups = Array.from({ length: Math.ceil(rows.length / 5) }, (_, index) => rows.slice(index * 5, index * 5 + 5));
  return groups.map((group) => section(group.join('\n')));
}

async function row(call: Call, { run }: RunSummary): Promise<string> {
  const { name, recipe, host, by } = run.request;
  const whose = by === '' ? 'found by the patrol' : `${isFound(run) ? 'watched for' : 'by'} ${await nameOf(call, by)}`;
  const words = [stateSince(run), loadOf(run), whose].filter((word) => word !== null);
  return `${stateEmoji(run)} ${code(name)} *${escapeText(recipe)}* on *${escapeText(host)}*: ${words.join(', ')}`;
}

/** `ready since …`; of what is up and not well: what is wrong, and since when it is up. */
function stateSince(run: Run): string {
  const state = escapeText(lower(withoutColon(stateWords(run))));
  const since = time(run.visits.at(-1)?.at ?? run.request.at);
  return (standingOf(run) ?? 'well') === 'well' ? `${state} since ${since}` : `${state}, up since ${since}`;
}

/** Of a server that is dead, hangs or can't be heard, what it had to do is not true any more. */
function loadOf(run: Run): string | null {
  const standing = standingOf(run);
  const load = run.vitals?.load ?? null;
  const isOld = run.pulse === 'out_of_contact' || standing === null || standing === 'dead' || standing === 'hangs';
  return load === null || isOld ? null : loadInShort(load);
}

/** All about the run, and the way to its thread. */
async function details(call: Call, found: AnyRun): Promise<Message> {
  if ('past' in found) return pastAnswer(call, found.past);
  const { view, thread } = await viewOf(call, found);
  const { text, blocks } = renderDetails(found.run, { ...view, stopperName: null });
  return { text, blocks: [...blocks, context([thread])] };
}
