/**
 * The heartbeat of a ready server: /health and /metrics, without a key, one after the other. /health alone proves nothing, since it knows no hang: what the
 * engine counts does. GPUs are looked at only while something looks like one.
 */

import type { ServerAddress } from '../address.ts';
import { CommandFailed } from '../errors.ts';
import { askServer, type Server } from '../flow/verify/ask-server.ts';
import { wait } from '../flow/wait.ts';
import type { GpuUse } from '../host/gpu.ts';
import { type HttpAnswer, NotListening } from '../http.ts';
import { isEnd } from '../run/run.ts';
import { servingOfRun } from '../run/serving.ts';
import { isUnasked } from '../run/unasked.ts';
import { CURL_MISSING } from '../shell/curl.ts';
import type { Counters } from '../vitals/counters.ts';
import { looksLikeHang } from '../vitals/hang.ts';
import { countersOf } from '../vitals/metrics.ts';
import type { Beat } from '../vitals/vitals.ts';
import { openAsker } from './asker.ts';
import { gpusOf } from './gpu-look.ts';
import { openNudge } from './nudge.ts';
import { throughOutages, type Watch } from './watch.ts';

/** Each of the two answers is waited for no longer (ms). */
const LIMIT_MS = 5_000;
/** /health of a server whose engine is dead, with an empty body: one that is given more engines says so to everybody with the same status. */
const DEAD = 503;

export async function watchHeartbeat(watch: Watch): Promise<void> {
  const { inbox, clock, hostTime, timings, contact, terms, signal } = watch;
  const { kind, address } = inbox.run().request;
  if (kind !== 'serve' || address === null) return;
  const askUse = openUse(watch);
  const nudge = openNudge(watch);
  const isOn = (): boolean => !signal.aborted && !contact.isOver && !isEnd(inbox.run().phase);
  return throughOutages(watch, async () => {
    while (isOn()) {
      await wait(timings.beat, signal);
      const run = inbox.run();
      if (!isOn() || run.phase !== 'ready' || isUnasked(run)) continue;
      const isDoubtful = run.vitals !== null && looksLikeHang(run.vitals);
      const [seen, gpuUse] = await Promise.all([look(watch, address), isDoubtful ? askUse() : null]);
      const at = hostTime.read().now;
      const { trees } = watch;
      // A watch that took over has seen no compiler come: the one before had.
      const newcomerAt = trees.newcomerAt() ?? run.vitals?.beat?.newcomerAt ?? null;
      const use = { cores: trees.cores(), gpuUse, newcomerAt };
      const answered = nudge();
      const beat: Beat = { at, ...seen, ...use, ...(answered === null ? {} : { answered }) };
      const pace = { loadMs: timings.load, acceptanceFloor: terms.floor.acceptanceLength };
      if (isOn()) inbox.put({ kind: 'beat', beat, ...pace, at, seen: clock.now() });
    }
  });
}

async function look(
  { host, inbox, terms, signal }: Watch,
  address: ServerAddress,
): Promise<Pick<Beat, 'health' | 'counters'>> {
  const serving = servingOfRun(inbox.run(), terms.environment);
  const server: Server = { host, address, serving, apiKey: null, signal };
  const health = healthOf(await answerOf(server, '/health'));
  const counters = health === 'ok' || health === 'dead' ? countersIn(await answerOf(server, '/metrics')) : null;
  return { health, counters };
}

/** What came, or why nothing did. Throws what the host throws. */
async function answerOf(server: Server, path: string): Promise<HttpAnswer | 'refused' | 'silent'> {
  try {
    return await askServer(server, { path, ms: LIMIT_MS });
  } catch (error) {
    if (error instanceof NotListening) return 'refused';
    const isSilent = error instanceof CommandFailed && error.exitCode !== CURL_MISSING && !server.signal.aborted;
    if (isSilent) return 'silent';
    throw error;
  }
}

function healthOf(answer: Awaited<ReturnType<typeof answerOf>>): Beat['health'] {
  if (typeof answer === 'string') return answer;
  return answer.status === DEAD && answer.body === '' ? 'dead' : 'ok';
}

function countersIn(answer: Awaited<ReturnType<typeof answerOf>>): Counters | null {
  return typeof answer === 'string' || answer.status !== 200 ? null : countersOf(answer.body);
}

/** The highest use of the run's GPUs (%); null where nobody can say in time. */
function openUse({ host, inbox, timings, signal, logger }: Watch): () => Promise<number | null> {
  const onFailure = (error: unknown) =>
    logger.warn({ err: error }, 'a server that may hang: nvidia-smi could not be asked');
  const ask = openAsker<readonly GpuUse[] | null>({ ms: timings.look, signal, onFailure });
  return async () => {
    const gpus = await ask(() => host.gpus(signal));
    const own = gpus === null ? null : gpusOf(inbox.run(), host.name, gpus);
    const uses = (own ?? []).flatMap(({ utilization }) => utilization ?? []);
    return uses.length === 0 ? null : Math.max(...uses);
  };
}
