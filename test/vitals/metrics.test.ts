import { describe, expect, it } from 'vitest';
import { countersOf } from '../../src/vitals/metrics.ts';
import { namesIn, readMetrics } from '../../src/vitals/prometheus.ts';

/** As vLLM 0.11 and later write it, of one engine. */
function engine(index: number, model = 'qwen'): string[] {
  const of = `engine="${index}",model_name="${model}"`;
  return [
    `vllm:num_requests_running{${of}} 2.0`,
    `vllm:num_requests_waiting{${of}} 1.0`,
    `vllm:num_requests_waiting_by_reason{${of},reason="capacity"} 1.0`,
    `vllm:kv_cache_usage_perc{${of}} 0.${index + 1}`,
    `vllm:prompt_tokens_total{${of}} 1000.0`,
    `vllm:prompt_tokens_created{${of}} 1.7640e+09`,
    `vllm:generation_tokens_total{${of}} 2.5e+03`,
    `vllm:num_preemptions_total{${of}} 3.0`,
    `vllm:request_success_total{${of},finished_reason="stop"} 10.0`,
    `vllm:request_success_total{${of},finished_reason="length"} 5.0`,
    `vllm:request_success_created{${of},finished_reason="stop"} 1.7640e+09`,
    `vllm:iteration_tokens_total_bucket{${of},le="1.0"} 4.0`,
    `vllm:iteration_tokens_total_bucket{${of},le="+Inf"} 700.0`,
    `vllm:iteration_tokens_total_count{${of}} 700.0`,
    `vllm:iteration_tokens_total_sum{${of}} 3500.0`,
  ];
}

function drafts(index: number): string[] {
  const of = `engine="${index}",model_name="qwen"`;
  return [
    `vllm:spec_decode_num_drafts_total{${of}} 100.0`,
    `vllm:spec_decode_num_drafts_created{${of}} 1.7640e+09`,
    `vllm:spec_decode_num_draft_tokens_total{${of}} 1100.0`,
    `vllm:spec_decode_num_accepted_tokens_total{${of}} 120.0`,
    // Sorted as prometheus_client may sort them: "10" before "2".
    ...[0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (position) =>
        `vllm:spec_decode_num_accepted_tokens_per_pos_total{${of},position="${position}"} ${60 - position}.0`,
    ),
    `vllm:spec_decode_num_accepted_tokens_per_pos_created{${of},position="0"} 1.7640e+09`,
  ];
}

const text = (...lines: readonly (string | readonly string[])[]) => `${lines.flat().join('\n')}\n`;

