import { describe, expect, it } from 'vitest';
import { judgeMeasured } from '../../src/verify/judge.ts';
import type { Measured, Try } from '../../src/verify/measured.ts';
import { readServing } from '../../src/verify/read-serving.ts';
import type { Finding, VerifyId } from '../../src/verify/verification.ts';
import { ARGV, drafted, even, HEALTHY, MISLED, measured, prompts, record, SMOKE } from './samples.ts';

const judge = (changes: Partial<Measured> = {}) => judgeMeasured(measured(changes)).verification;

function found(id: VerifyId, changes: Partial<Measured> = {}): Finding | undefined {
  return judge(changes).findings.find((finding) => finding.id === id);
}

const floor = (acceptanceLength: number | null, tokensPerSecond: number | null = null) => ({
  floor: { acceptanceLength, tokensPerSecond },
});

const serving = (...words: readonly string[]) => ({ serving: readServing([...ARGV, ...words], {}) });

describe('a server that does all that can be wanted', () => {
  it('is ready, with all that was looked at in its order', () => {
    const verification = judge({ by: 'U1' });
    expect(verification).toMatchObject({ at: 1_000_000, by: 'U1', outcome: 'ready', version: '0.22.0' });
    expect(verification.findings.map(({ id, as }) => `${id} ${as}`)).toEqual([
      ...['reached passed', 'model passed', 'plain passed', 'chat passed', 'acceptance passed', 'speed passed'],
      ...['first_token passed', 'configuration passed', 'statistics passed'],
    ]);
    expect(verification.speed).toEqual({
      ...{ by: 'forwarding', firstTokenMs: 80, tokens: 512, disturbedBy: null },
      tokensPerSecond: expect.closeTo(74.7, 1),
    });
    expect(verification.acceptance).toMatchObject({ length: expect.closeTo(2.7, 1), drafts: 400, of: 'prompts' });
  });

  it('says of several API servers, and of a port a rank, what was asked', () => {
    expect(found('reached', serving('-dp', '4'))?.found).toContain('4 API servers');
    expect(found('reached', serving('-dpm'))?.found).toContain('only the first was asked');
  });
});

describe('its name', () => {
  const models = (...names: readonly string[]) => ({ models: { kind: 'named' as const, names, maxLength: null } });

  it('has to be the one that clients use: where it has none of them, it is of no use', () => {
    expect(found('model', models('other'))).toMatchObject({
      ...{ as: 'failed', found: '/v1/models names `other`, not `qwen`', shape: 'name' },
      expected: '`qwen`, as its command names it',
    });
    const argv = ['vllm', 'serve', '/m/Q', '--served-model-name', 'a', 'b'];
    const run = { name: 'r', recipe: 'x', argv, isFound: false };
    expect(found('model', { ...models('a'), run })).toMatchObject({ as: 'warned' });
    expect(found('model', { ...models('b', 'a', 'lora'), run })).toMatchObject({ as: 'passed' });
  });

  it('may be another than the model that its command names without a name of its own', () => {
    const run = { name: 'r', recipe: 'x', argv: ['vllm', 'serve', '/m/Q/'], isFound: false };
    expect(found('model', { ...models('/m/Q'), run })).toMatchObject({ as: 'warned' });
  });

  it('is not known without a key: that is told first, with what to do', () => {
    const wants = (knowsKey: boolean, isFound = false): Partial<Measured> => ({
      ...{ models: { kind: 'wants_key', status: 401, knowsKey }, tries: [] },
      prompts: prompts({ left: { why: 'no_text' }, runs: [], drafts: null }),
      run: { name: 'r', recipe: 'x', argv: ARGV, isFound },
    });
    expect(judge(wants(false)).outcome).toBe('warnings');
    expect(found('model', wants(false))?.advice).toContain('`VLLM_API_KEY: {secret: NAME}`');
    expect(found('model', wants(true))?.advice).toContain('`--api-key`');
    expect(found('model', wants(false, true))?.advice).toContain('by hand');
    expect(found('plain', wants(false))).toBeUndefined();
  });

  it('is missed where something else answers', () => {
    const wrong = { models: { kind: 'wrong' as const, status: 502, said: 'bad gateway' }, tries: [] };
    expect(found('model', wrong)).toMatchObject({ as: 'failed', shape: 'status_502' });
  });
});

