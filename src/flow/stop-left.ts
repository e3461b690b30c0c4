/** What is said of processes that a stop left, or may have left. */

import type { Pid } from '../host/process.ts';
import type { Leftover, StopView, Swept } from '../host/stop.ts';
import { list } from '../list.ts';
import type { Run } from '../run/run.ts';
import { type Fact, named, numbers, there } from './stop-fact.ts';

interface Remains {
  readonly run: Run;
  readonly look: Pick<StopView, 'running' | 'hidden'> & { readonly found: readonly Pid[] };
  readonly left: readonly Leftover[];
  readonly swept: Swept;
}

/** Nothing where nothing is left. */
export function leftFacts({ run, look, left, swept }: Remains): readonly Fact[] {
  const running = left.filter(({ pid }) => look.running.some((one) => one.pid === pid));
  const caught = running.filter(({ state }) => state === 'D' || state === 'Z');
  const others = running.filter((one) => !caught.includes(one));
  const denied = others.filter(({ isOurs }) => !isOurs);
  const spared = others.filter(({ isOurs }) => isOurs);
  return [
    ...(denied.length === 0 ? [] : [there(deniedWords(denied))]),
    ...(caught.length === 0 ? [] : [there(caughtWords(caught))]),
    ...(spared.length === 0 ? [] : [there(sparedWords(spared))]),
    ...(running.length > 0 || (look.found.length === 0 && swept.isQuiet) ? [] : [there(respawnWords(run, look.found))]),
    ...(look.hidden.length === 0 ? [] : [there(hiddenWords(look.hidden))]),
  ];
}

function deniedWords(left: readonly Leftover[]): string {
  const [who, kill] = [named(left), `sudo kill ${numbers(left)}`];
  const belong = left.length === 1 ? 'It belongs' : 'They belong';
  return `Still running: ${who}. ${belong} to another user than the one that Vigil logs in as, who may not end it. On the host: \`${kill}\`; what is left after a minute: \`${kill.replace('kill', 'kill -9')}\`.`;
}

/** KILL is pending and takes effect when the kernel lets go: nobody can do more than wait or restart the machine. */
function caughtWords(left: readonly Leftover[]): string {
  return `Still there: ${named(left)}, caught in the kernel by a driver or a file system, where KILL reaches it only when it is let go. \`dmesg -T | tail -50\` on the host tells more (NVRM, Xid, nfs). If it stays, only a reboot ends it.`;
}

function sparedWords(left: readonly Leftover[]): string {
  return `Still running in spite of TERM and KILL: ${named(left)}. On the host: \`kill -9 ${numbers(left)}\`.`;
}

function respawnWords({ request }: Run, found: readonly Pid[]): string {
  const last = found.at(-1);
  const seen =
    last === undefined
      ? 'none was seen at the last look, which proves nothing'
      : `pid ${last.pid} was the last one seen`;
  return `It starts new processes faster than they can be ended: ${seen}. On the host \`grep -la VIGIL_RUN=${request.id} /proc/[0-9]*/environ\` lists them; what starts them has to be ended first.`;
}

function hiddenWords(hidden: readonly Pid[]): string {
  const pids = numbers(hidden);
  const [who, whose] =
    hidden.length === 1
      ? [`pid ${pids} still runs`, 'has that number']
      : [`pid ${list(pids.split(' '))} still run`, 'have these numbers'];
  return `Whether ${who} can't be proved here: this host hides the processes of other users (hidepid), and such ${whose}. As root on the host: \`ps -fp ${pids.replaceAll(' ', ',')}\`; what is of this run: \`kill ${pids}\`.`;
}
