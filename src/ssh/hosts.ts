/** The hosts of the configuration, each with its own connections. */

import type { Config } from '../config/config.ts';
import { HostUnreachable } from '../errors.ts';
import type { Clock, Hosts } from '../tools.ts';
import { SshHost } from './host.ts';
import { LIMITS } from './limits.ts';
import { Network } from './network.ts';

/** Connects to nothing yet: each host is reached at its first use. `instance` names the folder of this Vigil's runs. */
export function openHosts({
  instance,
  hosts,
  clock,
}: {
  instance: string;
  hosts: Config['hosts'];
  clock: Clock;
}): Hosts {
  const network = new Network({ hosts, clock, limits: LIMITS });
  const open = new Map(
    Object.values(hosts).map(
      (config) => [config.name, new SshHost({ config, instance, sessions: network.host(config.name) })] as const,
    ),
  );
  return {
    get: (name) => {
      const host = open.get(name);
      if (host !== undefined) return host;
      const names = [...open.keys()].join(', ') || 'none';
      throw new HostUnreachable(
        name,
        `vigil.yaml holds no host "${name}" (it holds: ${names}): correct the name or add it.`,
      );
    },
    close: async () => {
      for (const host of open.values()) host.close();
      network.close();
    },
  };
}
