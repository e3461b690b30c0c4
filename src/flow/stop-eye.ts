/** What a stop sees of a run's processes: looks, one after the other, that remember all that was ever seen. */

import type { ServerAddress } from '../address.ts';
import type { RunFolder, Started } from '../host/launch.ts';
import type { Pid } from '../host/process.ts';
import type { StopView } from '../host/stop.ts';
import { union } from '../pids.ts';
import type { Tools } from '../processor.ts';
import type { Run } from '../run/run.ts';
import type { Host } from '../tools.ts';
import { wait } from './wait.ts';

export interface Ending {
  readonly run: Run;
  readonly host: Host;
  readonly folder: RunFolder;
  readonly started: Started;
  readonly tools: Pick<Tools, 'journal' | 'clock' | 'timings'>;
  readonly signal: AbortSignal;
}

/** A look at what is left, and who of the run is found now: whoever starts new processes fast is seen in the second only. */
export interface Look extends StopView {
  readonly found: readonly Pid[];
}

export interface Eye {
  /** Every process that was ever seen of the run. */
  tree(): readonly Pid[];
  look(address: ServerAddress | null): Promise<Look>;
  /** Looks until `isOver` or the time is up (ms); `strike` is done to what each look left. */
  until(ms: number, wanted: Wanted): Promise<Look>;
}

interface Wanted {
  isOver(look: Look, waited: number): boolean;
  strike?(look: Look): Promise<void>;
  readonly address?: ServerAddress | null;
}

/** Of what somebody started by hand the confirmed processes are all that there is, whatever else belongs to it. */
export function openEye({ run, host, folder, started, tools, signal }: Ending, known: readonly Pid[]): Eye {
  const { clock, timings } = tools;
  const target = { ...folder, started };
  const notLauncher = ({ pid }: Pid): boolean => pid !== started.session;
  let tree = known.filter(notLauncher);
  const look = async (address: ServerAddress | null): Promise<Look> => {
    const isAll = known.length === 0 || run.confirmed !== null;
    const found = isAll ? [] : (await host.tree(target, signal)).filter(notLauncher);
    tree = union(tree, found);
    return { ...(await host.stopView(target, { pids: tree, address }, signal)), found };
  };
  return {
    tree: () => tree,
    look,
    async until(ms, { isOver, strike, address = null }) {
      const begun = clock.now();
      for (;;) {
        const seen = await look(address);
        const waited = clock.now() - begun;
        if (isOver(seen, waited) || waited >= ms) return seen;
        await strike?.(seen);
        await wait(timings.stopLook, signal);
        signal.throwIfAborted();
      }
    },
  };
}

export function isGone({ running, found }: Look): boolean {
  return running.length === 0 && found.length === 0;
}

/** All that is left belongs to other users: waiting longer changes nothing. */
export function isOutOfReach({ running }: Look): boolean {
  return running.length > 0 && running.every(({ isOurs }) => !isOurs);
}

/** Those that were started by none of the others. */
export function rootsOf<One extends Pid & { readonly parent: number }>(running: readonly One[]): readonly One[] {
  return running.filter(({ parent }) => !running.some(({ pid }) => pid === parent));
}
