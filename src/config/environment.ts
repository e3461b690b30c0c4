/** The environment of Vigil's own processes. With src/config/load.ts the only reader of process.env's values. */

import { z } from 'zod';
import { ConfigError } from '../errors.ts';

export interface Environment {
  readonly slack: SlackAccess;
  /** What ioredis takes: redis://, rediss://, or the path of a unix socket. */
  readonly redisUrl: string;
  readonly configPath: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Port of the health answer, or null for none. */
  readonly healthPort: number | null;
}

export type SlackAccess =
  | { readonly kind: 'tokens'; readonly botToken: string; readonly appToken: string; readonly apiUrl: string }
  /** One sentence for each token that is missing or can't be right: what was found, what was expected, how to get it. */
  | { readonly kind: 'incomplete'; readonly problems: readonly string[] };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const HttpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL; leave it out for Slack itself' });
const Variables = z.object({
  SLACK_API_URL: HttpUrl.transform((url) => (url.endsWith('/') ? url : `${url}/`)).default('https://slack.com/api/'),
  REDIS_URL: z
    .string()
    .regex(
      /^(?:rediss?:\/\/\S+|(?:unix:(?:\/\/)?)?\/[^\0]+)$/,
      'redis://HOST:PORT, rediss://HOST:PORT or unix:/PATH; leave it out for redis://127.0.0.1:6379',
    )
    .transform((url) => url.replace(/^unix:(?:\/\/)?/, ''))
    .default('redis://127.0.0.1:6379'),
  VIGIL_CONFIG: z.string().default('./vigil.yaml'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}; leave it out for info`).default('info'),
  VIGIL_HEALTH_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'a port from 1 to 65535; leave it out for none')
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535, 'a port from 1 to 65535; leave it out for none')
    .nullable()
    .default(null),
});

/** Every variable that Vigil reads for itself. */
export const VARIABLE_NAMES: readonly string[] = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  ...Object.keys(Variables.shape),
];

/** For the programs that Vigil starts on its own machine (ssh -G, a ProxyCommand): all of the environment but what is Vigil's own. */
export function foreignVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !VARIABLE_NAMES.includes(name)));
}

/** An empty variable counts as unset. Throws ConfigError for values that can't be right; Slack tokens are told in `slack` instead. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = Variables.safeParse(set);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => showIssue(issue, variables)));
  const { data } = parsed;
  return {
    slack: readSlack(set, data.SLACK_API_URL),
    redisUrl: data.REDIS_URL,
    configPath: data.VIGIL_CONFIG,
    logLevel: data.LOG_LEVEL,
    healthPort: data.VIGIL_HEALTH_PORT,
  };
}

const BOT: Token = {
  name: 'SLACK_BOT_TOKEN',
  prefix: 'xoxb-',
  source: 'api.slack.com/apps, your app, OAuth & Permissions, Bot User OAuth Token',
};
const APP: Token = {
  name: 'SLACK_APP_TOKEN',
  prefix: 'xapp-',
  source: 'api.slack.com/apps, your app, Basic Information, App-Level Tokens (scope connections:write)',
};

interface Token {
  readonly name: string;
  readonly prefix: string;
  readonly source: string;
}

function readSlack(variables: NodeJS.ProcessEnv, apiUrl: string): SlackAccess {
  const botToken = variables[BOT.name] ?? '';
  const appToken = variables[APP.name] ?? '';
  if (botToken.startsWith(APP.prefix) && appToken.startsWith(BOT.prefix)) {
    const problem = `${BOT.name} and ${APP.name} are swapped: found ${APP.prefix}… and ${BOT.prefix}…, expected ${BOT.prefix}… and ${APP.prefix}…; exchange the two`;
    return { kind: 'incomplete', problems: [problem] };
  }
  const problems = [tokenProblem(BOT, botToken), tokenProblem(APP, appToken)].filter((problem) => problem !== null);
  return problems.length > 0 ? { kind: 'incomplete', problems } : { kind: 'tokens', botToken, appToken, apiUrl };
}

/** Shows at most a token's public prefix. */
function tokenProblem({ name, prefix, source }: Token, value: string): string | null {
  if (/^\S+$/.test(value) && value.startsWith(prefix) && value.length > prefix.length) return null;
  const known = /^(?:xox[a-z]|xapp)-/.exec(value)?.[0];
  const found = value === '' ? 'nothing' : known === undefined || known === prefix ? 'something else' : `${known}…`;
  return `${name}: found ${found}, expected a token that begins with ${prefix}; copy it from ${source}`;
}

function showIssue(issue: z.core.$ZodIssue, variables: NodeJS.ProcessEnv): string {
  const name = String(issue.path[0]);
  // A Redis URL may hold a password.
  const found = name === 'REDIS_URL' ? 'something else' : JSON.stringify(variables[name]);
  return `${name}: found ${found}, expected ${issue.message}`;
}
