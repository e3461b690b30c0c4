import { expect, test } from 'vitest';
import { secretsOf } from '../../src/config/secrets.ts';
import type { SlackTokens } from '../../src/config/slack-access.ts';
import { sampleConfig } from '../support/sample-config.ts';

const SOCKET: SlackTokens = {
  ...{ kind: 'tokens', botToken: 'xoxb-own', apiUrl: 'https://slack.com/api/' },
  entrance: { kind: 'socket', appToken: 'xapp-own' },
};
const REDIS = 'redis://127.0.0.1:6379';

test('every recipe’s secrets, passphrases and Vigil’s own are known, each once', () => {
  const config = sampleConfig();
  const [host, recipe] = [Object.values(config.hosts)[0], Object.values(config.recipes)[0]];
  if (host === undefined || recipe === undefined) throw new Error('the sample has both');
  const passphrase = { name: 'KEY_PASSPHRASE', value: 'open-sesame' };
  const secrets = secretsOf(
    {
      recipes: { a: { ...recipe, secrets: ['of-a', 'shared'] }, b: { ...recipe, secrets: ['shared', ''] } },
      hosts: { one: { ...host, connect: { ...host.connect, passphrase } }, two: host },
    },
    { slack: SOCKET, redisUrl: 'redis://vigil:p%40ss@10.0.0.1:6379' },
  );
  expect(secrets).toEqual(['of-a', 'shared', 'open-sesame', 'xoxb-own', 'xapp-own', 'p%40ss', 'p@ss']);
});

test.each([
  [REDIS, []],
  ['rediss://:only@10.0.0.1', ['only']],
  ['redis://10.0.0.1/?password=in-query', ['in-query']],
  ['redis://:50%@10.0.0.1', ['50%']],
  ['/run/redis.sock', []],
])('of the Redis at %s', (redisUrl, secrets) => {
  expect(secretsOf({ recipes: {}, hosts: {} }, { slack: { kind: 'incomplete', problems: [] }, redisUrl })).toEqual(
    secrets,
  );
});

test('the signing secret of requests is one', () => {
  const slack = {
    ...SOCKET,
    entrance: { kind: 'http', signingSecret: 'signs', host: '127.0.0.1', port: 3000 },
  } as const;
  expect(secretsOf({ recipes: {}, hosts: {} }, { slack, redisUrl: REDIS })).toEqual(['xoxb-own', 'signs']);
});
