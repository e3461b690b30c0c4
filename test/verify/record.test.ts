import { describe, expect, it } from 'vitest';
import { judgeMeasured } from '../../src/verify/judge.ts';
import type { Measured } from '../../src/verify/measured.ts';
import { readServing } from '../../src/verify/read-serving.ts';
import type { KeptRecord } from '../../src/verify/verification.ts';
import { ARGV, drafted, HEALTHY, MISLED, measured, prompts, record, SMOKE } from './samples.ts';

function kept(changes: Partial<Measured> = {}) {
  const { record: to, verification } = judgeMeasured(measured(changes));
  return { to, recorded: verification.recorded, outcome: verification.outcome };
}

const lengthOf = (of: KeptRecord | null) => of?.acceptance?.value.length;
const rateOf = (of: KeptRecord | null) => of?.speed?.value.tokensPerSecond;

describe('the record', () => {
  it('begins with the first run that is ready', () => {
    const { to, recorded } = kept();
    expect(recorded).toBe('first');
    expect(to?.speed).toEqual({
      value: { by: 'forwarding', tokensPerSecond: expect.closeTo(74.7, 1), firstTokenMs: 80 },
      ...{ run: 'kpro5-4', at: 1_000_000, argv: ARGV },
    });
    expect(to?.acceptance).toMatchObject({ run: 'kpro5-4', value: { length: expect.closeTo(2.7, 1), of: 'prompts' } });
  });

  it('is raised number by number, and keeps what is better', () => {
    const old = record(
      60,
      HEALTHY.map((rate) => rate * 1.1),
    );
    const { to, recorded } = kept({ record: old });
    expect(recorded).toBe('better');
    expect(rateOf(to)).toBeCloseTo(74.7, 1);
    expect(to?.acceptance).toEqual(old.acceptance);
    expect(
      kept({
        record: record(
          90,
          HEALTHY.map((rate) => rate * 1.1),
        ),
      }),
    ).toMatchObject({ to: null, recorded: null });
  });

  it('does not wear down by small losses', () => {
    let now: KeptRecord | null = record(80, HEALTHY);
    for (const part of [0.97, 0.95, 0.93, 0.9, 0.88]) {
      const answer = judgeMeasured(measured({ record: now, prompts: drafted(HEALTHY.map((rate) => rate * part)) }));
      now = answer.record ?? now;
    }
    expect(lengthOf(now)).toBeCloseTo(2.7, 1);
    const less = judgeMeasured(measured({ record: now, prompts: drafted(HEALTHY.map((rate) => rate * 0.75)) }));
    expect(less.verification.outcome).toBe('warnings');
  });

  it('stays as it was by a run with a warning about its numbers, and by one that is of no use', () => {
    expect(kept({ prompts: drafted(MISLED) })).toEqual({ to: null, recorded: null, outcome: 'unusable' });
    const warned = { record: record(20, HEALTHY), prompts: drafted(HEALTHY.map((rate) => rate * 0.7)) };
    expect(kept(warned)).toEqual({ to: null, recorded: null, outcome: 'warnings' });
  });

  it('is set by a run whose only warning is about something else than its numbers', () => {
    const said = { ...measured().said, engine: { version: '0.20.1', config: { max_seq_len: 16_384 } } };
    expect(kept({ said })).toMatchObject({ recorded: 'first', outcome: 'warnings' });
  });

  it('is what a verified run reached, whatever it was, where somebody accepts that', () => {
    const accepted = kept({ record: record(90, HEALTHY), prompts: drafted(SMOKE), accept: true });
    expect(accepted).toMatchObject({ recorded: 'accepted', outcome: 'ready' });
    expect(rateOf(accepted.to)).toBeCloseTo(74.7, 1);
    expect(lengthOf(accepted.to)).toBeCloseTo(1.47, 1);
    expect(kept({ prompts: drafted(MISLED), accept: true })).toMatchObject({
      recorded: 'accepted',
      outcome: 'warnings',
    });
    const next = { record: accepted.to, prompts: drafted(SMOKE) };
    expect(kept(next)).toMatchObject({ recorded: null, outcome: 'ready' });
  });

  it('forgets a drafter that was taken out on purpose', () => {
    const without = ['vllm', 'serve', 'qwen'];
    const changes = {
      ...{ serving: readServing(without, {}), run: { ...measured().run, argv: without }, accept: true },
      ...{ record: record(90, HEALTHY), prompts: prompts({ drafts: null }) },
    };
    expect(kept(changes).to?.acceptance).toBeNull();
    expect(kept({ ...changes, accept: false })).toMatchObject({ to: null });
  });

  it('takes no number that was disturbed, even where it is accepted', () => {
    for (const accept of [true, false]) {
      const beside = kept({ others: ['pid 1 (x, user y) on GPU 0'], accept });
      expect(beside.to?.speed).toBeNull();
      expect(lengthOf(beside.to)).toBeCloseTo(2.7, 1);
      expect(kept({ prompts: { ...prompts(), othersFinished: 1 }, accept })).toMatchObject({
        to: null,
        recorded: null,
      });
      const busy = prompts({ left: { why: 'busy', running: 1, waiting: 0 }, runs: [] });
      expect(kept({ prompts: busy, accept })).toMatchObject({ to: null });
    }
  });

  it('is none of servers that were found, of made-up weights, and of those that did nothing', () => {
    expect(kept({ run: { ...measured().run, isFound: true } }).to).toBeNull();
    expect(kept({ run: { ...measured().run, recipe: '' } }).to).toBeNull();
    expect(kept({ serving: readServing([...ARGV, '--load-format', 'dummy'], {}) }).to).toBeNull();
    const tries: Measured['tries'] = [{ task: 'plain', outcome: { kind: 'failed', status: 500, said: '' } }];
    expect(kept({ tries, accept: true }).to).toBeNull();
  });

  it('of curl gives way to one of forwarding, and never the other way round', () => {
    const own = record(90, null);
    const byCurl =
      own.speed === null
        ? own
        : { ...own, speed: { ...own.speed, value: { ...own.speed.value, by: 'curl' as const } } };
    expect(rateOf(kept({ record: byCurl }).to)).toBeCloseTo(74.7, 1);
    const fast = prompts({ by: 'curl', runs: prompts().runs.map((run) => ({ ...run, firstMs: null, totalMs: 500 })) });
    expect(kept({ record: record(60, HEALTHY), prompts: fast }).to).toBeNull();
  });
});
