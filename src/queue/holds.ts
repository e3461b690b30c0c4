import { addressWords } from '../address.ts';
import type { Request } from '../run/request.ts';

/** What a run occupies on its host: `<host>|` and the words for people. No two live runs hold the same; what somebody started by hand holds nothing. */
export function holdsOf(request: Request): string[] {
  if (request.kind === 'train' && request.found !== null) return [];
  const { host, address, gpus, log } = request;
  const logs = [log, request.kind === 'train' ? request.targetLog : null].filter((path) => path !== null);
  const words = [
    ...(address === null ? [] : [addressWords(address)]),
    ...gpus.map((gpu) => `GPU ${gpu}`),
    ...logs.map((path) => `log ${path}`),
  ];
  return words.map((word) => `${host}|${word}`);
}
