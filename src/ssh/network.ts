/**
 * The connections of one process: to each host of vigil.yaml, and to each jump host that only ~/.ssh/config names. A jump host has one
 * connection, whoever goes through it; one of the latter kind is forgotten when nobody has gone through it for a while.
 */

import type { HostConfig } from '../config/config.ts';
import { HostRefused } from '../errors.ts';
import type { Clock } from '../tools.ts';
import type { Limits } from './limits.ts';
import type { Hop, Login } from './login.ts';
import { resolveLogin } from './resolve/resolve-login.ts';
import { Sessions } from './sessions.ts';
import type { Ways } from './transport.ts';

interface NetworkOptions {
  readonly hosts: Readonly<Record<string, HostConfig>>;
  readonly clock: Clock;
  readonly limits: Limits;
}

export class Network implements Ways {
  readonly limits: Limits;
  readonly #clock: Clock;
  readonly #hosts: ReadonlyMap<string, Sessions>;
  readonly #hops = new Map<string, Sessions>();

  constructor({ hosts, clock, limits }: NetworkOptions) {
    this.limits = limits;
    this.#clock = clock;
    this.#hosts = new Map(
      Object.values(hosts).map((config) => {
        const options = { host: config.name, resolve: () => resolveLogin(config), onIdle: null };
        return [config.name, new Sessions({ ...options, ways: this, limits, clock })] as const;
      }),
    );
  }

  /** Connects to nothing yet. Throws HostRefused for a name that vigil.yaml doesn't hold. */
  host(name: string): Sessions {
    const host = this.#hosts.get(name);
    if (host !== undefined) return host;
    throw new HostRefused(name, `vigil.yaml holds no host "${name}": add it there, or correct the name.`);
  }

  over(hop: Hop): Sessions {
    return hop.kind === 'host' ? this.host(hop.name) : this.#hop(hop.login);
  }

  close(): void {
    for (const sessions of [...this.#hosts.values(), ...this.#hops.values()]) sessions.close();
  }

  #hop(login: Login): Sessions {
    const id = identityOf(login);
    const known = this.#hops.get(id);
    if (known !== undefined) return known;
    const onIdle = () => {
      this.#hops.delete(id);
      hop.close();
    };
    const options = { host: login.host, resolve: async () => login, onIdle };
    const hop = new Sessions({ ...options, ways: this, limits: this.limits, clock: this.#clock });
    this.#hops.set(id, hop);
    return hop;
  }
}

/** Equal for logins that lead to the same place in the same way, whatever they are called. */
function identityOf(login: Login): string {
  return JSON.stringify(login, (key, value: unknown) => (key === 'host' || key === 'trustedBy' ? undefined : value));
}
