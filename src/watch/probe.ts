/**
 * Is the server ready? Its own answer says so, at the address from argv (never from the log), and only when the listening
 * socket is the run's own. /health alone tests a flag, so one real completion is asked for as well (vllm-project/vllm#39863).
 */

import { z } from 'zod';
import type { ServerAddress } from '../address.ts';
import { holderWords } from '../flow/port-taken.ts';
import { type HttpAnswer, NotListening } from '../http.ts';
import { isFound } from '../run/request.ts';
import type { Readiness, Run } from '../run/run.ts';
import type { Host } from '../tools.ts';

export type Probe =
  | { readonly kind: 'silent' }
  /** Answers, but is not ready or not yet proved: try again. */
  | { readonly kind: 'answering' }
  /** Somebody else's server answers at this run's address. */
  | { readonly kind: 'foreign'; readonly text: string }
  | { readonly kind: 'ready'; readonly readiness: Readiness };

const HEALTH_MS = 5_000;
/** A first request may still compile kernels. */
const COMPLETION_MS = 120_000;

export async function probe(
  { host, run, apiKey, folder }: { host: Host; run: Run; apiKey: string | null; folder: { path: string; run: string } },
  signal: AbortSignal,
): Promise<Probe> {
  const started = run.started;
  if (started === null) return { kind: 'silent' };
  const { address } = run.request;
  if (address === null) return { kind: 'silent' };
  const ask = (method: 'GET' | 'POST', path: string, body: string | null, timeoutMs: number): Promise<HttpAnswer> =>
    host.http(
      {
        address,
        method,
        path,
        body,
        timeoutMs,
        headers: {
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
      },
      signal,
    );
  try {
    const health = await ask('GET', '/health', null, HEALTH_MS);
    if (health.status !== 200) return { kind: 'answering' };
    const owner = await ownerOf({ host, run, address, folder }, signal);
    if (owner.kind !== 'ours') return owner.probe;
    const models = await ask('GET', '/v1/models', null, HEALTH_MS);
    const model = modelIn(models);
    const completion =
      model === null
        ? unasked(models, run)
        : completionIn(
            await ask(
              'POST',
              '/v1/completions',
              JSON.stringify({ model, prompt: 'The capital of France is', max_tokens: 16, temperature: 0 }),
              COMPLETION_MS,
            ),
          );
    if (completion === null) return { kind: 'answering' };
    return { kind: 'ready', readiness: { proof: owner.proof, model, by: health.by, completion } };
  } catch (error) {
    if (error instanceof NotListening) return { kind: 'silent' };
    throw error;
  }
}

type Owner =
  | { readonly kind: 'ours'; readonly proof: Readiness['proof'] }
  | { readonly kind: 'not ours'; readonly probe: Probe };

async function ownerOf(
  {
    host,
    run,
    address,
    folder,
  }: { host: Host; run: Run; address: ServerAddress; folder: { path: string; run: string } },
  signal: AbortSignal,
): Promise<Owner> {
  const started = run.started;
  if (started === null) return { kind: 'not ours', probe: { kind: 'silent' } };
  const [listener, tree] = await Promise.all([
    host.listener(address, signal),
    host.tree({ ...folder, started }, signal),
  ]);
  if (listener.kind === 'closed') return { kind: 'not ours', probe: { kind: 'answering' } };
  if (listener.kind === 'known') {
    if (tree.some((process) => process.pid === listener.pid)) return { kind: 'ours', proof: 'socket' };
    const text = `Another process answers at this run's address: ${holderWords(listener)}. The run is not counted as ready.`;
    return { kind: 'not ours', probe: { kind: 'foreign', text } };
  }
  const isLikely = run.reading.readyServers > 0 && tree.some((process) => process.pid === started.main.pid);
  return isLikely ? { kind: 'ours', proof: 'inferred' } : { kind: 'not ours', probe: { kind: 'answering' } };
}

const Models = z.object({ data: z.array(z.object({ id: z.string() })).min(1) });
const Completion = z.object({
  choices: z.array(z.object({ text: z.string() })).min(1),
  usage: z.object({ completion_tokens: z.number() }).optional(),
});

function modelIn(answer: HttpAnswer): string | null {
  const models = answer.status === 200 ? Models.safeParse(parseJson(answer.body)) : null;
  return models?.success ? (models.data.data[0]?.id ?? null) : null;
}

/** Why no completion was asked for. */
function unasked({ status }: HttpAnswer, run: Run): string {
  if (status !== 401 && status !== 403) return 'No completion was asked for: /v1/models names no model.';
  const next = isFound(run)
    ? 'which Vigil does not know of a server that it did not launch'
    : "which the recipe's environment does not name as VLLM_API_KEY";
  return `No completion was asked for: the server wants an API key (/v1/models answered ${status}), ${next}.`;
}

/** One sentence on the completion, or null when the server failed at it (5xx: try again). */
function completionIn(answer: HttpAnswer): string | null {
  if (answer.status >= 500) return null;
  if (answer.status !== 200) return `Its completion was not judged: /v1/completions answered ${answer.status}.`;
  const completion = Completion.safeParse(parseJson(answer.body));
  if (!completion.success) return 'Its completion was not judged: the answer of /v1/completions was none.';
  const tokens = completion.data.usage?.completion_tokens;
  return tokens === undefined ? 'It completed a prompt.' : `It completed a prompt with ${tokens} tokens.`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not JSON: the shape check after this says so
  }
}
