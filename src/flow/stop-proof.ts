/** What proves that a run is gone, one sentence a fact; what speaks against it stands first, with what a person can do. */

import type { Started } from '../host/launch.ts';
import type { Listener, Pid, Writer } from '../host/process.ts';
import type { GpuView, Leftover, StopView, Swept } from '../host/stop.ts';
import { isFound } from '../run/request.ts';
import type { Run, StopProof } from '../run/run.ts';
import { type Fact, gone, named, numbers, there, type Way } from './stop-fact.ts';
import { gpuFacts } from './stop-gpus.ts';
import { leftFacts } from './stop-left.ts';
import { portFact } from './stop-port.ts';

export interface Seen {
  readonly run: Run;
  readonly started: Started;
  readonly way: Way;
  /** The last look, and who of the run was found then. */
  readonly look: StopView & { readonly found: readonly Pid[] };
  /** Who listened before the first signal; null where nobody was asked. */
  readonly before: Listener | null;
  /** Every process that was ever seen of the run. */
  readonly tree: readonly Pid[];
  readonly left: readonly Leftover[];
  /** What came up while it was looked for at the end. */
  readonly swept: Swept;
  /** What belongs to it and was not on the list that was confirmed, of what somebody started by hand. */
  readonly beside: readonly Leftover[];
  readonly gpu: GpuView;
  /** Those who write its logs and were never seen in its tree. */
  readonly writers: readonly Writer[];
}

export function proofOf(seen: Seen): StopProof {
  const { run, gpu, tree, look } = seen;
  const facts = [
    ...processFacts(seen),
    exitFact(seen),
    ...portFacts(seen),
    ...(seen.beside.length === 0 ? [] : [there(besideWords(seen.beside))]),
    ...(seen.writers.length === 0 ? [] : [there(writerWords(seen.writers, run))]),
    ...gpuFacts({ run, gpu, tree, running: look.running }),
  ];
  const sorted = [...facts].sort((one, other) => RANK[one.says] - RANK[other.says]);
  return {
    proven: facts.every(({ says }) => says === 'gone'),
    isGone: facts.every(({ says }) => says !== 'there'),
    evidence: sorted.map(({ words }) => words),
  };
}

const RANK = { there: 0, unknown: 1, gone: 2 } as const;

function processFacts(seen: Seen): readonly Fact[] {
  const { way, tree, run, swept } = seen;
  if (way.kind === 'restart') return [gone(`${way.why} Its processes ended with that, and nothing was signalled.`)];
  const left = leftFacts(seen);
  if (left.length > 0) return left;
  const all = tree.length === 1 ? 'The process is gone' : `All ${tree.length} processes are gone`;
  if (way.kind === 'before')
    return [gone(`${all}. ${tree.length === 1 ? 'It' : 'They'} had ended before anything was signalled.`)];
  const killed = [...(way.kind === 'killed' ? way.pids : []), ...swept.pids];
  return [gone(`${all}.`), ...(killed.length === 0 ? [] : [gone(killedWords(killed, run))])];
}

function killedWords(pids: readonly number[], { request }: Run): string {
  const who = pids.length === 1 ? `pid ${pids[0]} was` : `${pids.length} of them were`;
  const lost = request.kind === 'train' ? ' A checkpoint that was being saved may be cut off.' : '';
  return `TERM was not enough within ${request.stopGrace} s: ${who} ended by KILL.${lost}`;
}

function exitFact({ run, way, look, started }: Seen): Fact {
  const { exit, hasLauncher } = look;
  if (isFound(run)) return gone('How it ended can’t be seen, since Vigil did not start it.');
  if (exit !== null && exit.signal === null) return gone(`Exit code ${exit.code}.`);
  if (exit !== null) return gone(`Ended by signal ${exit.signal}${SIGNALS[exit.signal ?? 0] ?? ''}.`);
  if (way.kind === 'restart') return gone('There is no exit record: the restart came first.');
  return hasLauncher
    ? gone(`There is no exit record yet: its launcher (pid ${started.session}) still waits for the end.`)
    : gone('There is no exit record, since its launcher is gone too: how it ended is not known.');
}

const SIGNALS: Readonly<Record<number, string>> = { 2: ' (INT)', 9: ' (KILL)', 15: ' (TERM)' };

function portFacts({ run, look, before }: Seen): readonly Fact[] {
  const { address } = run.request;
  const { listener: now, running } = look;
  return address === null || now === null ? [] : [portFact({ address, now, before, running })];
}

function besideWords(left: readonly Leftover[]): string {
  const [who, were] = left.length === 1 ? ['It', 'was'] : ['They', 'were'];
  return `Still running: ${named(left)}. ${who} ${were} not on the list that was confirmed, and ${were} left alone. If that is to end as well: \`kill ${numbers(left)}\` on the host.`;
}

function writerWords(writers: readonly Writer[], run: Run): string {
  if (isFound(run))
    return `Its log is still written by ${named(writers)}, not on the list that was confirmed, so that Vigil ends nothing of it. If it is to end as well: \`kill ${numbers(writers)}\` on the host.`;
  return `Its log is still written by ${named(writers)}, without any mark of the run, so that Vigil ends nothing of it. If it belongs to the run: \`kill ${numbers(writers)}\` on the host.`;
}
