/** Which run somebody means by a word. */

import type { Verb } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { list, lower, stateWords } from '../report/words.ts';
import type { RunSummary } from '../requests.ts';
import { mayDo } from '../rights.ts';
import { isEnd } from '../run/run.ts';
import type { Call } from './call.ts';
import { meantBy, mustHave, unknownWord } from './commands/define.ts';

/**
 * The run called so: its short name, its id, a host with one live run, or `last`. A run that the caller may not see is not told of;
 * one that they may see without having the right is refused.
 */
export async function findRun(call: Call, right: Verb, word: string): Promise<RunSummary> {
  const found = runCalled(word, await visibleRuns(call, right), call);
  mustHave(call, right, found.run.request.host);
  return found;
}

function runCalled(word: string, runs: readonly RunSummary[], call: Call): RunSummary {
  const typed = word.toLowerCase();
  if (typed === 'last') return lastRun(call, runs);
  const named = runs.find(({ run }) => run.request.name.toLowerCase() === typed || run.request.id === word);
  if (named !== undefined) return named;
  const host = Object.keys(call.config.hosts).find((name) => name.toLowerCase() === typed);
  if (host !== undefined) return onHost(host, runs);
  const known = runs.slice(0, 10).map(tag);
  const allowed = known.length === 0 ? 'No run that you may see was launched lately.' : `Runs: ${list(known)}.`;
  throw new UsageError(unknownWord({ noun: 'run', word, meant: meantBy(word, words(runs)), allowed }));
}

/** What names one of these runs: a host does so only while it has a live one. */
function words(runs: readonly RunSummary[]): readonly string[] {
  const names = runs.map(({ run }) => run.request.name);
  const hosts = runs.filter(({ run }) => !isEnd(run.phase)).map(({ run }) => run.request.host);
  return [...names, ...new Set(hosts), ...(runs.length === 0 ? [] : ['last'])];
}

/** The runs on hosts that the caller may see, or has this right on, newest first. */
export async function visibleRuns(call: Call, right: Verb): Promise<readonly RunSummary[]> {
  const runs = await call.desk.runs();
  const may = (verb: Verb, host: string) => mayDo(call.config, call.from.user, verb, host);
  return runs.filter(({ run }) => may('see', run.request.host) || may(right, run.request.host));
}

function lastRun(call: Call, runs: readonly RunSummary[]): RunSummary {
  const last = runs.find(({ run }) => run.request.by === call.from.user) ?? runs[0];
  if (last === undefined) throw new UsageError('There is no last run: none was launched that you may see.');
  return last;
}

function onHost(host: string, runs: readonly RunSummary[]): RunSummary {
  const here = runs.filter(({ run }) => run.request.host === host);
  const live = here.filter(({ run }) => !isEnd(run.phase));
  const only = live[0];
  if (only !== undefined && live.length === 1) return only;
  if (live.length > 1)
    throw new UsageError(`${host} has ${live.length} live runs: ${list(live.map(tag))}. Name one of them.`);
  const newest = here[0];
  const hint = newest === undefined ? '' : ` Its newest run was ${tag(newest)}: name it to ask about it.`;
  throw new UsageError(`${host} has no live run that you may see.${hint}`);
}

/** `kpro5-3 (dflash, loading weights 3/15)`. */
function tag({ run }: RunSummary): string {
  return `${run.request.name} (${run.request.recipe}, ${lower(stateWords(run))})`;
}
