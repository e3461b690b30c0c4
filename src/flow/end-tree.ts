/**
 * Ends the processes of a run, first by asking and last by force, and tells what proves it. A server's main process alone is asked, since it ends its
 * own workers (vLLM's way); of a training every process group is, since ranks have sessions of their own and need the grace to save.
 * What is left is ended pid by pid, each checked by its start time, never by name, and never the launcher, which writes the exit record.
 */

import type { Pid } from '../host/process.ts';
import { holds, union } from '../pids.ts';
import { isFound } from '../run/request.ts';
import type { StopProof } from '../run/run.ts';
import { observedNow } from './now.ts';
import { restartSince } from './restart-since.ts';
import { type Ending, type Eye, isGone, isOutOfReach, type Look, openEye, rootsOf } from './stop-eye.ts';
import type { Way } from './stop-fact.ts';
import { prove } from './stop-remains.ts';
import { observe } from './write.ts';

/** Safe to call again after any failure: the first signal is given once. */
export async function endTree(ending: Ending): Promise<StopProof> {
  const { started, host, run, signal } = ending;
  const restart = restartSince(started, await host.facts(signal));
  const known = run.confirmed ?? union([started.main], run.tree);
  const eye = openEye(ending, restart === null ? known : []);
  if (restart !== null) return prove(ending, eye, { way: { kind: 'restart', why: restart }, before: null });
  const first = await eye.look(run.request.address);
  const way = isGone(first) && run.signalledAt === null ? ({ kind: 'before' } as const) : await end(ending, eye);
  return prove(ending, eye, { way, before: first });
}

async function end(ending: Ending, eye: Eye): Promise<Way> {
  const { run, host, tools, signal } = ending;
  const { clock, timings } = tools;
  const { stopTerm, stopKill } = timings;
  const isServer = run.request.kind === 'serve';
  const asked = serverOf(ending);
  const isMainGone = ({ running }: Look): boolean => !asked.some((one) => holds(running, one));
  const isOver = (look: Look): boolean => isGone(look) || isOutOfReach(look);
  const graceEnd = await askOnce(ending, eye.tree());
  const graceLeft = (): number => Math.max(0, graceEnd - clock.now());

  let look = await eye.until(graceLeft(), {
    isOver: (seen, waited) => (isServer ? isMainGone : isGone)(seen) || (waited >= stopKill && isOutOfReach(seen)),
  });
  if (!isOver(look)) look = await eye.until(stopKill, { isOver });
  if (!isOver(look) && isServer && isMainGone(look)) {
    // A script that started the server is gone and told it nothing: those that nobody ends now are asked, not what is theirs to end.
    await host.kill(rootsOf(look.running), 'TERM', signal);
    look = await eye.until(Math.max(stopTerm, graceLeft()), { isOver });
  }
  if (!isOver(look)) {
    await host.kill(look.running, 'TERM', signal);
    look = await eye.until(stopTerm, { isOver });
  }
  if (isOver(look)) return { kind: 'asked' };
  const killed = new Set<number>();
  const strike = async ({ running }: Look): Promise<void> => {
    for (const { pid } of running) killed.add(pid);
    await host.kill(running, 'KILL', signal);
  };
  await strike(look);
  await eye.until(stopKill, { isOver, strike });
  return { kind: 'killed', pids: [...killed] };
}

/**
 * The first signal, given once even if the job is taken over: a rank that saves its checkpoint dies of a second one. It is noted before it
 * is given, and the host remembers that it was. Returns when the grace is over (our clock, ms).
 */
async function askOnce(ending: Ending, tree: readonly Pid[]): Promise<number> {
  const { run, host, folder, started, tools, signal } = ending;
  const { journal, clock } = tools;
  const { id, kind, stopGrace } = run.request;
  const noted = await observe(journal, id, () => [observedNow(clock, { kind: 'stop_signalled' })]);
  const signalledAt = noted?.signalledAt ?? clock.now();
  const wasBefore = isFound(run) && run.signalledAt !== null;
  const order =
    kind === 'train'
      ? {
          folder,
          pids: tree,
          spared: started.session,
          to: run.confirmed === null ? ('groups' as const) : ('each' as const),
        }
      : { folder, pids: serverOf(ending), spared: started.session, to: 'each' as const };
  const isNew = !wasBefore && (await host.terminate(order, signal)) === 'given';
  return (isNew ? clock.now() : signalledAt) + stopGrace * 1000;
}

/** Of a server who is asked to end: what it started itself is its own to end. */
function serverOf({ run, started }: Ending): readonly Pid[] {
  const { confirmed, request } = run;
  if (confirmed === null) return [started.main];
  const own = [started.main, request.found?.process?.server ?? started.main];
  const named = confirmed.filter((one) => holds(own, one));
  return named.length === 0 ? confirmed : named;
}
