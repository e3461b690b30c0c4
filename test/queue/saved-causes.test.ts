import { expect, test } from 'vitest';
import { readRun } from '../../src/queue/journal.ts';
import { renderCard } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import { event, OOM, sampleRun, T0, VIEW } from '../report/sample-run.ts';
import { plainMessage } from '../support/plain.ts';

test('a cause that was saved before causes named their row is read, and told as it was then', () => {
  const { row: _row, why: _why, link: _link, retry: _retry, fingerprint: _fingerprint, ...old } = OOM;
  const exit = { code: 1, signal: null, at: T0 };
  const failure = { kind: 'ended', exit, during: 'loading', cause: old, tail: [] };
  const run = readRun(JSON.stringify({ ...sampleRun({ phase: 'failed' }), failure }));
  expect(run.failure).toMatchObject({
    kind: 'ended',
    cause: { ...old, row: 'unknown', why: '', link: null, retry: 'may help', fingerprint: '' },
  });
  expect(plainMessage(renderCard(run, VIEW))).toContain('Restart may help.');
  if (run.failure === null) throw new Error('no failure');
  const reply = renderReply(event({ kind: 'failed', failure: run.failure }, 9), run, VIEW);
  expect(reply === null ? null : plainMessage(reply)).toContain(
    'CUDA out of memory (Worker_TP1, line 101 of the log)\n ',
  );
});
