/** The login of one connection: which ways the server offers, what was tried, and what to tell people when nothing lets in. */

import type { AnyAuthMethod, AuthenticationType } from 'ssh2';
import { HostRefused } from '../../errors.ts';
import type { Login } from '../login.ts';
import { OneAgentKey } from './agent.ts';
import type { Credential, Credentials } from './credentials.ts';

export class Authentication {
  readonly #login: Login;
  readonly #credentials: Credentials;
  readonly #left: Credential[];
  readonly #tried: string[] = [];
  #offered: readonly string[] = [];
  #isHalfway = false;

  constructor(login: Login, credentials: Credentials) {
    this.#login = login;
    this.#credentials = credentials;
    this.#left = [...credentials.usable];
  }

  /** ssh2 asks what to try next; false ends it. The first, 'none', makes the server say what it offers. */
  readonly next = (offered: readonly AuthenticationType[] | null, isHalfway: boolean | null): AnyAuthMethod | false => {
    if (offered === null) return { type: 'none', username: this.#login.user };
    this.#offered = offered;
    this.#isHalfway ||= isHalfway === true;
    const credential = offered.includes('publickey') ? this.#left.shift() : undefined;
    if (credential === undefined) return false;
    this.#tried.push(credential.label);
    return this.#method(credential);
  };

  /** What the server's refusal means; `found` is its own word, if it had one. */
  refusal(found: string, cause: unknown): HostRefused {
    const { host, address, port, user } = this.#login;
    const place = `user ${user} at ${address}:${port}`;
    return new HostRefused(host, this.#explain(found, place), { cause });
  }

  #explain(found: string, place: string): string {
    const { host, user } = this.#login;
    const offered = this.#offered.join(', ');
    const tried = this.#tried.join(', ');
    if (this.#isHalfway)
      return `${host} takes the key of ${place} and then asks for more (${offered}), which Vigil can't give: let this user in by its key alone (AuthenticationMethods publickey for it in sshd_config).`;
    if (this.#offered.length > 0 && !this.#offered.includes('publickey'))
      return `${host} lets nobody in by a key: for ${place} it offers ${offered}, and Vigil logs in by keys only. Set PubkeyAuthentication yes in its sshd_config and add the key to ~${user}/.ssh/authorized_keys.`;
    if (/too many/i.test(found))
      return `${host} ended the login of ${place} after ${this.#tried.length} keys (${tried}): its MaxAuthTries is used up. Name the right key only: key in vigil.yaml, or IdentityFile with IdentitiesOnly yes in ~/.ssh/config.`;
    const passedOver = this.#credentials.passedOver.join('; ');
    if (this.#tried.length === 0)
      return `No private key for ${host} can be used (${passedOver || 'none is named'}): name a key file that the user running Vigil can read.`;
    const also = passedOver === '' ? '' : ` Passed over: ${passedOver}.`;
    return `${host} refuses the key: ${place} can't log in with ${tried}. Add the public key to ~${user}/.ssh/authorized_keys on the host, or correct user and key of this host.${also}`;
  }

  /** The agent listed the key and then would not sign with it. */
  agentRefusal(found: string, cause: unknown): HostRefused {
    const { host, identities } = this.#login;
    return new HostRefused(
      host,
      `The ssh-agent at ${identities.agent} gave no signature for ${host} by ${this.#tried.at(-1)} (${found}): unlock it, or start it anew and add the key (ssh-add).`,
      { cause },
    );
  }

  #method(credential: Credential): AnyAuthMethod {
    const username = this.#login.user;
    if (credential.kind === 'file') return { type: 'publickey', username, key: credential.key };
    return { type: 'agent', username, agent: new OneAgentKey(credential.socketPath, credential.key) };
  }
}
