import { expect, test } from 'vitest';
import { readEnvironment, VARIABLE_NAMES } from '../../src/config/environment.ts';

const TOKENS = { SLACK_BOT_TOKEN: 'xoxb-1-a', SLACK_APP_TOKEN: 'xapp-1-b' };

test('the defaults are Slack itself, Redis on loopback and ./vigil.yaml; empty counts as unset', () => {
  expect(readEnvironment({ ...TOKENS, REDIS_URL: '', LOG_LEVEL: '' })).toEqual({
    slack: {
      ...{ kind: 'tokens', botToken: 'xoxb-1-a', apiUrl: 'https://slack.com/api/' },
      entrance: { kind: 'socket', appToken: 'xapp-1-b' },
    },
    redisUrl: 'redis://127.0.0.1:6379',
    configPath: './vigil.yaml',
    logLevel: 'info',
    healthPort: null,
  });
});

test.each([
  ['redis://u:p@h:6380/2', 'redis://u:p@h:6380/2'],
  ['rediss://h', 'rediss://h'],
  ['unix:/run/redis.sock', '/run/redis.sock'],
  ['unix:///run/redis.sock', '/run/redis.sock'],
  ['/run/redis.sock', '/run/redis.sock'],
])('REDIS_URL %s is %s for the client', (url, expected) => {
  expect(readEnvironment({ REDIS_URL: url }).redisUrl).toBe(expected);
});

test('missing, wrong and swapped tokens are told without showing them', () => {
  expect(readEnvironment({ SLACK_BOT_TOKEN: 'xoxp-1-secret' }).slack).toEqual({
    kind: 'incomplete',
    problems: [
      'SLACK_BOT_TOKEN: found xoxp-…, expected a token that begins with xoxb-; copy it from api.slack.com/apps, your app, OAuth & Permissions, Bot User OAuth Token',
      'SLACK_APP_TOKEN: found nothing, expected a token that begins with xapp-; copy it from api.slack.com/apps, your app, Basic Information, App-Level Tokens (scope connections:write) (or, for HTTP instead of sockets, set SLACK_SIGNING_SECRET and VIGIL_HTTP_PORT: docs/operating.md)',
    ],
  });
  const swapped = { SLACK_BOT_TOKEN: TOKENS.SLACK_APP_TOKEN, SLACK_APP_TOKEN: TOKENS.SLACK_BOT_TOKEN };
  expect(readEnvironment(swapped).slack).toEqual({
    kind: 'incomplete',
    problems: [
      'SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped: found xapp-… and xoxb-…, expected xoxb-… and xapp-…; exchange the two',
    ],
  });
});

const SECRET = '0123456789abcdef0123456789abcdef';
const { SLACK_BOT_TOKEN } = TOKENS;

test('a signing secret and a port mean HTTP, on loopback unless an address is given', () => {
  const http = { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET: SECRET, VIGIL_HTTP_PORT: '3000' };
  const entrance = { kind: 'http', signingSecret: SECRET, host: '127.0.0.1', port: 3000 };
  expect(readEnvironment(http).slack).toMatchObject({ kind: 'tokens', entrance });
  expect(readEnvironment({ ...http, VIGIL_HTTP_HOST: '0.0.0.0' }).slack).toMatchObject({
    entrance: { ...entrance, host: '0.0.0.0' },
  });
});

test.each([
  [
    { ...TOKENS, SLACK_SIGNING_SECRET: SECRET },
    'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET: found both, expected one way for Slack to reach Vigil; leave SLACK_SIGNING_SECRET out for Socket Mode, or SLACK_APP_TOKEN for HTTP',
  ],
  [
    { ...TOKENS, VIGIL_HTTP_PORT: '3000' },
    'SLACK_APP_TOKEN and VIGIL_HTTP_PORT: found both, expected one way for Slack to reach Vigil; leave VIGIL_HTTP_PORT out for Socket Mode, or SLACK_APP_TOKEN for HTTP',
  ],
  [
    { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET: SECRET },
    'VIGIL_HTTP_PORT: found nothing beside SLACK_SIGNING_SECRET, expected the port at which requests of Slack arrive; set it, 3000 for example (docs/operating.md, "HTTP instead of sockets")',
  ],
  [
    { SLACK_BOT_TOKEN, VIGIL_HTTP_PORT: '3000' },
    'SLACK_SIGNING_SECRET: found nothing, expected the signing secret, 32 characters 0–9 and a–f; copy it from api.slack.com/apps, your app, Basic Information, App Credentials',
  ],
  [
    { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET: 'xapp-1-secret', VIGIL_HTTP_PORT: '3000' },
    'SLACK_SIGNING_SECRET: found xapp-…, expected the signing secret, 32 characters 0–9 and a–f; copy it from api.slack.com/apps, your app, Basic Information, App Credentials',
  ],
])('a way in that is half given, or two of them, is told: %#', (variables, problem) => {
  expect(readEnvironment(variables).slack).toEqual({ kind: 'incomplete', problems: [problem] });
});

test("none of Vigil's own secrets are handed to the programs that it starts", () => {
  expect(VARIABLE_NAMES).toEqual(expect.arrayContaining([...Object.keys(TOKENS), 'SLACK_SIGNING_SECRET', 'REDIS_URL']));
});

test('values that can not be right are told all at once, a Redis password never', () => {
  const wrong = {
    LOG_LEVEL: 'loud',
    VIGIL_HEALTH_PORT: '70000',
    VIGIL_HTTP_HOST: 'a b',
    REDIS_URL: 'http://u:hunter2@h',
    SLACK_API_URL: 'x',
  };
  expect(() => readEnvironment(wrong)).toThrow(
    [
      'SLACK_API_URL: found "x", expected an http or https URL; leave it out for Slack itself',
      'REDIS_URL: found something else, expected redis://HOST:PORT, rediss://HOST:PORT or unix:/PATH; leave it out for redis://127.0.0.1:6379',
      'LOG_LEVEL: found "loud", expected one of trace, debug, info, warn, error, fatal, silent; leave it out for info',
      'VIGIL_HEALTH_PORT: found "70000", expected a port from 1 to 65535; leave it out for none',
      'VIGIL_HTTP_HOST: found "a b", expected an address of this machine, 0.0.0.0 for example; leave it out for 127.0.0.1',
    ].join('\n'),
  );
});
