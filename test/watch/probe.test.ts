import { expect, test } from 'vitest';
import type { Run } from '../../src/run/run.ts';
import { probe } from '../../src/watch/probe.ts';
import { sampleRun } from '../report/sample-run.ts';
import { fakeHost } from '../support/fake-host.ts';

const NEVER = new AbortController().signal;
const FOLDER = { path: '/tmp', run: 'r' };

/** What is found of a server that wants a key: it is well, and says no more. */
async function completionOf(run: Run): Promise<string> {
  const pid = run.started?.main.pid ?? 0;
  const host = fakeHost('kpro5', {
    http: async ({ path }) => ({ status: path === '/health' ? 200 : 401, body: '{}', by: 'forwarding' }),
    listener: async () => ({ kind: 'known', pid, command: 'vllm', run: null, user: null, since: 0 }),
    tree: async () => [{ pid, start: 1 }],
  });
  const found = await probe({ host, run, apiKey: null, folder: FOLDER }, NEVER);
  return found.kind === 'ready' ? found.readiness.completion : found.kind;
}

test('a server that wants an API key is told as such, and where the key would come from', async () => {
  expect(await completionOf(sampleRun({}))).toBe(
    "No completion was asked for: the server wants an API key (/v1/models answered 401), which the recipe's environment does not name as VLLM_API_KEY.",
  );
  const found = { process: null, size: 0, trigger: 't', answered: true };
  expect(await completionOf(sampleRun({}, { found }))).toBe(
    'No completion was asked for: the server wants an API key (/v1/models answered 401), which Vigil does not know of a server that it did not launch.',
  );
});
