/** What ssh_config(5) writes for later: %-tokens, ${VARIABLES} and ~/ (sections TOKENS and ENVIRONMENT VARIABLES). */

import { hostname, userInfo } from 'node:os';

/** Found in a value; the caller knows which setting of which host it stands in. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved';
}

export type Tokens = Readonly<Record<string, string>>;

/** What holds for one target; `name` is what people typed, `address` what HostName made of it. */
export interface Target {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly alias: string | null;
}

/** Those of ProxyCommand and ProxyJump. */
export function proxyTokens({ name, address, port, user }: Target): Tokens {
  return { '%': '%', h: address, n: name, p: String(port), r: user };
}

/** Those of files; the local user's home is ssh's: the password file's, not HOME. */
export function fileTokens(target: Target): Tokens {
  const local = userInfo();
  return {
    ...proxyTokens(target),
    d: local.homedir,
    i: String(local.uid),
    k: target.alias ?? target.name,
    L: hostname().split('.')[0] ?? '',
    l: hostname(),
    u: local.username,
  };
}

/** Throws Unresolved for a token that isn't among `tokens`. */
export function expandTokens(text: string, tokens: Tokens): string {
  return text.replace(/%(.?)/gs, (found, letter: string) => {
    const value = Object.hasOwn(tokens, letter) ? tokens[letter] : undefined;
    if (value === undefined) throw new Unresolved(`Vigil doesn't know the token ${found}`);
    return value;
  });
}

/** A file's path. Throws Unresolved for what can't be told: another user's home, a variable that isn't set. */
export function expandPath(path: string, tokens: Tokens, variables: NodeJS.ProcessEnv): string {
  const named = path.replace(/\$\{([^}]{0,255})\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Unresolved(`the variable ${name} isn't set for Vigil`);
    return value;
  });
  const full = expandTokens(named, tokens);
  if (full === '~' || full.startsWith('~/')) return userInfo().homedir + full.slice(1);
  if (full.startsWith('~')) throw new Unresolved("Vigil doesn't look up another user's home");
  return full;
}
