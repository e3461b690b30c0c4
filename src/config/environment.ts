/** The environment of Vigil's own processes. With src/config/load.ts the only reader of process.env's values. */

import { z } from 'zod';
import { ConfigError } from '../errors.ts';
import { readSlack, SLACK_SECRETS, type SlackAccess } from './slack-access.ts';

export interface Environment {
  readonly slack: SlackAccess;
  /** What ioredis takes: redis://, rediss://, or the path of a unix socket. */
  readonly redisUrl: string;
  readonly configPath: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Port of the health answer, or null for none. */
  readonly healthPort: number | null;
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const HttpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL; leave it out for Slack itself' });
const port = (orElse: string) => {
  const expected = `a port from 1 to 65535; ${orElse}`;
  return z
    .string()
    .regex(/^\d{1,5}$/, expected)
    .transform(Number)
    .refine((number) => number >= 1 && number <= 65_535, expected)
    .nullable()
    .default(null);
};
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
  VIGIL_HEALTH_PORT: port('leave it out for none'),
  VIGIL_HTTP_PORT: port('leave it out for Socket Mode'),
  VIGIL_HTTP_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'an address of this machine, 0.0.0.0 for example; leave it out for 127.0.0.1')
    .default('127.0.0.1'),
});

/** Every variable that Vigil reads for itself. */
export const VARIABLE_NAMES: readonly string[] = [...SLACK_SECRETS, ...Object.keys(Variables.shape)];

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
    slack: readSlack(set, {
      apiUrl: data.SLACK_API_URL,
      http: { host: data.VIGIL_HTTP_HOST, port: data.VIGIL_HTTP_PORT },
    }),
    redisUrl: data.REDIS_URL,
    configPath: data.VIGIL_CONFIG,
    logLevel: data.LOG_LEVEL,
    healthPort: data.VIGIL_HEALTH_PORT,
  };
}

function showIssue(issue: z.core.$ZodIssue, variables: NodeJS.ProcessEnv): string {
  const name = String(issue.path[0]);
  // A Redis URL may hold a password.
  const found = name === 'REDIS_URL' ? 'something else' : JSON.stringify(variables[name]);
  return `${name}: found ${found}, expected ${issue.message}`;
}
