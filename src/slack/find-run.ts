/** Which run somebody means by a word. */

import type { Verb } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { HistoryEntry } from '../history/entry.ts';
import { list } from '../list.ts';
import { lower } from '../report/phase-words.ts';
import { stateWords } from '../report/words.ts';
import type { RunSummary } from '../requests.ts';
import { mayDo } from '../rights.ts';
import type { Request } from '../run/request.ts';
import { isEnd } from '../run/run.ts';
import type { Call } from './call.ts';
import { meantBy, unknownWord } from './commands/arguments.ts';
import { mustHave } from './commands/define.ts';
import { notFound } from './commands/refusal-words.ts';
import { KINDS, type Kind } from './kinds.ts';
import { onlyHistory } from './past-answer.ts';
import { Elsewhere } from './refusals.ts';

/** What is to be done with a run: of which kind it must be, what one must be allowed for it, and the verb that asks for it. */
export interface Purpose {
  readonly kind: Kind;
  readonly right: Verb;
  readonly verb: string;
}

/** A run, or what the history has of one that ended long ago. */
export type AnyRun = RunSummary | { readonly past: HistoryEntry };

/**
 * The run called so: its short name, its id, a host with one live run of the kind, or `last`. A run that the caller may not see is not told
 * of; one that they may see without having the right is refused, and so is one of the other kind, with the line that takes it.
 */
export async function findRun(call: Call, word: string, purpose: Purpose): Promise<RunSummary> {
  const found = await findAnyRun(call, word, purpose);
  if ('past' in found) throw onlyHistory(found.past, 'Nothing was done.', call.config);
  return found;
}

/** Likewise, but a run of which only the history is left is found as well, by its name or id. */
export async function findAnyRun(call: Call, word: string, purpose: Purpose): Promise<AnyRun> {
  const runs = await visibleRuns(call, purpose.right);
  const isKnown = runs.some(({ run: { request } }) => request.id === word || isCalled(request.name, word));
  const past = isKnown || isWordForOne(call, word) ? null : await call.desk.past(word);
  if (past === null || !isVisible(call, purpose.right, past.host)) {
    const found = runCalled(word, { call, purpose, runs });
    mustHave(call, purpose.right, found.run.request.host);
    return found;
  }
  mustHave(call, purpose.right, past.host);
  if (past.kind !== purpose.kind) return refuseOther(past, purpose);
  // It ended before the newest that are listed.
  return (await call.desk.run(past.run)) ?? { past };
}

/** `last`, and the name of a host. */
function isWordForOne({ config }: Call, word: string): boolean {
  return isCalled('last', word) || Object.keys(config.hosts).some((host) => isCalled(host, word));
}

function isCalled(name: string, word: string): boolean {
  return name.toLowerCase() === word.toLowerCase();
}

interface Search {
  readonly call: Call;
  readonly purpose: Purpose;
  readonly runs: readonly RunSummary[];
}

function runCalled(word: string, search: Search): RunSummary {
  const { call, purpose, runs } = search;
  const { one, many } = KINDS[purpose.kind];
  const fitting = runs.filter((summary) => isOf(purpose.kind, summary));
  const typed = word.toLowerCase();
  if (typed === 'last') return lastRun(fitting, search);
  const named = runs.find(({ run }) => run.request.name.toLowerCase() === typed || run.request.id === word);
  if (named !== undefined) return isOf(purpose.kind, named) ? named : refuseOther(named.run.request, purpose);
  const host = Object.keys(call.config.hosts).find((name) => name.toLowerCase() === typed);
  if (host !== undefined) return onHost(host, fitting, search);
  const known = fitting.slice(0, 10).map(tag);
  const title = `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
  const allowed = known.length === 0 ? `No ${one} that you may see ran lately.` : `${title}: ${list(known)}.`;
  const message = unknownWord({ noun: 'run', word, meant: meantBy(word, words(fitting)), allowed });
  throw notFound(call, message, 'see', purpose.right);
}

function isOf(kind: Kind, { run }: RunSummary): boolean {
  return run.request.kind === kind;
}

function refuseOther({ name, kind }: Pick<Request, 'name' | 'kind'>, { verb }: Purpose): never {
  throw new Elsewhere(`${name} is a ${KINDS[kind].one}.`, [KINDS[kind].slash, verb, name]);
}

/** What names one of these runs: a host does so only while it has a live one. */
function words(runs: readonly RunSummary[]): readonly string[] {
  const names = runs.map(({ run }) => run.request.name);
  const hosts = runs.filter(({ run }) => !isEnd(run.phase)).map(({ run }) => run.request.host);
  return [...names, ...new Set(hosts), ...(runs.length === 0 ? [] : ['last'])];
}

/** The runs of both kinds on hosts that the caller may see, or has this right on, newest first. */
export async function visibleRuns(call: Call, right: Verb): Promise<readonly RunSummary[]> {
  const runs = await call.desk.runs();
  return runs.filter(({ run }) => isVisible(call, right, run.request.host));
}

function isVisible({ config, who }: Call, right: Verb, host: string): boolean {
  return mayDo(config, who, 'see', host) || mayDo(config, who, right, host);
}

function lastRun(runs: readonly RunSummary[], { call, purpose }: Search): RunSummary {
  const last = runs.find(({ run }) => run.request.by === call.from.user) ?? runs[0];
  if (last !== undefined) return last;
  const message = `There is no last ${KINDS[purpose.kind].one}: none ran lately that you may see.`;
  throw notFound(call, message, 'see', purpose.right);
}

function onHost(host: string, fitting: readonly RunSummary[], { call, purpose, runs }: Search): RunSummary {
  const { one, many } = KINDS[purpose.kind];
  const here = fitting.filter(({ run }) => run.request.host === host);
  const live = here.filter(({ run }) => !isEnd(run.phase));
  const only = live[0];
  if (only !== undefined && live.length === 1) return only;
  if (live.length > 1)
    throw new UsageError(`${host} has ${live.length} live ${many}: ${list(live.map(tag))}. Name one of them.`);
  const others = runs.filter((other) => other.run.request.host === host && !isEnd(other.run.phase));
  const other = others[0];
  if (other !== undefined && others.length === 1) {
    const { kind, name } = other.run.request;
    const message = `${host} has no live ${one} that you may see, but a ${KINDS[kind].one}: ${tag(other)}.`;
    throw new Elsewhere(message, [KINDS[kind].slash, purpose.verb, name]);
  }
  const newest = here[0];
  const hint = newest === undefined ? '' : ` Its newest one was ${tag(newest)}: name it to ask about it.`;
  throw notFound(call, `${host} has no live ${one} that you may see.${hint}`, 'see', purpose.right);
}

/** `kpro5-3 (dflash, loading weights 3/15)`. */
function tag({ run }: RunSummary): string {
  return `${run.request.name} (${run.request.recipe}, ${lower(stateWords(run))})`;
}
