/** From a host of vigil.yaml to its login. */

import type { HostConfig } from '../../config/config.ts';
import { foreignVariables } from '../../config/environment.ts';
import { knownName } from '../known-hosts.ts';
import type { Login } from '../login.ts';
import { resolveAlias } from './alias.ts';

/** Throws HostRefused when an alias can't be explained. */
export async function resolveLogin({ name, connect }: HostConfig): Promise<Login> {
  const variables = foreignVariables();
  if (connect.kind === 'alias') return resolveAlias({ host: name, ...connect, variables });
  const { address, port, user, key, isOnlyKey, knownHosts, jump, passphrase } = connect;
  return {
    host: name,
    trustedBy: name,
    address,
    port,
    user,
    identities: {
      files: [key],
      agent: variables.SSH_AUTH_SOCK || null,
      isOnlyFiles: isOnlyKey,
      passphrase,
      unusable: [],
    },
    hostKeys: {
      name: knownName(address, port),
      plainName: port === 22 ? null : knownName(address, 22),
      files: knownHosts,
      systemFiles: [],
      revoked: [],
      isHashed: false,
      laxity: null,
    },
    connectLimit: null,
    way: jump === null ? { kind: 'direct' } : { kind: 'jump', over: { kind: 'host', name: jump } },
  };
}
