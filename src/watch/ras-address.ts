/** Where NCCL's RAS listens on the host of a run, by the variables that move it or turn it off (ncclRasClientSupport, NCCL 2.24 and later). */

import { loopbackFor } from '../address.ts';

export interface RasAddress {
  readonly host: string;
  readonly port: number;
}

const DEFAULT: RasAddress = { host: '127.0.0.1', port: 28028 };

/** null where it is off, or the address can't be read. `localhost` is asked as 127.0.0.1. */
export function rasAddress(environment: Readonly<Record<string, string>>): RasAddress | null {
  if (environment.NCCL_RAS_ENABLE?.trim() === '0') return null;
  const text = environment.NCCL_RAS_ADDR?.trim() ?? '';
  if (text === '') return DEFAULT;
  const { v6, name, port } = ADDRESS.exec(text)?.groups ?? {};
  const host = v6 ?? name;
  if (host === undefined || port === undefined || Number(port) > 65_535) return null;
  return { host: host === 'localhost' ? DEFAULT.host : loopbackFor(host), port: Number(port) };
}

/** No name begins with a dash: it is a word of a command on some hosts. */
const ADDRESS = /^(?:\[(?<v6>[0-9A-Fa-f:.%\w]{2,60})\]|(?<name>[A-Za-z0-9][\w.-]{0,250})):(?<port>\d{1,5})$/;
