import type { Request } from '../run/run.ts';

/** What a run occupies on its host: `<host>|` and the words for people. No two live runs hold the same. */
export function holdsOf(request: Request): string[] {
  const { host, address, gpus, log } = request;
  const words = [
    address.kind === 'tcp' ? `port ${address.port}` : `socket ${address.path}`,
    ...gpus.map((gpu) => `GPU ${gpu}`),
    ...(log === null ? [] : [`log ${log}`]),
  ];
  return words.map((word) => `${host}|${word}`);
}