describe('the counters of a server', () => {
  it('are those of its engine, without what only says when they were made', () => {
    expect(countersOf(text('# HELP vllm:num_requests_running Number of', engine(0)))).toEqual({
      ...{ engines: 1, running: 2, waiting: 1, kv: 0.1, promptTokens: 1000, generatedTokens: 2500 },
      ...{ iterations: 700, finished: 15, preemptions: 3, answers: null, drafts: null },
    });
  });

  it('say that an engine sleeps, where it does', () => {
    const state = (engine: number, awake: number) =>
      `vllm:engine_sleep_state{engine="${engine}",model_name="qwen",sleep_state="awake"} ${awake}.0`;
    expect(countersOf(text(engine(0), state(0, 1)))).not.toHaveProperty('isAsleep');
    expect(countersOf(text(engine(0), engine(1), state(0, 1), state(1, 0)))).toMatchObject({ isAsleep: true });
  });

  it('are summed over its engines, of which the fullest cache counts', () => {
    for (const count of [1, 2, 3, 8]) {
      const found = countersOf(text(Array.from({ length: count }, (_, index) => engine(index)).flat()));
      expect(found).toMatchObject({ engines: count, running: 2 * count, generatedTokens: 2500 * count });
      expect(found).toMatchObject({ iterations: 700 * count, finished: 15 * count, kv: count / 10 });
    }
  });

  it('hold accepted tokens by position in the order of numbers, all engines together', () => {
    const found = countersOf(text(engine(0), drafts(0), engine(1), drafts(1)));
    expect(found?.drafts).toEqual({
      ...{ drafts: 200, draftTokens: 2200, accepted: 240 },
      perPosition: [120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100],
    });
  });

  it('count an engine once that says the same under each of its names, and both of two models otherwise', () => {
    expect(countersOf(text(engine(0, 'qwen'), engine(0, 'alias')))).toMatchObject({ engines: 1, finished: 15 });
    const other = engine(0, 'lora').map((line) => line.replace(/ 1000\.0$/, ' 40.0'));
    expect(countersOf(text(engine(0, 'qwen'), other))).toMatchObject({ engines: 1, promptTokens: 1040 });
  });

  it('are read by the names of old versions, without an engine as a label', () => {
    const old = [
      'vllm:num_requests_running{model_name="m"} 1.0',
      'vllm:gpu_cache_usage_perc{model_name="m"} 0.25',
      'vllm:generation_tokens_total{model_name="m"} 7.0',
      'vllm:spec_decode_draft_acceptance_rate{model_name="m"} 0.5',
      'vllm:spec_decode_num_draft_tokens_total{model_name="m"} 7.0',
    ];
    expect(countersOf(text(old))).toMatchObject({ engines: 1, running: 1, kv: 0.25, generatedTokens: 7, drafts: null });
    expect(countersOf(text(old))).toMatchObject({ iterations: null });
    const both = countersOf(text(engine(0), 'vllm:gpu_cache_usage_perc{engine="0",model_name="qwen"} 0.1'));
    expect(both?.kv).toBe(0.1);
  });

  it('are none where no engine tells of itself', () => {
    const others = ['python_gc_objects_collected_total{generation="0"} 12.0', 'sglang:num_running_reqs{} 1.0'];
    expect(countersOf(text(others))).toBeNull();
    expect(
      countersOf(text('http_requests_total{handler="/v1/completions",method="POST",status="2xx"} 3.0')),
    ).toBeNull();
    expect(countersOf('')).toBeNull();
    expect(countersOf('<html>404</html>')).toBeNull();
  });

  it('hold the answers of the paths that clients ask, by kind of status', () => {
    const answers = [
      'http_requests_total{handler="/v1/chat/completions",method="POST",status="2xx"} 40.0',
      'http_requests_total{handler="/v1/completions",method="POST",status="2xx"} 2.0',
      'http_requests_total{handler="/v1/completions",method="POST",status="4xx"} 7.0',
      'http_requests_total{handler="/v1/completions",method="POST",status="5xx"} 1.0',
      'http_requests_total{handler="/rerank",method="POST",status="200"} 3.0',
      'http_requests_total{handler="/v1/models",method="GET",status="2xx"} 900.0',
      'http_requests_total{handler="/health",method="GET",status="5xx"} 900.0',
      'http_requests_total{handler="none",method="GET",status="4xx"} 900.0',
      'http_requests_created{handler="/v1/completions",method="POST",status="2xx"} 1.764e+09',
    ];
    expect(countersOf(text(engine(0), answers))?.answers).toEqual({ ok: 45, client: 7, server: 1 });
  });

  it('count no answers yet where the name is told before the first of them', () => {
    const none = { ok: 0, client: 0, server: 0 };
    expect(countersOf(text(engine(0), '# TYPE http_requests_total counter'))?.answers).toEqual(none);
  });

  it('take no number whose line may have been cut', () => {
    const whole = text(engine(0), 'vllm:num_preemptions_total{engine="1",model_name="qwen"} 12345.0');
    expect(countersOf(whole)?.preemptions).toBe(12_348);
    for (let cut = 1; cut < 8; cut += 1) expect(countersOf(whole.slice(0, -cut))?.preemptions).toBe(3);
  });
});

describe('samples', () => {
  const read = (line: string) => readMetrics(`${line}\n`, () => true);

  it('have labels in which quotes, backslashes, ends of lines and brackets stand for themselves', () => {
    expect(read('a:b{model_name="say \\"hi\\"}, c=\\\\d\\n",engine="0"} 4')).toEqual([
      { name: 'a:b', labels: { model_name: 'say "hi"}, c=\\d\n', engine: '0' }, value: 4 },
    ]);
  });

  it('may have a time or an exemplar behind them, no labels, and blanks', () => {
    expect(read('a 1 1764000000000')).toMatchObject([{ value: 1 }]);
    expect(read('a_bucket{le="0.1"} 8 # {trace_id="x"} 0.05 1.7')).toMatchObject([{ labels: { le: '0.1' }, value: 8 }]);
    expect(read('a{} -2.5e-3')).toMatchObject([{ labels: {}, value: -0.0025 }]);
    expect(read('a{x="1", y="2",} +Inf')).toEqual([
      { name: 'a', labels: { x: '1', y: '2' }, value: Number.POSITIVE_INFINITY },
    ]);
  });

  it.each(['a NaN', 'a', 'a{x="1" 2', 'a{x=1} 2', '# a 1', '{x="1"} 2', 'a{x="1"} one', ''])(
    'are none in %j',
    (line) => {
      expect(read(line)).toEqual([]);
    },
  );

  it('take time in proportion to their text', () => {
    const labels = `a{${'x="'.repeat(1000)} 1`;
    expect(read(labels)).toEqual([]);
    expect(readMetrics(`${labels}\n`.repeat(300), () => true)).toEqual([]);
  });

  it('are told of by their types', () => {
    expect(namesIn('# HELP a b\n# TYPE a counter\n# TYPE b:c gauge\nd 1\n')).toEqual(new Set(['a', 'b:c']));
  });
});