describe('what it was asked for', () => {
  const plain = (outcome: Try['outcome']): Try => ({ task: 'plain', outcome });
  const chat = (outcome: Try['outcome']): Try => ({ task: 'chat', outcome });
  const ANSWER: Try['outcome'] = { kind: 'answered', amount: 16, text: 'x y' };
  const refused = (said: string, status = 400): Try['outcome'] => ({ kind: 'refused', status, said });
  const FAILED: Try['outcome'] = { kind: 'failed', status: 500, said: 'EngineCore died' };

  it('is done where one of it was answered; the rest is named', () => {
    const tries = [
      plain(ANSWER),
      chat(refused('As of transformers v4.44, default chat template is no longer allowed')),
    ];
    expect(judge({ tries }).outcome).toBe('ready');
    expect(found('chat', { tries })).toMatchObject({ as: 'not_judged', found: 'the model has no chat template' });
  });

  it('is of no use where all of it failed', () => {
    const verification = judge({
      tries: [plain(FAILED), chat({ ...FAILED, status: null, said: 'no answer in time' })],
    });
    expect(verification.outcome).toBe('unusable');
    expect(verification.findings.filter(({ as }) => as === 'failed').map(({ id, shape }) => [id, shape])).toEqual([
      ['plain', 'status_500'],
      ['chat', 'silent'],
    ]);
  });

  it('is a warning where one of it failed, and where all of it was refused', () => {
    expect(judge({ tries: [plain(ANSWER), chat(FAILED)] }).outcome).toBe('warnings');
    expect(judge({ tries: [plain(refused('no')), chat(refused('no'))] }).outcome).toBe('warnings');
  });

  it('is an embedding alone where it makes one and refuses the rest', () => {
    const said = { ...measured().said, tasks: null };
    const tries: Try[] = [
      ...[plain(refused('no', 404)), chat(refused('no', 404))],
      { task: 'embedding', outcome: { kind: 'answered', amount: 1024, text: null } },
    ];
    const left = prompts({ left: { why: 'no_text' }, runs: [], drafts: null });
    const plainServer = { serving: readServing(['vllm', 'serve', 'qwen'], {}) };
    const run = { name: 'r', recipe: 'x', argv: ['vllm', 'serve', 'qwen'], isFound: false };
    const verification = judge({ said, tries, prompts: left, ...plainServer, run });
    expect(verification.outcome).toBe('ready');
    expect(verification.findings.map(({ id }) => id)).toEqual([
      ...['reached', 'model', 'embedding', 'configuration', 'statistics'],
    ]);
  });

  it('is none of its scores where it has labels and nothing says that it has scores', () => {
    const classified: Try = { task: 'classify', outcome: { kind: 'answered', amount: 3, text: null } };
    const tries: Try[] = [classified, { task: 'score', outcome: refused('Not Found', 404) }];
    const told = (tasks: readonly string[]) => found('score', { tries, said: { ...measured().said, tasks } });
    expect(told(['classify', 'token_classify'])).toBeUndefined();
    expect(told(['classify', 'score'])).toMatchObject({ as: 'not_judged' });
  });

  it('is nothing where Vigil knows no question that fits, and no reason to warn', () => {
    const said = { ...measured().said, tasks: ['transcription'] };
    expect(found('plain', { said, tries: [] })).toMatchObject({
      as: 'not_judged',
      found: expect.stringContaining('`transcription`'),
    });
  });

  it('is not well answered by one mark again and again', () => {
    const tries = [plain({ kind: 'answered', amount: 16, text: '!!!!!!!!!!!!!!!!' }), chat(ANSWER)];
    expect(found('plain', { tries })).toMatchObject({ as: 'warned', shape: 'one_mark' });
  });
});

