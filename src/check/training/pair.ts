/** The trainer and the target that it asks, and how they reach each other. */

import { lastFlag } from '../../config/flags.ts';
import type { Server, Subject, Trainer } from '../subject.ts';
import { isAmong, isUnread, mayHold } from '../unread.ts';

export interface Pair {
  readonly trainer: Trainer;
  /** null where the script starts none. */
  readonly target: Server | null;
}

/** null without a trainer. Of several servers that give out hidden states it is the one at the port that the trainer asks, else the last. */
export function pairOf({ servers, trainer }: Pick<Subject, 'servers' | 'trainer'>): Pair | null {
  if (trainer === null) return null;
  const targets = servers.filter(({ extraction }) => extraction !== undefined);
  const endpoint = endpointOf(trainer);
  const asked = targets.findLast((server) => endpoint?.port === portOf(server));
  return { trainer, target: asked ?? targets.at(-1) ?? null };
}

/** Of another trainer only the flags that it is given are known, and none of its defaults. */
export function isSpeculators({ argv, unread = [] }: Pick<Trainer, 'argv' | 'unread'>): boolean {
  if (lastFlag(argv, '--verifier-name-or-path') !== null || isAmong(unread, '--verifier-name-or-path')) return true;
  return argv.some((word) => /^speculators(?:\.|$)/.test(word));
}

/** Offline it reads files only; else it asks for the samples that it misses (--on-missing generate is its default). */
export function asksTarget(trainer: Trainer): boolean {
  const { argv, isOffline } = trainer;
  if (!isSpeculators(trainer)) return false;
  return isOffline !== true && (lastFlag(argv, '--on-missing')?.value ?? 'generate') === 'generate';
}

export interface Endpoint {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

const BY_DEFAULT = 'http://localhost:8000/v1';

/** null where it can't be read. */
export function endpointOf(trainer: Trainer): Endpoint | null {
  const { argv, unread = [] } = trainer;
  const given = lastFlag(argv, '--vllm-endpoint')?.value ?? null;
  if ((given === null && mayHold(unread, '--vllm-endpoint')) || !isSpeculators(trainer)) return null;
  if (given === null && lastFlag(argv, '--config') !== null) return null;
  const url = given ?? BY_DEFAULT;
  const { scheme = 'http', host, port } = URL_FORM.exec(url)?.groups ?? {};
  if (host === undefined) return null;
  return { url, host, port: port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port) };
}

const URL_FORM = /^(?<scheme>https?):\/\/(?<host>\[[^\]]{1,100}\]|[^/:\s]{1,255})(?::(?<port>\d{1,5}))?(?:\/|$)/;

/** It stands on the host itself. */
export function isHere({ host }: Endpoint): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1?\])$/.test(host);
}

/** vLLM's default is 8000; null where it can't be read. */
export function portOf(server: Server): number | null {
  const { argv } = server;
  if (isUnread(server, '--port')) return null;
  const value = lastFlag(argv, '--port')?.value ?? '8000';
  return /^\d{1,5}$/.test(value) ? Number(value) : null;
}

/** A number that stands behind a flag; null where another word does, or it can't be read. */
export function numberOf({ argv, unread = [] }: Trainer, flag: string, byDefault: number): number | null {
  const value = lastFlag(argv, flag)?.value ?? null;
  if (value === null && mayHold(unread, flag)) return null;
  if (value === null) return lastFlag(argv, '--config') === null ? byDefault : null;
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}
