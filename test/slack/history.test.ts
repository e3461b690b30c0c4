import { expect, test } from 'vitest';
import { entryOf } from '../../src/history/entry-of.ts';
import { historyRow } from '../../src/report/history.ts';
import type { ServeRequest } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { OOM, sampleRun, sampleTraining, T0, visits, WELL } from '../report/sample-run.ts';
import { setUp } from './set-up.ts';

const THREAD = { channel: 'C0OPS', ts: '9.000001' };

/** A server that was stopped after a day, verified with a warning. */
function stopped(request: Partial<ServeRequest> = {}): Run {
  return sampleRun(
    {
      phase: 'stopped',
      stopBy: 'U0BOB',
      visits: visits({ queued: 0, launched: 100, ready: 160, stopped: 100 + 86_400 }),
      verification: {
        ...WELL,
        outcome: 'warnings',
        speed: { by: 'forwarding', tokensPerSecond: 61.23, firstTokenMs: 84, tokens: 200, disturbedBy: null },
        acceptance: { rate: 0.012, length: 1.18, curve: [0.18, 0], drafts: 90, of: 'prompts' },
      },
    },
    { name: 'kpro5-2', id: 'r2', ...request },
  );
}

function failed(request: Partial<ServeRequest> = {}): Run {
  const failure = {
    kind: 'ended',
    exit: { code: 1, signal: null, at: T0 },
    during: 'loading',
    cause: OOM,
    tail: [],
  } as const;
  return sampleRun(
    { phase: 'failed', failure, visits: visits({ queued: 0, launched: 2, loading: 10, failed: 44 }) },
    request,
  );
}

/** Those runs ended, the first of them last. */
function past(...runs: readonly Run[]) {
  const world = setUp();
  world.desk.entries.push(...runs.map((run) => ({ ...entryOf(run, run.visits.at(-1)?.at ?? T0), thread: THREAD })));
  return world;
}

test('tokens/s that others disturbed are marked', async () => {
  const run = stopped();
  const { verification } = run;
  const speed = verification?.speed ?? null;
  if (verification === null || speed === null) throw new Error('the sample has lost its speed');
  const marked = { ...run, verification: { ...verification, speed: { ...speed, disturbedBy: 'Others compute.' } } };
  expect(await past(marked).type('history')).toContain('61.2 tokens/s (disturbed by others), first token');
  expect(await past(run).type('history')).not.toContain('disturbed');
});

test('a run that ended is told in two lines: what came of it, and what was measured', async () => {
  const { type } = past(failed(), stopped());
  const answer = await type('history');
  expect(answer).toContain('2 servers have ended, the newest first:');
  expect(answer).toContain('kpro5-3 dflash on kpro5, 2026-11-30 07:00 UTC: failed after 42 s: CUDA out of memory');
  expect(answer).toContain('kpro5-2 dflash on kpro5, 2026-12-01 07:01 UTC: stopped after 1 d');
  expect(answer).toContain(
    'verified with warnings, 61.2 tokens/s, first token after 84 ms, mean acceptance length 1.18 (1.2 %)',
  );
  expect(answer).toContain('npm run --silent history -- --kind serve where Vigil runs prints all');
});

test('each has the way to its thread: a link, or the channel where Slack gives none', async () => {
  const { type, chat } = past(failed());
  expect(await type('history')).toContain('https://example.slack.com/archives/C0OPS/p9000001');
  chat.permalink = async () => null;
  expect(await type('history')).toContain('thread in #C0OPS');
});

