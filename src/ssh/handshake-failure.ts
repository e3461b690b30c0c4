/** What to tell people when a handshake doesn't come to its end: who must act is told by HostRefused, all else is tried again. */

import type { ServerHostKeyAlgorithm } from 'ssh2';
import { HostRefused, HostUnreachable } from '../errors.ts';
import type { Authentication } from './auth/authentication.ts';
import type { Login } from './login.ts';
import { readMessage } from './ssh-error.ts';
import type { Transport } from './transport.ts';
import { TurnedAway } from './turned-away.ts';

/** What was seen on the way. */
export interface Seen {
  /** The first bytes, as long as they may be no SSH server's. */
  greeting: string;
  /** The server's list of the kind that was looked at last: key exchanges, host keys, ciphers, MACs. */
  offer: string;
}

interface Failure {
  readonly login: Login;
  readonly transport: Transport;
  readonly authentication: Authentication;
  readonly seen: Readonly<Seen>;
  readonly error: unknown;
}

/** The types of host keys that can be checked, those asked for first. */
export const HOST_KEY_ALGORITHMS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const satisfies readonly ServerHostKeyAlgorithm[];

export async function explainFailure({ login, transport, authentication, seen, error }: Failure): Promise<Error> {
  const { host } = login;
  const found = readMessage(error);
  const level = error instanceof Error && 'level' in error ? error.level : null;
  if (level === 'client-authentication' || /too many authentication failures/i.test(found))
    return authentication.refusal(found, error);
  if (level === 'agent') return authentication.agentRefusal(found, error);
  if (/no matching/.test(found)) return new HostRefused(host, noMatch(login, found, seen.offer), { cause: error });
  const complaint = await transport.complaint();
  if (complaint !== null) return new HostUnreachable(host, proxyFailed(login, complaint), { cause: error });
  if (seen.greeting.includes('SSH-')) return new HostUnreachable(host, handshakeFailed(login, found), { cause: error });
  return strange({ login, seen, error });
}

/** No SSH server has spoken. */
function strange({ login, seen, error }: Pick<Failure, 'login' | 'seen' | 'error'>): Error {
  const { host, address, port } = login;
  const said =
    seen.greeting
      .trim()
      .split('\n')[0]
      ?.replace(/[^\x20-\x7e]/g, '?')
      .slice(0, 80) ?? '';
  const place = `${host} (${address}:${port})`;
  if (/timed out/i.test(readMessage(error)))
    return new HostUnreachable(
      host,
      `${place} takes connections and says nothing: its sshd hangs, or no SSH server listens there. It will be tried again.`,
      { cause: error },
    );
  if (said !== '' && !/MaxStartups|not allowed at this time/i.test(said))
    return new HostUnreachable(
      host,
      `${place} answers "${said}", expected was an SSH server's "SSH-2.0-…": correct address and port. It will be tried again.`,
      { cause: error },
    );
  const word = said === '' ? 'closed the connection at once' : `closed the connection ("${said}")`;
  return new TurnedAway(
    host,
    `${place} ${word}: it has too many logins under way (MaxStartups in its sshd_config), or has banned this machine (fail2ban, PerSourcePenalties), or no SSH server listens there. It will be tried again, less and less often.`,
    { cause: error },
  );
}

function noMatch({ host, address, port }: Login, found: string, offer: string): string {
  const what = found.replace(/^.*no matching (?:[CS]->[CS] )?/, '').replace('host key format', 'type of host key');
  const ours = HOST_KEY_ALGORITHMS.join(', ');
  const advice = /host key/.test(what)
    ? `Vigil checks ${ours}, and no certificates: give the host such a key (ssh-keygen -A) and allow it (HostKey and HostKeyAlgorithms in its sshd_config)`
    : 'Allow an older one beside those in its sshd_config';
  return `${host} (${address}:${port}) and Vigil have no ${what} in common; the host offers ${offer}. ${advice}.`;
}

function proxyFailed({ host, address, port }: Login, complaint: string): string {
  return `${host} (${address}:${port}) can't be reached: ${complaint}. Try the command of ~/.ssh/config by hand as the user that runs Vigil. It will be tried again.`;
}

function handshakeFailed({ host, address, port }: Login, found: string): string {
  return `The SSH handshake with ${host} (${address}:${port}) failed: ${found}. Check its load and its sshd's log. It will be tried again.`;
}
