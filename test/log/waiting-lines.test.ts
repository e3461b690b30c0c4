import { expect, test } from 'vitest';
import { saysOnlyThatItWaits } from '../../src/log/waiting-lines.ts';

test.each([
  [
    '(EngineCore pid=7) INFO 11-30 07:41:56 [shm_broadcast.py:466] No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging.',
    true,
  ],
  ['DEBUG 11-30 07:41:56 [utils.py:855] Waiting for 2 local, 0 remote core engine proc(s) to start.', true],
  ['  still waiting for vLLM (120 s)', true],
  ['Server not ready yet, attempt 12/60', true],
  ['WARNING: Retrying (Retry(total=2)) after connection broken by NewConnectionError: /api/models', true],
  [
    '[W1130 07:41:56.1 socket.cpp:752] [c10d] The client socket has failed to connect to [a]:29500 (errno: 110 - Connection timed out).',
    true,
  ],
  ['Rate limited. Waiting 57.0s before retry', true],
  ['(APIServer pid=1) INFO:     127.0.0.1:48830 - "GET /health HTTP/1.1" 200 OK', true],
  ['[2025-12-29 05:52:01] INFO:     127.0.0.1:48112 - "GET /health HTTP/1.1" 503 Service Unavailable', true],
  ['{"name": "uvicorn.access", "message": "127.0.0.1:36110 - \\"GET /v1/models HTTP/1.1\\" 200"}', true],
  ['INFO:     127.0.0.1:48830 - "POST /v1/completions HTTP/1.1" 200 OK', false],
  ['Loading safetensors checkpoint shards:  40% Completed | 6/15', false],
  ['{"loss": 1.2, "step": 40}', false],
] as const)('%s says only that it waits: %j', (line, expected) => {
  expect(saysOnlyThatItWaits(`${line}\n`, [line])).toBe(expected);
  expect(saysOnlyThatItWaits(`${line}\nx\n`, [line, 'x'])).toBe(false);
});

test('dots without an end of line are waiting, a bar is not', () => {
  expect(saysOnlyThatItWaits('..', [])).toBe(true);
  expect(saysOnlyThatItWaits('\r 12%|###   | 3/30', [])).toBe(false);
  expect(saysOnlyThatItWaits('', [])).toBe(false);
});