test('why nothing was started, how a failure without a cause ended, and how far a training came, are told', async () => {
  const refused = sampleRun({ phase: 'failed', failure: { kind: 'refused', reason: 'GPU 0 is in use by pid 12' } });
  const failure = {
    kind: 'ended',
    exit: { code: null, signal: 9, at: T0 },
    during: 'ready',
    cause: null,
    tail: [],
  } as const;
  const killed = sampleRun({ phase: 'failed', failure, visits: visits({ launched: 2, ready: 12, failed: 72 }) });
  const serving = await past(refused, killed).type('history');
  expect(serving).toContain('not started: GPU 0 is in use by pid 12');
  expect(serving).toContain('failed after 1 min 10 s: signal 9 while ready');
  const record = { step: 1204, epoch: 1, loss: 0.31, accuracy: null, tokensPerSecond: null };
  const mark = { record, number: 9, at: T0 };
  const training = { since: T0, first: mark, last: mark };
  const trained = past(sampleTraining({ phase: 'finished', training }, { host: 'kpro5' }));
  expect(await trained.type('history', { command: '/dflash' })).toContain('step 1,204, loss 0.31');
});

test('what became of a run that is lost, that never began, and in which phase one ended are told in the words of its card', async () => {
  const lost = sampleRun({
    phase: 'lost',
    lost: 'kpro5 was restarted at 07:12.',
    visits: visits({ ready: 12, lost: 72 }),
  });
  const left = sampleRun({
    phase: 'stopped',
    stopBy: 'U0BOB',
    started: null,
    visits: visits({ queued: 0, stopped: 60 }),
  });
  const failure = { kind: 'ended', exit: { code: 1, signal: null, at: T0 }, cause: null, tail: [] } as const;
  const died = (during: 'launched' | 'kv_cache') =>
    sampleRun({ phase: 'failed', failure: { ...failure, during }, visits: visits({ [during]: 0, failed: 9 }) });
  const answer = await past(lost, left, died('kv_cache'), died('launched')).type('history');
  expect(answer).toContain('lost after 1 min: kpro5 was restarted at 07:12, thread');
  expect(answer).toContain('stopped before its start');
  expect(answer).toContain('failed after 9 s: exit code 1 while sizing the KV cache');
  expect(answer).toContain('failed after 9 s: exit code 1 before its log showed anything');
});

test('of a host or a recipe where one is named, and of no host that the caller may not see', async () => {
  const { type } = past(
    stopped(),
    stopped({ host: 'kpro6', name: 'kpro6-1' }),
    stopped({ recipe: 'gone.log', name: 'kpro5-8' }),
  );
  expect(await type('history')).not.toContain('kpro6-1');
  expect(await type('history GONE.log')).toMatch(/One server of GONE\.log has ended:(?!.*kpro5-2).*kpro5-8/s);
  expect(await type('history kpro5', { user: 'U0BOB' })).toContain('2 servers of kpro5 have ended');
  expect(await type('history kpro6')).toContain('There is no host or recipe “kpro6”. Did you mean kpro5?');
  expect(await type('history kpro6', { user: 'U0CAROL' })).toContain('kpro6-1');
});

test('a word that names nothing is answered with what there is, and a recipe of the other kind with the line that takes it', async () => {
  const { type } = past(stopped());
  expect(await type('history dflahs')).toContain('Did you mean dflash? There are kpro5 and dflash.');
  expect(await type('history drafter')).toContain('To copy: /dflash history drafter');
  expect(await type('history drafter', { command: '/dflash' })).toContain('No training of drafter has ended yet.');
  expect(await setUp().type('history')).toContain('No server has ended yet on the hosts that you may see.');
});

test('of many the newest fifteen are listed, and the rest is counted', async () => {
  const { type } = past(...Array.from({ length: 17 }, (_, index) => stopped({ name: `kpro5-${100 - index}` })));
  const answer = await type('history');
  expect(answer).toContain('17 servers have ended');
  expect(answer).toContain('kpro5-86');
  expect(answer).not.toContain('kpro5-85');
  expect(answer).toContain('… and 2 more.');
});

test('what a log or a command brought cannot leave its place', async () => {
  const cause = { ...OOM, title: '<!here> *x* `y`' };
  const failure = { kind: 'ended', exit: null, during: 'loading', cause, tail: [] } as const;
  const run = sampleRun({ phase: 'failed', failure }, { recipe: '<@U1>.log' });
  expect(historyRow(entryOf(run, T0), null)).not.toMatch(/<!here|<@U1/);
});
