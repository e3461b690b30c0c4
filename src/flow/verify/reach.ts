/** Does a run's server answer, and is it the run's? /health is asked without a key, since anybody may listen there. */

import type { RunFolder } from '../../host/launch.ts';
import { type HttpAnswer, NotListening } from '../../http.ts';
import type { Readiness, Run } from '../../run/run.ts';
import { servingOfRun } from '../../run/serving.ts';
import type { Host } from '../../tools.ts';
import type { Serving } from '../../verify/serving.ts';
import { askServer, type Server } from './ask-server.ts';
import { type Owner, ownerOf } from './owner.ts';
import type { Terms } from './terms.ts';

export interface Subject {
  readonly host: Host;
  readonly run: Run;
  readonly folder: RunFolder;
  readonly terms: Terms;
}

export type Reached =
  /** Nobody listens. */
  | { readonly kind: 'silent' }
  /** It answers, and is not well or not proved to be the run's. */
  | { readonly kind: 'answering'; readonly status: number }
  | Extract<Owner, { kind: 'foreign' }>
  | ({ readonly kind: 'ours' } & Ours);

/** What may be asked everything, with its key. */
export interface Ours {
  readonly server: Server & { readonly serving: Serving };
  readonly proof: Readiness['proof'];
  readonly by: HttpAnswer['by'];
}

const HEALTH_MS = 5_000;

/** Throws what Host throws. */
export async function reach({ host, run, folder, terms }: Subject, signal: AbortSignal): Promise<Reached> {
  const { address } = run.request;
  if (run.started === null || address === null) return { kind: 'silent' };
  const serving = servingOfRun(run, terms.environment);
  const server = { host, address, serving, apiKey: null, signal };
  try {
    const health = await askServer(server, { path: '/health', ms: HEALTH_MS });
    if (health.status !== 200) return { kind: 'answering', status: health.status };
    const owner = await ownerOf({ host, run, address, folder }, signal);
    if (owner.kind === 'foreign') return owner;
    if (owner.kind === 'unproved') return { kind: 'answering', status: health.status };
    return { kind: 'ours', server: { ...server, apiKey: terms.apiKey }, proof: owner.proof, by: health.by };
  } catch (error) {
    if (error instanceof NotListening) return { kind: 'silent' };
    throw error;
  }
}
