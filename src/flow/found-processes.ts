/** What a stop of something that was started by hand would end: exactly these processes, as a person confirms them. */

import type { Process } from '../host/process.ts';
import { shownCommand } from '../log/shown-command.ts';
import { holds, union } from '../pids.ts';
import type { Tools } from '../processor.ts';
import type { ListedProcess } from '../questions.ts';
import { clip } from '../report/escape.ts';
import { isFound } from '../run/request.ts';
import { folderOf } from './folder.ts';

/** Characters of a command line that a person is shown. */
const MOST = 100;

/** Parents before their children; empty where none can be seen, or the run isn't one that was found. */
export async function foundProcesses(
  { host: name, run: id }: { readonly host: string; readonly run: string },
  { journal, hosts, config }: Tools,
  signal: AbortSignal,
): Promise<readonly ListedProcess[]> {
  const run = (await journal.load(id))?.run;
  if (run === undefined || run.started === null || !isFound(run)) return [];
  const { started, request } = run;
  const host = hosts.get(name);
  const target = { ...folderOf(config, request), started };
  const [tree, writers] = await Promise.all([host.tree(target, signal), host.writers(started.log, signal)]);
  const known = union([started.main], union(run.tree, tree));
  // Who passes its output on (`tee`) is no descendant; what has its own mark, or writes the same log from elsewhere, is none of it.
  const beside = writers.filter((writer) => writer.group === request.found?.process?.group && !holds(known, writer));
  const { processes, hasSelf } = await host.family(union(known, beside), signal);
  return hasSelf ? [] : processes.filter(({ pid }) => pid > 1).map(shown);
}

function shown({ pid, start, user, since, argv, name }: Process): ListedProcess {
  const command = argv.length === 0 ? name : argv.join(' ');
  return { pid, start, user, since, command: clip(shownCommand(command), MOST) };
}
