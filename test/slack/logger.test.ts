import pino from 'pino';
import { expect, test } from 'vitest';
import { redact, slackLogger } from '../../src/slack/logger.ts';

test.each([
  ['auth with xoxb-12-ab_C failed, xapp-1-A9 too', 'auth with [token] failed, [token] too'],
  ['{"response_url":"https://x/y","text":"a"}', '{"response_url":[hidden],"text":"a"}'],
  ['trigger_id: 13.37.abc', 'trigger_id: [hidden]'],
  ['to https://hooks.slack.com/commands/T1/2/3', 'to [link]'],
  ['at wss://wss-primary.slack.com/link/?ticket=1', 'at [link]'],
])('%j is logged as %j', (line, expected) => {
  expect(redact(line)).toBe(expected);
});

test('every argument is logged, errors with their message, and payloads of debug are not', () => {
  const lines: string[] = [];
  const log = slackLogger(pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }));
  log.error('Slack API error: x', new Error('why xoxb-1'), { a: 1 });
  log.debug('payload');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('Slack API error: x Error: why [token] {\\"a\\":1}');
});
