import { describe, expect, test } from 'vitest';
import { type Carrier, verificationWords } from '../../src/report/numbers.ts';
import { outcomeWords } from '../../src/report/outcome.ts';
import { verificationBlocks, worstWords } from '../../src/report/verification.ts';
import { type Finding, VERIFY_IDS, type Verification } from '../../src/verify/verification.ts';
import { plainMessage } from '../support/plain.ts';
import { HEALTHY, RECORD, UNUSABLE, WARNED, WELL } from './sample-run.ts';

function shown(verification: Verification, carrier: Carrier = 'reply'): string {
  return plainMessage({ text: '', blocks: verificationBlocks(verification, carrier) });
}

describe('the outcome', () => {
  test.each([
    [HEALTHY, 'Ready'],
    [WELL, 'Ready'],
    [WARNED, 'Ready with warnings: acceptance and configuration'],
    [UNUSABLE, 'Not usable: drafts are not accepted'],
    [{ ...UNUSABLE, findings: [] }, 'Not usable'],
    [{ ...WARNED, findings: [] }, 'Ready with warnings'],
  ] as const)('%# is said in a few words', (verification, words) => {
    expect(outcomeWords(verification)).toBe(words);
  });

  test('what makes it of no use is said of each thing that is looked at', () => {
    const words = VERIFY_IDS.map((id) => outcomeWords({ outcome: 'unusable', findings: [failed(id)] }));
    expect(new Set(words).size).toBe(VERIFY_IDS.length);
  });
});

describe('the numbers', () => {
  test.each([
    [
      HEALTHY,
      '71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74)',
    ],
    [{ ...HEALTHY, record: null }, '71.9 tokens/s, first token after 84 ms, mean acceptance length 2.70'],
    [{ ...HEALTHY, speed: null }, 'mean acceptance length 2.70 (record 2.74 of kpro5-2)'],
    [WELL, ''],
  ])('%# stand in one line, beside the record', (verification, words) => {
    expect(verificationWords(verification)).toBe(words);
  });

  test('tokens/s on shared GPUs are marked wherever they stand', () => {
    expect(verificationWords(WARNED)).toContain('48.3 tokens/s (disturbed by others; record 73.5 of kpro5-2)');
    expect(shown(WARNED)).not.toContain('Tokens/s say little');
    const findings = WARNED.findings.filter(({ id }) => id !== 'speed');
    expect(shown({ ...WARNED, findings })).toContain(
      'Tokens/s say little: pid 4711 (python, user bob) computes on GPU 1.',
    );
  });

  test('records of two runs name both', () => {
    const other = RECORD.acceptance === null ? null : { ...RECORD.acceptance, run: 'kpro5-9' };
    expect(verificationWords({ ...HEALTHY, record: { ...RECORD, acceptance: other } })).toContain(
      '(record 2.74 of kpro5-9)',
    );
  });

  test('drafts of others’ requests are not taken for the fixed prompts’', () => {
    const acceptance = HEALTHY.acceptance === null ? null : { ...HEALTHY.acceptance, of: 'traffic' as const };
    expect(shown({ ...HEALTHY, acceptance })).toContain('(of what clients asked, too)');
  });

  test.each([
    ['first', "This is the recipe's first record on this host."],
    ['better', 'A new record of the recipe on this host.'],
    ['accepted', "Accepted as the recipe's record on this host from now on."],
  ] as const)('a record that was set (%s) is said so', (recorded, words) => {
    expect(shown({ ...HEALTHY, recorded })).toContain(words);
  });
});

