/** How a host is reached and entered: plain data, resolved anew for each attempt, so that a change needs no restart. */

import type { Passphrase } from '../config/config.ts';

export interface Login {
  /** How people know it: vigil.yaml's name, or a jump host as ~/.ssh/config writes it. */
  readonly host: string;
  /** The host of vigil.yaml for which `npm run trust-host` shows this one's key. */
  readonly trustedBy: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly identities: Identities;
  readonly hostKeys: HostKeySources;
  /** ms for a TCP connection, or null for the usual. */
  readonly connectLimit: number | null;
  readonly way: Way;
}

export interface Identities {
  /** Files of keys in the order of their trial; those that aren't there are passed over. */
  readonly files: readonly string[];
  /** The agent's socket, or null. */
  readonly agent: string | null;
  /** No key of the agent is tried but those of the files. */
  readonly isOnlyFiles: boolean;
  readonly passphrase: Passphrase | null;
  /** What ssh itself would try beside, and Vigil can't: told when nothing else lets in. */
  readonly unusable: readonly string[];
}

export interface HostKeySources {
  /** What the host is called in known_hosts. */
  readonly name: string;
  /** As ssh does, a port other than 22 may be known by the name without its port; null: not asked. */
  readonly plainName: string | null;
  /** The user's own files: the first is written to by trust-host. */
  readonly files: readonly string[];
  readonly systemFiles: readonly string[];
  /** Files of revoked keys, one a line. */
  readonly revoked: readonly string[];
  /** New lines hide the host's name. */
  readonly isHashed: boolean;
  /** What ~/.ssh/config asks for that is weaker than Vigil's own check, or null. */
  readonly laxity: string | null;
}

export type Way =
  | { readonly kind: 'direct' }
  /** A command for sh whose stdin and stdout are the connection. */
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'jump'; readonly over: Hop };

export type Hop = { readonly kind: 'host'; readonly name: string } | { readonly kind: 'login'; readonly login: Login };