describe('acceptance', () => {
  const acceptance = (changes: Partial<Measured>) => found('acceptance', changes);

  it('without a floor or a record is judged by the first position', () => {
    expect(acceptance({ prompts: drafted(HEALTHY) })).toMatchObject({ as: 'passed' });
    expect(acceptance({ prompts: drafted(SMOKE) })).toMatchObject({ as: 'passed' });
    expect(acceptance({ prompts: drafted(even(0.25, 0.5)) })).toMatchObject({ as: 'warned', shape: 'low' });
    expect(acceptance({ prompts: drafted(MISLED) })).toMatchObject({ as: 'failed', shape: 'hardly' });
    expect(judge({ prompts: drafted(MISLED) }).outcome).toBe('unusable');
  });

  it('says of a drafter that reads every hidden state one layer off what it is, and where to look', () => {
    const old = { ...measured().said, engine: { version: '0.20.1', config: {} } };
    expect(acceptance({ prompts: drafted(MISLED), said: old })).toEqual({
      ...{ id: 'acceptance', as: 'failed', shape: 'hardly' },
      found:
        'Mean acceptance length 1.17 over 400 drafts: 1.1 % of the draft tokens were accepted, at the first position 14 %',
      expected: '30 % or more at the first position, as of a drafter that was trained a little',
      advice: expect.stringContaining('without `--speculative-config`'),
      causes: expect.arrayContaining([
        expect.stringContaining('vllm-project/vllm#40727'),
        expect.stringContaining('`/root/models/Qwen3.6-27B-DFlash/config.json`'),
      ]),
    });
  });

  it('is warned of where what follows the first position is lost, or ends at once', () => {
    expect(acceptance({ prompts: drafted([0.62, 0.14, 0.05, 0.02, 0, 0, 0, 0]) })).toMatchObject({
      ...{ as: 'warned', shape: 'steep' },
      causes: expect.arrayContaining([expect.stringContaining('`sliding_window`')]),
    });
    const cliff = [0.85, 0.72, 0.6, 0.5, 0.42, 0.36, 0.3, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(acceptance({ prompts: drafted(cliff) })).toMatchObject({
      ...{ as: 'warned', shape: 'cliff' },
      causes: expect.arrayContaining([expect.stringContaining('Set it to 7.')]),
    });
  });

  it('below the floor is a failure, and above it is no more than a warning', () => {
    expect(acceptance({ prompts: drafted(SMOKE), ...floor(2) })).toMatchObject({
      ...{ as: 'failed', expected: "2.00 or more, as the recipe's `floor` says" },
    });
    expect(acceptance({ prompts: drafted(SMOKE), ...floor(1.4) })).toMatchObject({ as: 'passed' });
    expect(acceptance({ prompts: drafted(MISLED), ...floor(1.1) })).toMatchObject({ as: 'passed' });
    expect(acceptance({ prompts: drafted(SMOKE), ...floor(1.4), record: record(75, HEALTHY) })).toMatchObject({
      as: 'warned',
    });
  });

  it('is judged by what of the gain of the record is left', () => {
    const against = { record: record(75, HEALTHY) };
    const gain = (part: number) => drafted(HEALTHY.map((rate) => rate * part));
    expect(acceptance({ prompts: gain(0.85), ...against })).toMatchObject({ as: 'passed' });
    expect(acceptance({ prompts: gain(0.7), ...against })).toMatchObject({
      ...{ as: 'warned', expected: 'about 2.70, as kpro5-3 reached' },
      advice: expect.stringContaining('`/vllm verify kpro5-4 --accept`'),
    });
    expect(acceptance({ prompts: gain(0.45), ...against })).toMatchObject({ as: 'failed' });
  });

  it('is held against as many positions of the record as it drafts now', () => {
    const argv = ARGV.map((word) => word.replace('"num_speculative_tokens":15', '"num_speculative_tokens":1'));
    const single = { run: { ...measured().run, argv }, serving: readServing(argv, {}), record: record(75, HEALTHY) };
    expect(acceptance({ prompts: drafted([0.66]), ...single })).toMatchObject({ as: 'passed' });
    expect(acceptance({ prompts: drafted([0.5]), ...single })).toMatchObject({
      ...{ as: 'warned', expected: 'about 1.68 at as many positions, as kpro5-3 reached' },
    });
  });

  it('of another drafter than the record had is no worse than a warning while it is of use', () => {
    const argv = ARGV.map((word) => word.replace('Qwen3.6-27B-DFlash', 'Qwen3.6-27B-DFlash-own'));
    const other = { run: { ...measured().run, argv }, serving: readServing(argv, {}), record: record(75, HEALTHY) };
    expect(acceptance({ prompts: drafted(SMOKE), ...other })).toMatchObject({
      as: 'warned',
      causes: expect.arrayContaining([expect.stringContaining('DFlash-own')]),
    });
    expect(acceptance({ prompts: drafted(MISLED), ...other })).toMatchObject({ as: 'failed' });
    expect(acceptance({ prompts: drafted(SMOKE), record: record(75, HEALTHY) })).toMatchObject({ as: 'failed' });
  });

  it('of little has a record that a little noise does not miss, and of text itself none that makes it useless', () => {
    const ngram = ['vllm', 'serve', 'qwen', '--spec-method', 'ngram', '--spec-tokens', '4'];
    const free = { serving: readServing(ngram, {}), run: { ...measured().run, argv: ngram } };
    const low = [0.05, 0.01, 0, 0];
    expect(acceptance({ prompts: drafted(low), ...free, record: record(75, [0.1, 0.03, 0, 0], ngram) })).toMatchObject({
      as: 'passed',
    });
    expect(acceptance({ prompts: drafted(low), ...free, record: record(75, [0.5, 0.3, 0.1, 0], ngram) })).toMatchObject(
      { as: 'warned' },
    );
  });

  it('by numbers of released drafters is well', () => {
    for (const curve of [
      // EAGLE on MT-Bench (vllm-project/vllm#16035), multi-token heads on gsm8k (#48892), DFlash with 7 tokens (#52816).
      ...[[0.6, 0.29], [0.62, 0.33, 0.13, 0.05], [0.8339], [0.7617, 0.6158, 0.5125, 0.4243, 0.364, 0.3094, 0.2722]],
      ...[[0.863, 0.706, 0.588, 0.471, 0.314, 0.255, 0.176], [0.6], [0.7, 0.45, 0.25]],
    ])
      expect(acceptance({ prompts: drafted(curve) })).toMatchObject({ as: 'passed' });
  });

  it('of a drafter that drafts more or less as it is sure of it has no cliff where it drafts less', () => {
    const now = drafted([0.8, 0.7, 0.1, 0.02, 0]);
    const { drafts } = now;
    if (drafts === null) throw new Error('no drafts');
    const fewer = { ...now, drafts: { ...drafts, after: { ...drafts.after, draftTokens: 900 } } };
    expect(acceptance({ prompts: now })).toMatchObject({ as: 'warned', shape: 'cliff' });
    expect(acceptance({ prompts: fewer })).toMatchObject({ as: 'passed' });
  });

  it('names first what of the command differs from that of the record', () => {
    const argv = ARGV.map((word) => (word === '32768' ? '16384' : word));
    const run = { ...measured().run, argv: [...argv, '--enforce-eager'] };
    const causes = acceptance({ prompts: drafted(SMOKE), record: record(75, HEALTHY), run })?.causes ?? [];
    expect(causes[0]).toBe(
      'Its command differs from that of kpro5-3: `--max-model-len 16384` was `32768` and `--enforce-eager` is new.',
    );
  });

  it('of traffic is never a failure, and has no record', () => {
    const busy = prompts({
      ...{ left: { why: 'busy', running: 3, waiting: 1 }, runs: [] },
      drafts: {
        before: drafted(MISLED, 0).drafts?.before ?? NONE,
        after: drafted(MISLED).drafts?.after ?? NONE,
        of: 'traffic',
      },
    });
    expect(acceptance({ prompts: busy })).toMatchObject({ as: 'warned', found: expect.stringContaining('others') });
    expect(acceptance({ prompts: { ...drafted(MISLED), othersFinished: 2 } })).toMatchObject({ as: 'warned' });
    const lower = drafted(HEALTHY.map((rate) => rate * 0.7));
    expect(acceptance({ prompts: { ...lower, othersFinished: 2 }, record: record(75, HEALTHY) })).toMatchObject({
      as: 'passed',
    });
  });

  const NONE = { drafts: 0, draftTokens: 0, accepted: 0, perPosition: [] };

  it('needs drafts, statistics and weights', () => {
    expect(acceptance({ prompts: drafted(MISLED, 30) })).toMatchObject({ as: 'not_judged' });
    expect(acceptance({ prompts: drafted(MISLED, 30), ...floor(2) })).toMatchObject({ as: 'not_judged' });
    expect(acceptance({ prompts: drafted(MISLED), ...serving('--load-format', 'dummy') })).toMatchObject({
      as: 'not_judged',
    });
    const off = { ...serving('--disable-log-stats'), prompts: prompts({ drafts: null, hasMetrics: false }) };
    expect(acceptance(off)).toMatchObject({ as: 'not_judged', found: expect.stringContaining('statistics') });
    expect(judge(off).outcome).toBe('ready');
  });

  it('is a warning where a drafter drafts nothing, and none where the text gave nothing to draft from', () => {
    const none = prompts({ drafts: { before: NONE, after: NONE, of: 'prompts' } });
    expect(acceptance({ prompts: none })).toMatchObject({ as: 'warned', shape: 'undrafted' });
    const ngram = ['vllm', 'serve', 'qwen', '--spec-method', 'ngram', '--spec-tokens', '4'];
    expect(acceptance({ prompts: none, serving: readServing(ngram, {}) })).toMatchObject({ as: 'not_judged' });
    expect(acceptance({ prompts: drafted(MISLED), serving: readServing(ngram, {}) })).toMatchObject({ as: 'passed' });
  });

  it('is no matter of servers without speculation, and of those that give out hidden states', () => {
    expect(
      acceptance({ serving: readServing(['vllm', 'serve', 'qwen'], {}), prompts: prompts({ drafts: null }) }),
    ).toBeUndefined();
    const extraction = ['vllm', 'serve', 'qwen', '--speculative-config', '{"method":"extract_hidden_states"}'];
    expect(acceptance({ serving: readServing(extraction, {}), prompts: drafted(MISLED) })).toBeUndefined();
  });

  it('is judged by the counters where the command is nothing that could be read', () => {
    expect(acceptance({ serving: readServing(['bash', 'serve.sh'], {}), prompts: drafted(MISLED) })).toMatchObject({
      as: 'failed',
    });
  });
});

describe('speed', () => {
  const slow = (factor: number) =>
    prompts({ runs: prompts().runs.map((run) => ({ ...run, totalMs: 80 + 1700 * factor })) });

  it('is told without a record, and held against one', () => {
    expect(found('speed')).toMatchObject({ as: 'passed', found: '74.7 tokens/s over 4 fixed prompts (512 tokens)' });
    expect(found('speed', { prompts: slow(1.2), record: record(74.7, HEALTHY) })).toMatchObject({ as: 'passed' });
    expect(found('speed', { prompts: slow(1.4), record: record(74.7, HEALTHY) })).toMatchObject({
      ...{ as: 'warned', expected: 'about 74.7 tokens/s, as kpro5-3 reached', shape: 'record' },
    });
  });

  it('below the floor is a warning', () => {
    expect(found('speed', floor(null, 80))).toMatchObject({ as: 'warned', shape: 'floor' });
    expect(found('speed', floor(null, 70))).toMatchObject({ as: 'passed' });
  });

  it('says little beside others, and then warns of nothing', () => {
    const others = ['pid 4711 (python, user bob) on GPU 1'];
    const beside = { others, prompts: slow(3), record: record(74.7, HEALTHY), ...floor(null, 80) };
    expect(found('speed', beside)).toMatchObject({ as: 'not_judged', found: expect.stringContaining(others[0] ?? '') });
    expect(judge(beside).speed?.disturbedBy).toBe(`On its GPUs others compute: ${others[0]}`);
    expect(judge(beside).outcome).toBe('ready');
    const between = { prompts: { ...slow(3), othersFinished: 2 }, record: record(74.7, HEALTHY) };
    expect(judge(between).speed?.disturbedBy).toBe('2 requests of others came in between');
    expect(found('first_token', between)).toBeUndefined();
  });

  it('of a busy server is not measured', () => {
    const busy = prompts({ left: { why: 'busy', running: 3, waiting: 1 }, runs: [], drafts: null });
    expect(found('speed', { prompts: busy })).toMatchObject({
      as: 'not_judged',
      found: expect.stringContaining('3 running, 1 waiting'),
    });
    expect(judge({ prompts: busy }).outcome).toBe('ready');
  });

  it('is a warning where a prompt got no answer, or none in its time', () => {
    for (const why of ['failed', 'time'] as const) {
      expect(found('speed', { prompts: prompts({ left: { why }, runs: [], drafts: null }) })).toMatchObject({
        ...{ as: 'warned', shape: why },
      });
    }
  });

  it('is not judged where a prompt was refused, or there was no time for all', () => {
    const left = { why: 'refused', status: 400, said: 'the maximum context length is 128' } as const;
    const refusal = prompts({ left, runs: [], drafts: null });
    expect(found('speed', { prompts: refusal })).toMatchObject({
      ...{ as: 'not_judged', found: expect.stringMatching(/400.*context length is 128/) },
    });
    const slow = prompts({ left: { why: 'budget' }, runs: prompts().runs.slice(0, 3) });
    const verification = judge({ prompts: slow });
    expect(verification.outcome).toBe('ready');
    expect(verification.findings.flatMap(({ id, as }) => (id === 'speed' ? [as] : []))).toEqual([
      ...['passed', 'not_judged'],
    ]);
  });

  it('counts from the first token on where that is seen, and all of the time else', () => {
    const runs = [{ tokens: 101, firstMs: null, totalMs: 2000 }];
    expect(judge({ prompts: prompts({ runs, by: 'curl' }) }).speed).toMatchObject({
      tokensPerSecond: 50.5,
      firstTokenMs: null,
    });
    const late = [{ tokens: 101, firstMs: 1990, totalMs: 2000 }];
    expect(judge({ prompts: prompts({ runs: late }) }).speed).toMatchObject({
      tokensPerSecond: 50.5,
      firstTokenMs: null,
    });
    const seen = [{ tokens: 101, firstMs: 1000, totalMs: 2000 }];
    expect(judge({ prompts: prompts({ runs: seen }) }).speed).toMatchObject({
      tokensPerSecond: 100,
      firstTokenMs: 1000,
    });
  });

  it('is not compared between the ways by which it was measured', () => {
    expect(found('speed', { prompts: { ...slow(3), by: 'curl' }, record: record(74.7, HEALTHY) })).toMatchObject({
      as: 'passed',
    });
  });

  it('has a first token that is late only where it is much later', () => {
    const firstAfter = (firstMs: number) => prompts({ runs: prompts().runs.map((run) => ({ ...run, firstMs })) });
    const against = { record: record(74.7, HEALTHY) };
    expect(found('first_token', { prompts: firstAfter(179), ...against })).toMatchObject({ as: 'passed' });
    expect(found('first_token', { prompts: firstAfter(190), ...against })).toMatchObject({
      ...{ as: 'warned', found: 'The first token came after 190 ms', expected: 'about 80 ms, as kpro5-3 reached' },
    });
  });
});

describe('the configuration', () => {
  it('is a warning for each setting with which the engine runs otherwise', () => {
    const engine = {
      version: '0.22.0',
      config: { max_seq_len: 16384, dtype: 'torch.float16', speculative_config: null },
    };
    const { findings, outcome } = judge({ said: { ...measured().said, engine } });
    const own = findings.filter(({ id }) => id === 'configuration');
    expect(own.map(({ as, shape }) => `${as} ${shape}`)).toEqual(['warned max_model_len', 'warned speculative_config']);
    expect(own[0]).toMatchObject({
      found: 'The engine runs with `max_model_len` `16384`',
      expected: '`32768`, as it was asked for',
    });
    expect(outcome).toBe('warnings');
  });

  it('is compared with what the log says was asked where nobody knows the command', () => {
    const run = { name: 'r', recipe: 'vllm.log', argv: [], isFound: true };
    const engine = { version: null, config: { max_seq_len: 16384 } };
    const said = { tasks: null, layers: null, asked: { max_model_len: 32768, served_model_name: ['qwen'] }, engine };
    expect(found('configuration', { run, said })).toMatchObject({ as: 'warned', shape: 'max_model_len' });
    expect(found('configuration', { run, said: { ...said, asked: null } })).toMatchObject({ as: 'not_judged' });
  });

  it('names each setting that differs, however many they are', () => {
    const asked = {
      ...{ dtype: 'half', seed: 1, max_model_len: 1, tensor_parallel_size: 1, pipeline_parallel_size: 1 },
      ...{ kv_cache_dtype: 'fp8', load_format: 'dummy', enforce_eager: true, trust_remote_code: true, revision: 'a' },
    };
    const config = {
      ...{ dtype: 'bfloat16', seed: 2, max_seq_len: 2, tensor_parallel_size: 2, pipeline_parallel_size: 2 },
      ...{ kv_cache_dtype: 'auto', load_format: 'auto', enforce_eager: false, trust_remote_code: false, revision: 'b' },
    };
    const run = { name: 'r', recipe: 'vllm.log', argv: [], isFound: true };
    const said = { tasks: null, layers: null, asked, engine: { version: null, config } };
    const text = judge({ run, said }).findings.map(({ id, found: words }) => (id === 'configuration' ? words : ''));
    for (const key of Object.keys(asked)) expect(text.join('\n')).toContain(`\`${key}\``);
  });

  it('is compared with what a file of flags asked for as well, as the log tells it', () => {
    const argv = ['vllm', 'serve', 'qwen', '--config', 'a.yaml', '--seed', '3'];
    const engine = { version: null, config: { model: 'qwen', seed: 3, max_seq_len: 16384 } };
    const asked = { model_tag: 'qwen', config: 'a.yaml', seed: 3, max_model_len: 32768 };
    const told = { ...measured().said, engine, asked };
    const run = { ...measured().run, argv };
    expect(found('configuration', { run, said: told })).toMatchObject({ as: 'warned', shape: 'max_model_len' });
    const said = { ...told, engine: { version: null, config: { model: 'qwen', seed: 4, max_seq_len: 32768 } } };
    expect(found('configuration', { run, said })).toMatchObject({ as: 'warned', shape: 'seed' });
    expect(found('configuration', { run, said: { ...told, asked: null } })).toMatchObject({ as: 'passed' });
  });

  it('is not judged without the engine’s own line, and takes no flag of a wrapper for its own', () => {
    expect(found('configuration', { said: { ...measured().said, engine: null } })).toMatchObject({ as: 'not_judged' });
    const argv = ['tool', '--seed', '3', 'vllm', 'serve', 'qwen'];
    const run = { ...measured().run, argv };
    const said = { ...measured().said, engine: { version: null, config: { seed: 0, model: 'qwen' } } };
    expect(found('configuration', { run, said })).toMatchObject({ as: 'passed' });
  });

  it('goes with a word on statistics', () => {
    expect(found('statistics', serving('--disable-log-stats'))).toMatchObject({ as: 'not_judged' });
    expect(found('statistics', { prompts: prompts({ hasMetrics: false }) })).toMatchObject({ as: 'not_judged' });
  });
});
