import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../rehearsal/free-port.ts';
import { openHealth } from '../src/health.ts';

test('the health says well, or why not, and nothing else is served', async () => {
  const port = await findFreePort();
  let trouble: string | null = null;
  onTestFinished(await openHealth(port, () => trouble));
  const at = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return `${response.status} ${await response.text()}`;
  };
  expect(await at('/healthz')).toBe('200 ok\n');
  trouble = 'no connection to Slack';
  expect(await at('/healthz')).toBe('503 not ok: no connection to Slack\n');
  expect(await at('/')).toBe('404 not found\n');
});
