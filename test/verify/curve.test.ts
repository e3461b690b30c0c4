import { describe, expect, it } from 'vitest';
import { cliffAt, firstPosition, shapeOf } from '../../src/verify/curve.ts';
import { causesOf, type Drafting } from '../../src/verify/curve-causes.ts';
import { acceptanceOf, even, HEALTHY, MISLED, SMOKE } from './samples.ts';

const shape = (curve: readonly number[], drafts?: number) => shapeOf(acceptanceOf(curve, drafts), null);

describe('the shape of a curve', () => {
  it.each([
    ['nothing at all', even(0, 0), 'none'],
    ['one in a hundred at the first position', even(0.01, 0.3), 'none'],
    ['hidden states one layer off', MISLED, 'hardly'],
    ['a drafter as released', HEALTHY, 'even'],
    ['a good one on code', even(0.9, 0.88), 'even'],
    ['a smoke-trained one', SMOKE, 'young'],
    ['a window that is lost', [0.62, 0.14, 0.05, 0.02, 0.01, 0, 0, 0], 'steep'],
    ['a block that is too short', [0.8, 0.62, 0.5, 0.4, 0.31, 0.25, 0.2, 0, 0, 0, 0], 'cliff'],
    ['an even fall from little', even(0.28, 0.55), 'low'],
    ['a single position', [0.82], 'even'],
  ] as const)('%s', (_, curve, expected) => {
    expect(shape(curve)).toBe(expected);
  });

  it('is no cliff where chance may have made it', () => {
    const short = [0.8, 0.6, 0.4, 0, 0, 0];
    expect(cliffAt(acceptanceOf(short, 400))).toBe(3);
    expect(cliffAt(acceptanceOf(short, 30))).toBeNull();
    expect(shape(HEALTHY, 50)).toBe('even');
  });

  it('says how many positions are well before a cliff', () => {
    expect(cliffAt(acceptanceOf([0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0, 0, 0, 0, 0, 0, 0, 0], 400))).toBe(7);
    expect(cliffAt(acceptanceOf(HEALTHY, 400))).toBeNull();
    expect(cliffAt(acceptanceOf(SMOKE, 400))).toBeNull();
  });

  it('is steep beside a record whose first position is the same and whose rest is not', () => {
    const now = acceptanceOf(even(0.6, 0.38));
    expect(shapeOf(now, null)).toBe('even');
    expect(shapeOf(now, acceptanceOf(even(0.66, 0.7)))).toBe('steep');
    expect(shapeOf(now, acceptanceOf(even(0.62, 0.4)))).toBe('even');
  });

  it('is known by the length where the server does not tell by position', () => {
    expect(firstPosition({ curve: [], length: 1.1 })).toBeCloseTo(0.1);
    expect(firstPosition({ curve: [], length: 3.4 })).toBe(1);
    expect(shapeOf({ curve: [], length: 1.01, drafts: 400, rate: 0.01 }, null)).toBe('none');
  });
});

describe('the causes', () => {
  const dflash: Drafting = {
    method: 'dflash',
    drafter: '/m/D',
    tokens: 15,
    version: '0.24.0',
    cliff: null,
    layers: null,
  };
  const first = (...of: Parameters<typeof causesOf>) => causesOf(...of)[0] ?? '';

  it('name the offset of the layer ids first where the version is known for it', () => {
    expect(first('hardly', { ...dflash, version: '0.20.1' })).toContain('vllm-project/vllm#40727');
    expect(first('hardly', dflash)).toContain('`/m/D/config.json`');
    expect(causesOf('hardly', dflash).join(' ')).toContain('raised by 1');
    expect(causesOf('hardly', { ...dflash, version: '0.20.1' }).join(' ')).not.toContain('raised by 1');
  });

  it('name the hidden states that the log says, which the config.json is to be compared with', () => {
    const told = first('hardly', { ...dflash, layers: '1, 16, 31, 46, 61' });
    expect(told).toContain('the hidden states 1, 16, 31, 46, 61');
    expect(told).toContain('`dflash_config.target_layer_ids` + 1');
  });

  it('name the sliding window where what follows the first position is lost', () => {
    expect(first('steep', dflash)).toContain('`layer_types`');
    expect(causesOf('steep', dflash).join(' ')).toContain('#46104');
    expect(causesOf('steep', { ...dflash, version: '0.26.0' }).join(' ')).not.toContain('#46104');
  });

  it('call a drafter that was trained a little so', () => {
    expect(first('young', dflash)).toContain('trained little');
  });

  it('say to how many tokens a cliff allows', () => {
    expect(first('cliff', { ...dflash, cliff: 7 })).toContain('Set it to 7.');
  });

  it('name the runner only for the version that has it', () => {
    const of = (version: string | null) => causesOf('none', { ...dflash, version }).join(' ');
    expect([of('0.25.1'), of('0.24.0'), of(null)].map((text) => text.includes('#49559'))).toEqual([true, false, false]);
  });

  it('claim no fault of an old version where nobody knows the version', () => {
    for (const shapes of ['none', 'hardly', 'steep', 'low'] as const)
      expect(causesOf(shapes, { ...dflash, version: null }).join(' ')).not.toContain('vLLM null');
  });

  it('claim no fault of a release where a build says nothing of its age, and none for sure where it is somebody’s own', () => {
    const of = (version: string) => causesOf('hardly', { ...dflash, version }).join(' ');
    expect(of('0.1.dev1+g3f2c111')).not.toContain('takes `dflash_config');
    expect(of('0.20.2rc1.dev12+g3f2c111')).toContain('unless your build has that fix');
    expect(of('0.20.1+cu129')).not.toContain('unless');
  });

  it('are those of the method', () => {
    expect(first('none', { ...dflash, method: 'mtp' })).toContain('multi-token head');
    expect(causesOf('hardly', { ...dflash, method: 'eagle3' }).join(' ')).toContain('eagle_aux_hidden_state_layer_ids');
    expect(causesOf('hardly', { ...dflash, method: 'eagle3' }).join(' ')).not.toContain('mask_token_id');
    expect(causesOf('none', { ...dflash, method: 'ngram' })).toEqual([]);
  });

  it('are sentences short enough to be read on a phone', () => {
    for (const method of ['dflash', 'eagle3', 'qwen3_next_mtp', 'medusa', null])
      for (const shapes of ['none', 'hardly', 'steep', 'young', 'cliff', 'low', 'even'] as const)
        for (const version of ['0.20.1', '0.25.1', null])
          for (const cause of causesOf(shapes, {
            ...dflash,
            method,
            version,
            cliff: 7,
            layers: '2, 17, 32',
            drafter: '/root/models/Qwen3.6-27B-DFlash',
          })) {
            expect(cause).toMatch(/^[A-Zv].*\.$/s);
            expect(cause.length).toBeLessThanOrEqual(300);
          }
  });
});
