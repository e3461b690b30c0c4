/** How phases, times and sizes are said. */

import { addressWords } from '../address.ts';
import { list } from '../list.ts';
import { isFound, isUnseen } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';
import { isRunningUnasked } from '../run/unasked.ts';
import { clip } from './escape.ts';
import { PHASE_WORDS } from './phase-words.ts';
import { placeWords } from './place-words.ts';
import { withPulse } from './pulse-words.ts';
import { standingWords } from './standing.ts';
import { trainingWords } from './training.ts';

/** What to do about a run that is lost, as mrkdwn. */
export function afterLost(run: Run): string {
  const next = isFound(run) ? 'and ask who started it' : 'then launch again when it is as it should be';
  return `*What to do:* look at \`dmesg -T\` and \`uptime\` on the host, ${next}.`;
}

/** A time in the reader's own zone, for mrkdwn; `at` in ms. The fallback is UTC. */
export function time(at: number): string {
  const utc = new Date(at).toISOString();
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time}|${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC>`;
}

/** The same with its seconds, where the order of things matters. */
export function clock(at: number): string {
  const utc = new Date(at).toISOString();
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time_secs}|${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC>`;
}

/** Where a server answers. */
export function servedAt({ request: { address } }: Run): string {
  return address === null ? 'no address' : addressWords(address);
}

/** `port 8000`, of a training `target on port 8001`, or null where it listens nowhere. Without markup. */
export function listensWords({ kind, address }: Pick<Run['request'], 'kind' | 'address'>): string | null {
  if (address === null) return null;
  return kind === 'train' ? `target on ${addressWords(address)}` : addressWords(address);
}

/** What a server calls its model, for a sentence that is read at a glance: of a path its last part. Without markup. */
export function servedName(model: string): string {
  const last = /^[/~.]/.test(model) ? model.split('/').findLast((part) => part !== '') : model;
  return clip(last ?? model, 200);
}

/** `GPU 0`, `GPUs 0 and 1`, `2 GPUs` where they are not chosen yet, or null where the recipe takes none. */
export function gpuWords(gpus: number | readonly string[]): string | null {
  if (typeof gpus === 'number') return `${gpus} GPU${gpus === 1 ? '' : 's'}`;
  if (gpus.length === 0) return null;
  return gpus.length === 1 ? `GPU ${gpus[0]}` : `GPUs ${list(gpus)}`;
}

/** The slash command that asks about such a run. */
export function slashOf({ request }: Pick<Run, 'request'>): '/vllm' | '/dflash' {
  return request.kind === 'train' ? '/dflash' : '/vllm';
}

/** The line that shows the end of its log: `/vllm logs kpro5-3`. */
export function logsLine(run: Pick<Run, 'request'>): string {
  return `${slashOf(run)} logs ${run.request.name}`;
}

/** The line that starts the same once more: `/vllm launch kpro5 dflash`. */
export function startLine({ request }: Pick<Run, 'request'>): string {
  const { kind, host, recipe } = request;
  return `${slashOf({ request })} ${kind === 'train' ? 'train' : 'launch'} ${host} ${recipe}`;
}

/** What the run is doing now, in a few words without markup: `Loading weights 12/15`. */
export function stateWords(run: Run): string {
  if (run.failure?.kind === 'refused') return 'Not started';
  if (run.phase === 'stopped' && run.stop !== null && !run.stop.proven)
    return run.stop.isGone === false ? 'Told to stop, not all gone' : 'Stopped, not proved';
  const words = PHASE_WORDS[run.phase];
  if (isEnd(run.phase)) return isUnseen(run) ? `${words}, says the log` : words;
  if (run.stopBy !== null) return 'Stopping';
  if (run.waiting !== null) return `${words}, ${placeWords(run.waiting)}`;
  return withPulse(run, doingWords(run));
}

/** What it does, whatever the pulse says of that: `Loading weights 12/15`. */
export function doingWords(run: Run): string {
  return run.request.kind === 'train' ? trainingWords(run) : serverWords(PHASE_WORDS[run.phase], run);
}

function serverWords(words: string, run: Run): string {
  if (isRunningUnasked(run)) return 'Started, not verified';
  const standing = standingWords(run);
  if (standing !== null) return standing;
  const { phase, progress } = run;
  return progress?.phase === phase ? `${words} ${progress.done}/${progress.total}` : words;
}

/** What a signal or a shell's own exit code means, where that helps; else null. */
export function exitHint(exit: { readonly code: number | null; readonly signal: number | null }): string | null {
  const signal = exit.signal ?? (exit.code !== null && exit.code > 128 ? exit.code - 128 : null);
  if (signal === null) return (exit.code === null ? undefined : SHELL_CODES[exit.code]) ?? null;
  const known = SIGNALS[signal];
  return known === undefined ? null : `Signal ${signal} is ${known}.`;
}

const SHELL_CODES: Readonly<Record<number, string>> = {
  126: 'Exit code 126: the shell found the command, but it may not be run.',
  127: 'Exit code 127: the shell did not find the command.',
};

const SIGNALS: Readonly<Record<number, string>> = {
  2: 'SIGINT: somebody pressed Ctrl-C or sent an interrupt',
  4: 'SIGILL: the binary uses an instruction that this CPU lacks',
  6: 'SIGABRT: the program ended itself, usually after a fatal error in C++ or CUDA',
  7: 'SIGBUS: often /dev/shm is full',
  9: "SIGKILL: the kernel's out-of-memory killer or a kill -9; dmesg on the host tells which",
  11: 'SIGSEGV: a crash in native code',
  15: 'SIGTERM: somebody or something asked the process to end',
};
