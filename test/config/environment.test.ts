import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';

const TOKENS = { SLACK_BOT_TOKEN: 'xoxb-1-a', SLACK_APP_TOKEN: 'xapp-1-b' };

test('the defaults are Slack itself, Redis on loopback and ./vigil.yaml; empty counts as unset', () => {
  expect(readEnvironment({ ...TOKENS, REDIS_URL: '', LOG_LEVEL: '' })).toEqual({
    slack: { kind: 'tokens', botToken: 'xoxb-1-a', appToken: 'xapp-1-b', apiUrl: 'https://slack.com/api/' },
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
      'SLACK_APP_TOKEN: found nothing, expected a token that begins with xapp-; copy it from api.slack.com/apps, your app, Basic Information, App-Level Tokens (scope connections:write)',
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

test('values that can not be right are told all at once, a Redis password never', () => {
  const wrong = { LOG_LEVEL: 'loud', VIGIL_HEALTH_PORT: '70000', REDIS_URL: 'http://u:hunter2@h', SLACK_API_URL: 'x' };
  expect(() => readEnvironment(wrong)).toThrow(
    [
      'SLACK_API_URL: found "x", expected an http or https URL; leave it out for Slack itself',
      'REDIS_URL: found something else, expected redis://HOST:PORT, rediss://HOST:PORT or unix:/PATH; leave it out for redis://127.0.0.1:6379',
      'LOG_LEVEL: found "loud", expected one of trace, debug, info, warn, error, fatal, silent; leave it out for info',
      'VIGIL_HEALTH_PORT: found "70000", expected a port from 1 to 65535; leave it out for none',
    ].join('\n'),
  );
});
