import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/chat.ts';
import { emptyReading, type Reading } from '../../src/log/reading.ts';
import { renderCard } from '../../src/report/card.ts';
import { renderReply } from '../../src/report/reply.ts';
import { stateWords } from '../../src/report/words.ts';
import type { Run, RunEventBody, Target } from '../../src/run/run.ts';
import { plainMessage } from '../support/plain.ts';
import { event, OOM, sampleTraining, T0, VIEW } from './sample-run.ts';

const RECORD = { step: 120, epoch: 1, loss: 4.126, accuracy: 0.163, tokensPerSecond: 5620.4 };
const TRAINING = {
  since: T0 + 200_000,
  first: { record: { ...RECORD, step: 0 }, number: 1, at: T0 + 200_000 },
  last: { record: RECORD, number: 121, at: T0 + 440_000 },
};
const TARGET: Target = { reading: emptyReading('serve'), pids: [], answered: T0, deadLooks: 0, down: null };
const UNDER_WAY: Partial<Run> = {
  training: TRAINING,
  target: TARGET,
  progress: { phase: 'training', done: 1, total: 5, unit: 'epoch' },
  reading: {
    ...emptyReading('train'),
    facts: { epochs: 5, steps_per_epoch: 80, checkpoint: '/w/checkpoints/0', best_checkpoint: 0 },
  },
};

function card(changes: Partial<Run>, request: Parameters<typeof sampleTraining>[1] = {}): string {
  return plainMessage(renderCard(sampleTraining(changes, request), VIEW));
}

function reply(body: RunEventBody, run: Run = sampleTraining(UNDER_WAY)): Message | null {
  return renderReply(event(body, 600), run, VIEW);
}

describe('the card of a training', () => {
  test('has epoch, step, loss, rate and the time left', () => {
    const text = card(UNDER_WAY);
    expect(text).toContain('Training epoch 2/5, step 120: drafter on trainer (trainer-1)');
    expect(text).toContain('step 120, loss 4.126, accuracy 0.163, 5,620 tokens/s, 2 s a step, about 9 min 18 s left');
    expect(text).toContain('Last checkpoint /w/checkpoints/0 (best so far: 0)');
    expect(text).toContain('Target server: up');
  });

  test('shows the target server’s own phase while it starts', () => {
    const progress = { phase: 'loading', done: 12, total: 29 } as const;
    const reading: Reading = { ...emptyReading('serve'), phases: ['loading'], progress };
    const target = { ...TARGET, answered: null, reading };
    expect(stateWords(sampleTraining({ phase: 'target_starting', target }))).toBe(
      'Starting the target server: loading weights 12/29',
    );
  });

  test('says first that the target server is down', () => {
    const down = { at: T0, evidence: 'process', isAsked: false, cause: null } as const;
    expect(card({ ...UNDER_WAY, target: { ...TARGET, down } })).toMatch(
      /^⚠️ Training, but its target server is down: drafter on trainer/,
    );
  });

  test('of one that somebody started by hand names who runs it and has no button', () => {
    const process = { pid: 4711, group: 4711, user: 'root', command: 'bash train.sh', server: null };
    const text = card(UNDER_WAY, {
      by: '',
      recipe: 'run.log',
      found: { process, size: 10, trigger: null, answered: false },
    });
    expect(text).toContain('Started by hand by root (pid 4711, bash train.sh), found');
    expect(text).not.toContain('[Stop]');
    expect(text).not.toContain('Asked by');
  });

  test('of one whose process nobody sees says so, and that an end is only what the log says', () => {
    const hidden = { by: '', recipe: 'run.log', found: { process: null, size: 10, trigger: null, answered: false } };
    expect(card(UNDER_WAY, hidden)).toContain('Its process is not visible: all this is what its log says.');
    const failure = { kind: 'ended', exit: null, during: 'training', cause: OOM, tail: [] } as const;
    const failed = card({ ...UNDER_WAY, phase: 'failed', failure }, hidden);
    expect(failed).toContain('Failed, says the log: run.log on trainer');
    expect(failed).toContain('That is what the log says; its process is not visible.');
    expect(failed).not.toContain('To try again');
  });
});

describe('what the whole channel hears of a training', () => {
  test('that it has started, with its first record', () => {
    const said = reply({ kind: 'training', record: { ...RECORD, step: 0, loss: 11.993, epoch: 0 } });
    expect(said?.text).toBe('trainer-1 (drafter): training has started, step 0, loss 11.993.');
    expect(said?.broadcast).toBe(true);
  });

  test('that its target server is down, why, and what to do', () => {
    const cause = { ...OOM, title: 'More ranks than GPUs', remedy: 'Set --data-parallel-size to 1.' };
    const down = { at: T0, evidence: 'process', isAsked: false, cause } as const;
    const said = reply({ kind: 'target_down', down });
    expect(said?.broadcast).toBe(true);
    expect(said?.text).toContain('trainer-1 (drafter): the target server is down. More ranks than GPUs.');
    const text = said === null ? '' : plainMessage(said);
    expect(text).toContain('what it learns from now on is worth nothing');
    expect(text).toContain('Set --data-parallel-size to 1.');
  });

  test('that it has finished, with its last record and checkpoint', () => {
    const exit = { code: 0, signal: null, at: T0 };
    const said = reply({ kind: 'finished', exit, record: RECORD });
    expect(said?.text).toBe(
      '<@U0ALICE> trainer-1 (drafter) has finished. Trained for 6 min 40 s; last record: step 120, loss 4.126.',
    );
    expect(said?.broadcast).toBe(true);
  });

  test('that it is silent; of a server that stays in the thread', () => {
    const silence = { kind: 'silence', silentMs: 600_000, phase: 'training' } as const;
    expect(reply(silence)).toMatchObject({ broadcast: true });
    expect(reply(silence)?.text).toContain('/dflash logs trainer-1');
  });
});

test('the target server’s long phases are told in the thread, its short ones on the card only', () => {
  const loading = reply({ kind: 'target_phase', phase: 'loading', note: 'world size 2, NCCL 2.28.9' });
  expect(loading?.text).toBe(
    'trainer-1 (drafter): Target server: NCCL up (world size 2, NCCL 2.28.9), loading weights.',
  );
  expect(loading?.broadcast).toBeUndefined();
  expect(reply({ kind: 'target_phase', phase: 'capturing', note: null })).toBeNull();
});
