/** What stands in the way of a run, as the kernel and the driver show it twice in a row: no proof, but where to look first. */

import type { ProcessState } from '../host/process.ts';
import type { Look } from './look.ts';

const MOST = 4;
/** A function of the kernel. */
const FUNCTION = /^[\w.]{1,80}$/;

/** A sentence each, without any name that a process gave itself. */
export function troublesOf(before: Look, after: Look): readonly string[] {
  const caught = after.states.flatMap((now) => {
    const old = before.states.find(({ pid, start }) => pid === now.pid && start === now.start);
    return old?.state === now.state && old.wchan === now.wchan ? wordsOn(now) : [];
  });
  const smi = before.isSmiSilent && after.isSmiSilent ? [SMI] : [];
  return [...(after.ras?.troubles ?? []), ...smi, ...caught.slice(0, MOST)];
}

const SMI =
  '`nvidia-smi` does not answer on this host: a GPU may have fallen off the bus. Look at `dmesg -T | grep -i xid`.';

function wordsOn({ pid, state, wchan }: ProcessState): string[] {
  if (state === 'T')
    return [`Process ${pid} is stopped (SIGSTOP, or ^Z in a terminal): \`kill -CONT ${pid}\` lets it go on.`];
  if (state === 't') return [`Process ${pid} is held by a debugger.`];
  if (state !== 'D') return [];
  const where = FUNCTION.test(wchan) ? `, in \`${wchan}\`` : '';
  return [`Process ${pid} waits in the kernel${where}: for a disk, a network share or the GPU's driver.`];
}
