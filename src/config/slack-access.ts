/** How Vigil reaches Slack and Slack reaches Vigil, read from the environment. */

export interface SlackTokens {
  readonly kind: 'tokens';
  readonly botToken: string;
  /** Ends in /api/. */
  readonly apiUrl: string;
  /** Socket Mode, or HTTP requests that Slack signs. */
  readonly entrance:
    | { readonly kind: 'socket'; readonly appToken: string }
    | { readonly kind: 'http'; readonly signingSecret: string; readonly host: string; readonly port: number };
}

export type SlackAccess =
  | SlackTokens
  /** One sentence for each variable that is missing or can't be right: what was found, what was expected, how to get it. */
  | { readonly kind: 'incomplete'; readonly problems: readonly string[] };

interface Secret {
  readonly name: string;
  readonly expected: string;
  readonly source: string;
  isRight(value: string): boolean;
}

const token = (prefix: string) => ({
  expected: `a token that begins with ${prefix}`,
  isRight: (value: string) => /^\S+$/.test(value) && value.startsWith(prefix) && value.length > prefix.length,
});
const BOT: Secret = {
  name: 'SLACK_BOT_TOKEN',
  ...token('xoxb-'),
  source: 'api.slack.com/apps, your app, OAuth & Permissions, Bot User OAuth Token',
};
const APP: Secret = {
  name: 'SLACK_APP_TOKEN',
  ...token('xapp-'),
  source: 'api.slack.com/apps, your app, Basic Information, App-Level Tokens (scope connections:write)',
};
const SIGNING: Secret = {
  name: 'SLACK_SIGNING_SECRET',
  expected: 'the signing secret, 32 characters 0–9 and a–f',
  isRight: (value) => /^[0-9a-f]{32,64}$/i.test(value),
  source: 'api.slack.com/apps, your app, Basic Information, App Credentials',
};
const PORT = 'VIGIL_HTTP_PORT';

/** All variables here that hold a secret of Vigil's own. */
export const SLACK_SECRETS: readonly string[] = [BOT, APP, SIGNING].map(({ name }) => name);

/** `http`: where to listen, with a null port for one that isn't given. Shows at most a token's public prefix. */
export function readSlack(
  variables: NodeJS.ProcessEnv,
  { apiUrl, http }: { apiUrl: string; http: { host: string; port: number | null } },
): SlackAccess {
  const [botToken = '', appToken = '', signingSecret = ''] = [BOT, APP, SIGNING].map(({ name }) => variables[name]);
  if (APP.isRight(botToken) && BOT.isRight(appToken)) return incomplete([SWAPPED]);
  const bot = problemOf(BOT, botToken);
  const wantsHttp = signingSecret !== '' || http.port !== null;
  if (wantsHttp && appToken !== '') return incomplete([bot, twoWays(signingSecret === '' ? PORT : SIGNING.name)]);
  if (!wantsHttp) {
    const problems = [bot, problemOf(APP, appToken, OR_HTTP)].filter((problem) => problem !== null);
    if (problems.length > 0) return incomplete(problems);
    return { kind: 'tokens', botToken, apiUrl, entrance: { kind: 'socket', appToken } };
  }
  const problems = [bot, problemOf(SIGNING, signingSecret), http.port === null ? NO_PORT : null];
  if (http.port === null || problems.some((problem) => problem !== null)) return incomplete(problems);
  return {
    kind: 'tokens',
    botToken,
    apiUrl,
    entrance: { kind: 'http', signingSecret, host: http.host, port: http.port },
  };
}

const SWAPPED = `${BOT.name} and ${APP.name} are swapped: found xapp-… and xoxb-…, expected xoxb-… and xapp-…; exchange the two`;
const NO_PORT = `${PORT}: found nothing beside ${SIGNING.name}, expected the port at which requests of Slack arrive; set it, 3000 for example (docs/operating.md, "HTTP instead of sockets")`;
const OR_HTTP = ` (or, for HTTP instead of sockets, set ${SIGNING.name} and ${PORT}: docs/operating.md)`;

function twoWays(other: string): string {
  return `${APP.name} and ${other}: found both, expected one way for Slack to reach Vigil; leave ${other} out for Socket Mode, or ${APP.name} for HTTP`;
}

function incomplete(problems: readonly (string | null)[]): SlackAccess {
  return { kind: 'incomplete', problems: problems.filter((problem) => problem !== null) };
}

function problemOf({ name, expected, source, isRight }: Secret, value: string, orElse = ''): string | null {
  if (isRight(value)) return null;
  const known = /^(?:xox[a-z]|xapp)-/.exec(value)?.[0];
  const isOther = known === undefined || expected.endsWith(known);
  const found = value === '' ? 'nothing' : isOther ? 'something else' : `${known}…`;
  return `${name}: found ${found}, expected ${expected}; copy it from ${source}${value === '' ? orElse : ''}`;
}