describe('all of it', () => {
  test('of a healthy server is three lines', () => {
    expect(shown(HEALTHY, 'card')).toMatchInlineSnapshot(`
      "Measured (vLLM 0.20.1): 71.9 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 2.70 (record 2.74).
      Acceptance rate 11 % ▆▄▃▂▁▁▁▁▁▁▁▁▁▁▁"
    `);
  });

  test('of one with warnings says first what is wrong and what to do', () => {
    expect(shown(WARNED, 'card')).toMatchInlineSnapshot(`
      "⚠️ Acceptance: Mean acceptance length 1.96: after the 2nd position next to nothing is accepted.
      Expected: about 2.74, as kpro5-2 reached.
      What to do: Compare layer_types and sliding_window in the drafter's config.json with those that it was trained with.
      Likely cause: Its sliding-window layers run as full attention: vLLM before 0.25 drops sliding_window without a word. (1 more in the thread)
      ⚠️ Configuration: max_model_len is 16384.
      Expected: 32768, as its command asks.
      What to do: Look for what lowered it: /vllm logs kpro5-3.
      Measured (vLLM 0.20.1): 48.3 tokens/s (disturbed by others; record 73.5 of kpro5-2), first token after 84 ms.
      Acceptance rate 6.4 % ▆▂▁▁·
      ✅ Passed: access, model name, completion, chat
      ❔ Not judged: speed (others compute on its GPUs: pid 4711 (python, user bob) on GPU 1)"
    `);
  });

  test('of an unusable one holds all causes in the thread, and the likeliest on the card', () => {
    expect(shown(UNUSABLE)).toMatchInlineSnapshot(`
      "⛔ Acceptance: Mean acceptance length 1.18, acceptance rate 1.2 %: the drafts are worth nothing.
      Expected: about 2.74, as kpro5-2 reached.
      What to do: Compare the drafter's config.json with the one that it was trained with, then restart.
      Likely causes, the likeliest first:
      • The target layers are read one off: vLLM before 0.22 takes target_layer_ids literally.
      • The drafter's config.json holds other target_layer_ids than it was trained with.
      • It is the drafter of another model.
      Measured (vLLM 0.20.1): 31.4 tokens/s (record 73.5 of kpro5-2), first token after 84 ms, mean acceptance length 1.18 (record 2.74).
      Acceptance rate 1.2 %, by position ▂▁▁············: 16 % at position 1, 1.9 % at 2, 0 % at 15.
      ✅ Passed: access, model name, completion, chat, configuration"
    `);
    const card = shown(UNUSABLE, 'card');
    expect(card).toContain('vLLM before 0.22 takes target_layer_ids literally. (2 more in the thread)');
    expect(card).not.toContain('It is the drafter of another model.');
  });

  test('of one without findings and numbers says when it was verified, where that is asked for', () => {
    expect(shown(WELL)).toBe('');
    const blocks = verificationBlocks(WELL, 'card', 'Verified at noon');
    expect(plainMessage({ text: '', blocks })).toBe('Verified at noon (vLLM 0.20.1).');
  });

  test('tells every cause of a drafter that accepts nothing, however long', () => {
    const causes = Array.from({ length: 8 }, (_, index) => `Cause ${index + 1}. ${'word '.repeat(70)}`);
    const finding: Finding = { ...failed('acceptance'), causes };
    const blocks = verificationBlocks({ ...UNUSABLE, findings: [finding] }, 'reply');
    const text = plainMessage({ text: '', blocks });
    expect(causes.filter((cause) => !text.includes(cause.trim()))).toEqual([]);
  });

  test('names a thing once, however often it is found', () => {
    const findings = Array.from({ length: 8 }, () => ({ ...failed('configuration'), as: 'warned' as const }));
    expect(outcomeWords({ outcome: 'warnings', findings })).toBe('Ready with warnings: configuration');
    expect(shown({ ...WARNED, findings }, 'card')).toContain('And configuration.');
  });

  test('names each setting that differs, also those that are not told in full', () => {
    const findings = [
      'dtype',
      'seed',
      'max_model_len',
      'load_format',
      'kv_cache_dtype',
      'revision',
      'enforce_eager',
    ].map(
      (key): Finding => ({
        ...{ ...failed('configuration'), as: 'warned', shape: key },
        found: `The engine runs with \`${key}\` \`other\``,
      }),
    );
    expect(shown({ ...WARNED, findings }, 'card')).toContain(
      'And configuration (load_format, kv_cache_dtype, revision, enforce_eager).',
    );
    expect(shown({ ...WARNED, findings })).toContain('And configuration (enforce_eager).');
  });

  test('names what is not told in full where there is too much', () => {
    const findings = VERIFY_IDS.map((id) => ({ ...failed(id), as: 'warned' as const }));
    const card = shown({ ...WARNED, findings }, 'card');
    expect(card).toContain(
      'And chat, embedding, classification, scoring, pooling, acceptance, speed, first token, configuration, statistics.',
    );
  });
});

test('the worst in a sentence is what failed, before what is warned of', () => {
  expect(worstWords(HEALTHY)).toBeNull();
  expect(worstWords({ ...UNUSABLE, findings: [...WARNED.findings, failed('plain')] })).toBe('It fails.');
});

function failed(id: Finding['id']): Finding {
  return { id, as: 'failed', found: 'It fails', expected: null, advice: null, causes: [], shape: null };
}
