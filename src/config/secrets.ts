/** Every secret that Vigil knows: none of them may be shown to anybody. */

import type { Config, HostConfig } from './config.ts';
import type { Environment } from './environment.ts';

/** The values of all recipes' secrets, of keys' passphrases, and of what Vigil itself needs for Slack and Redis. Empty ones are left out. */
export function secretsOf(
  { recipes, hosts }: Pick<Config, 'recipes' | 'hosts'>,
  { slack, redisUrl }: Pick<Environment, 'slack' | 'redisUrl'>,
): readonly string[] {
  const all = [
    ...Object.values(recipes).flatMap(({ secrets }) => secrets),
    ...Object.values(hosts).map(passphraseOf),
    ...slackSecrets(slack),
    ...redisPasswords(redisUrl),
  ];
  return [...new Set(all)].filter((secret) => secret !== '');
}

function passphraseOf({ connect }: HostConfig): string {
  return connect.passphrase?.value ?? '';
}

function slackSecrets(slack: Environment['slack']): string[] {
  if (slack.kind !== 'tokens') return [];
  const { botToken, entrance } = slack;
  return [botToken, entrance.kind === 'http' ? entrance.signingSecret : entrance.appToken];
}

/** As written in the URL and as Redis gets it (ioredis takes one from the query, too); the path of a socket holds none. */
function redisPasswords(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  return [password, decoded(password), searchParams.get('password') ?? ''];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % of the password's own
  }
}
