/** A Host of ~/.ssh/config as a login: its own settings, and those of every host on the way to it. */

import type { Passphrase } from '../../config/config.ts';
import { HostRefused } from '../../errors.ts';
import { knownName } from '../known-hosts.ts';
import type { HostKeySources, Identities, Login, Way } from '../login.ts';
import { type Jump, parseJump } from './jump.ts';
import { isOff, readSettings, type Settings } from './settings.ts';
import { expandPath, expandTokens, fileTokens, proxyTokens, type Target, type Tokens, Unresolved } from './tokens.ts';

interface Asked {
  /** The host of vigil.yaml. */
  readonly host: string;
  readonly passphrase: Passphrase | null;
  readonly variables: NodeJS.ProcessEnv;
}

interface Stop extends Asked {
  readonly jump: Jump;
  readonly label: string;
  /** The hosts behind this one, from the last one on, as user@address:port. */
  readonly behind: readonly string[];
}

/** Longer ways than this are taken for a mistake. */
const MOST_HOPS = 8;

/** Throws HostRefused, naming the setting that stands in the way. */
export async function resolveAlias({ alias, ...asked }: Asked & { readonly alias: string }): Promise<Login> {
  const jump = { name: alias, user: null, port: null, before: null };
  return resolveStop({ ...asked, jump, label: asked.host, behind: [] });
}

async function resolveStop(stop: Stop): Promise<Login> {
  const settings = await readSettings(stop);
  const explain = explainer(stop);
  const target: Target = {
    name: stop.jump.name,
    address: settings.one('hostname') ?? stop.jump.name,
    port: Number(settings.one('port') ?? 22),
    user: settings.one('user') ?? '',
    alias: settings.one('hostkeyalias')?.toLowerCase() ?? null,
  };
  const timeout = Number(settings.one('connecttimeout'));
  return {
    host: stop.label,
    trustedBy: stop.host,
    address: target.address,
    port: target.port,
    user: target.user,
    identities: readIdentities({ settings, target, stop, explain }),
    hostKeys: readSources({ settings, target, stop, explain }),
    connectLimit: timeout > 0 ? timeout * 1000 : null,
    way: await readWay({ settings, target, stop, explain }),
  };
}

interface Reading {
  readonly settings: Settings;
  readonly target: Target;
  readonly stop: Stop;
  readonly explain: Explain;
}

type Explain = <Value>(keyword: string, read: () => Value) => Value;

function readIdentities({ settings, target, stop, explain }: Reading): Identities {
  const paths = (keyword: string) => readPaths(keyword, settings.all(keyword), { target, stop, explain });
  const cards = settings.all('pkcs11provider').filter((value) => !isOff(value));
  const isKeyLogin = settings.flag('pubkeyauthentication') !== 'no';
  return {
    files: isKeyLogin ? paths('identityfile') : [],
    agent: isKeyLogin ? readAgent({ settings, target, stop, explain }) : null,
    isOnlyFiles: settings.flag('identitiesonly') === 'yes',
    passphrase: stop.passphrase,
    unusable: [
      ...(isKeyLogin ? [] : ['PubkeyAuthentication no in ~/.ssh/config: Vigil logs in by keys only']),
      ...cards.map((path) => `PKCS11Provider ${path}: Vigil uses no smart cards; use a key file`),
      ...paths('certificatefile').map((path) => `${path}: Vigil logs in without certificates, by the key alone`),
    ],
  };
}

function readAgent({ settings, target, stop, explain }: Reading): string | null {
  const { variables } = stop;
  const value = settings.one('identityagent') ?? 'SSH_AUTH_SOCK';
  if (isOff(value)) return null;
  if (value === 'SSH_AUTH_SOCK') return variables.SSH_AUTH_SOCK || null;
  if (/^\$\w+$/.test(value)) return variables[value.slice(1)] || null;
  return explain('IdentityAgent', () => expandPath(value, fileTokens(target), variables));
}

function readSources({ settings, target, stop, explain }: Reading): HostKeySources {
  const { address, port, alias } = target;
  const files = (keyword: string) =>
    readPaths(
      keyword,
      settings.all(keyword).flatMap((value) => value.split(/\s+/)),
      { target, stop, explain },
    );
  const strictness = settings.flag('stricthostkeychecking');
  return {
    name: alias ?? knownName(address, port),
    plainName: alias !== null || port === 22 ? null : knownName(address, 22),
    files: files('userknownhostsfile'),
    systemFiles: files('globalknownhostsfile'),
    revoked: files('revokedhostkeys'),
    isHashed: settings.flag('hashknownhosts') === 'yes',
    laxity: strictness === 'no' || strictness === 'accept-new' ? `StrictHostKeyChecking ${strictness}` : null,
  };
}

function readPaths(
  keyword: string,
  values: readonly string[],
  { target, stop, explain }: Omit<Reading, 'settings'>,
): readonly string[] {
  const named = values.filter((value) => !isOff(value));
  return named.map((value) => explain(keyword, () => expandPath(value, fileTokens(target), stop.variables)));
}

async function readWay({ settings, target, stop, explain }: Reading): Promise<Way> {
  const jump = settings.one('proxyjump');
  if (jump !== undefined && !isOff(jump)) {
    const text = explain('ProxyJump', () => expandTokens(jump, proxyTokens(target)));
    return { kind: 'jump', over: { kind: 'login', login: await resolveHop(text, target, stop) } };
  }
  const command = settings.one('proxycommand');
  if (command === undefined || isOff(command)) return { kind: 'direct' };
  if (settings.flag('proxyusefdpass') === 'yes')
    throw refusal(stop, 'ProxyUseFdpass', "Vigil can't take a socket from a command");
  return { kind: 'command', text: explain('ProxyCommand', () => expandTokens(command, plainTokens(target))) };
}

async function resolveHop(text: string, { user, address, port }: Target, stop: Stop): Promise<Login> {
  const jump = parseJump(text);
  if (jump === null) throw refusal(stop, 'ProxyJump', `"${text}" isn't a list of [user@]host[:port]`);
  const behind = [...stop.behind, `${user}@${address}:${port}`];
  if (new Set(behind).size < behind.length || behind.length > MOST_HOPS) {
    const way = behind.toReversed().join(', ');
    throw refusal(stop, 'ProxyJump', `the way comes back to a host that it has passed (${way}, …)`);
  }
  return resolveStop({ ...stop, jump, behind, label: jump.label });
}

/** The command's words are the administrator's own; what is put into them must be one plain word for the shell. */
function plainTokens(target: Target): Tokens {
  const tokens = proxyTokens(target);
  const odd = Object.values(tokens).find((value) => !/^[\w.:@%-]*$/.test(value) || value.startsWith('-'));
  if (odd !== undefined) throw new Unresolved(`"${odd}" has characters that a shell would read`);
  return tokens;
}

function explainer(stop: Stop): Explain {
  return (keyword, read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      throw refusal(stop, keyword, error.message);
    }
  };
}

function refusal({ host, jump }: Stop, keyword: string, found: string): HostRefused {
  return new HostRefused(
    host,
    `~/.ssh/config can't be followed for ${jump.name}, on the way to ${host}: ${keyword}: ${found}. Change it there, or write address, user and jump in vigil.yaml instead of alias.`,
  );
}
