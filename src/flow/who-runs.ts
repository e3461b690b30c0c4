/** Whose log it is: the process that somebody named, else the one that writes it, with all that descends from it. */

import type { Family, Pid, Process, Writer } from '../host/process.ts';
import { shownCommand } from '../log/shown-command.ts';
import type { FirstProcess } from '../patrol/found-run.ts';
import { mainProcess } from '../patrol/main-process.ts';
import { type Known, ownsWriter } from '../patrol/own-logs.ts';
import { holds, union } from '../pids.ts';
import type { QuestionOf, WatchAnswer } from '../questions.ts';
import type { Host } from '../tools.ts';

interface Looking {
  readonly order: QuestionOf<'watch'>;
  readonly host: Host;
  /** The log's real path. */
  readonly path: string;
  /** The live runs of the host. */
  readonly runs: readonly Known[];
  /** Of this Vigil: its run ids begin with it. */
  readonly instance: string;
  readonly signal: AbortSignal;
}

export interface Who {
  readonly main: FirstProcess | null;
  readonly tree: readonly Pid[];
  /** `main` and all that descends from it, parents first. */
  readonly family: readonly Process[];
  readonly notes: readonly string[];
}

/** Also says why it can't be watched, or which run it is already. */
export async function whoRuns(work: Looking): Promise<Who | WatchAnswer> {
  const { order, host, path, runs, signal } = work;
  const writers = await host.writers(path, signal);
  const first = order.pid === null ? mainProcess(writers) : null;
  if (order.pid === null && first === null) return unseen(host.name);
  const root = first ?? { pid: order.pid ?? 0, start: null };
  const family = await host.family([root], signal);
  const [main] = family.processes;
  if (main === undefined) return order.pid === null ? unseen(host.name) : refused(noProcess(order.pid, work));
  const obstacle = obstacleTo(main, family, work);
  if (obstacle !== null) return refused(obstacle);
  const owner = runs.find((run) => ownsWriter(run, family.processes) || isMarked(family.processes, run));
  if (owner !== undefined) return { kind: 'known', request: owner.run.request };
  const stranger = family.processes.find(({ run }) => run !== null && !isOurs(run, work));
  if (stranger !== undefined)
    return refused(
      `Refused: process ${stranger.pid} on ${host.name} belongs to the run ${stranger.run} of another Vigil, which tells it.`,
    );
  const own = writers.filter((writer) => writer.group === main.group || holds(family.processes, writer));
  return {
    main: { ...main, command: main.argv.join(' ') },
    tree: union(family.processes, own),
    family: family.processes,
    notes: own.length > 0 || writers.length === 0 ? [] : [otherWriter(main, writers)],
  };
}

function unseen(host: string): Who {
  const note = `Nobody is seen to write it, so it is watched by its log alone. \`--pid N\` names the process, if you know it on ${host}.`;
  return { main: null, tree: [], family: [], notes: [note] };
}

function noProcess(pid: number, { order, host }: Looking): string {
  const word = order.what === 'serve' ? 'vllm' : 'train';
  return `There is no process ${pid} on ${host.name}: it has ended, or the number is another one. \`pgrep -af ${word}\` there lists them; without --pid whoever writes the log is followed.`;
}

/** Why that is no process of its own, or null. */
function obstacleTo({ pid, name, argv }: Process, { hasSelf }: Family, { order, host }: Looking): string | null {
  const one = order.what === 'serve' ? 'server' : 'training';
  const named = `process ${pid} on ${host.name} (\`${name}\`)`;
  if (hasSelf)
    return `Refused: Vigil's own connection descends from ${named}, so that is no ${one} alone. Name the ${one}'s own process by --pid.`;
  if (argv.length === 0)
    return `Refused: ${named} is no program, since it has no command line. Name the process of the ${one} by --pid.`;
  return null;
}

function isMarked(processes: readonly Process[], { run }: Known): boolean {
  return processes.some((process) => process.run === run.request.id);
}

/** A run of this Vigil that has ended, though processes of it are left. */
function isOurs(id: string, { instance, host }: Looking): boolean {
  return id.startsWith(`${instance}-${host.name}-`);
}

function otherWriter({ pid }: Pid, writers: readonly Writer[]): string {
  const others = writers.slice(0, 3).map((writer) => `pid ${writer.pid} (\`${shownCommand(writer.command)}\`)`);
  return `Process ${pid} is not seen to write this log, but ${others.join(', ')}: check that it is the right one.`;
}

function refused(reason: string): WatchAnswer {
  return { kind: 'refused', reason };
}
