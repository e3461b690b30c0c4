/** The counters behind /metrics and the periodic lines: one set an engine, and the HTTP answers. */
import { isAsTrained } from '../disk/drafter.mjs';
import { createCounters } from './counters.mjs';
import { counter, gauge, histogram } from './exposition.mjs';
import { misledDrafts, positionShares } from './serving.mjs';

/** Paths that the instrumentation leaves out. */
const unseen = new Set(['/metrics', '/health', '/load', '/ping', '/version']);

export function createMetrics(args, serving) {
  const slots = args.drafter?.num_speculative_tokens ?? 0;
  const drafts = slots === 0 || isAsTrained(args.drafter.model ?? '') ? serving.drafts : misledDrafts;
  const shares = positionShares(slots, drafts);
  const engines = Array.from({ length: args.replicas }, () => createCounters({ shares, mostAtOnce: args.mostAtOnce }));
  const answers = new Map();
  let next = 0;
  let lastFinished = null;

  return {
    slots,
    /** The engine that takes the next request: in turn. */
    nextEngine() {
      next += 1;
      return engines[next % engines.length];
    },
    noteFinished() {
      lastFinished = Date.now();
    },
    /** `handler`: the route's path, or `none`. */
    noteAnswer({ handler, method, status }) {
      if (unseen.has(handler)) return;
      const key = JSON.stringify({ handler, method, status: `${Math.floor(status / 100)}xx` });
      answers.set(key, (answers.get(key) ?? 0) + 1);
    },
    freeze() {
      for (const engine of engines) engine.freeze();
    },
    /** All engines together; `requests` are those that were finished. */
    read() {
      const sums = engines.map((engine) => engine.read()).reduce(addUp);
      return { ...sums, requests: sums.length + sums.stop, lastFinished };
    },
    render() {
      const lines = [
        ...(args.hasStats ? renderEngines(engines, { model: args.names[0], slots }) : []),
        ...renderAnswers(),
      ];
      return `${lines.join('\n')}\n`;
    },
  };

  function renderAnswers() {
    const series = [...answers].map(([labels, count]) => [JSON.parse(labels), count]);
    return counter('http_requests', 'Total number of requests by method, status and handler.', series);
  }
}

function addUp(one, other) {
  const plus = ([key, value]) => [
    key,
    Array.isArray(value) ? value.map((each, at) => each + other[key][at]) : value + other[key],
  ];
  return Object.fromEntries(Object.entries(one).map(plus));
}

function renderEngines(engines, { model, slots }) {
  const labels = engines.map((_, index) => ({ engine: String(index), model_name: model }));
  const now = engines.map((engine) => engine.read());
  const each = (value) => labels.map((own, index) => [own, value(now[index], engines[index])]);
  const by = (label, values) =>
    labels.flatMap((own, index) => values(now[index]).map(([name, value]) => [{ ...own, [label]: name }, value]));
  const lines = [
    gauge(
      'vllm:num_requests_running',
      'Number of requests in model execution batches.',
      each(({ running }) => running),
    ),
    gauge(
      'vllm:num_requests_waiting',
      'Number of requests waiting to be processed.',
      each(({ waiting }) => waiting),
    ),
    gauge(
      'vllm:kv_cache_usage_perc',
      'KV-cache usage. 1 means 100 percent usage.',
      each(({ running }) => Math.min(1, running * 0.014)),
    ),
    counter(
      'vllm:num_preemptions',
      'Cumulative number of preemption from the engine.',
      each(() => 0),
    ),
    counter(
      'vllm:prompt_tokens',
      'Number of prefill tokens processed.',
      each(({ prompt }) => prompt),
    ),
    counter(
      'vllm:generation_tokens',
      'Number of generation tokens processed.',
      each(({ generated }) => generated),
    ),
    counter(
      'vllm:request_success',
      'Count of successfully processed requests.',
      by('finished_reason', ({ stop, length, abort }) => Object.entries({ stop, length, abort })),
    ),
    histogram(
      'vllm:iteration_tokens_total',
      'Histogram of number of tokens per engine_step.',
      each((_, { steps }) => steps.read()),
    ),
    histogram(
      'vllm:time_to_first_token_seconds',
      'Histogram of time to first token in seconds.',
      each((_, { firstTokens }) => firstTokens.read()),
    ),
  ];
  if (slots > 0) {
    lines.push(
      counter(
        'vllm:spec_decode_num_drafts',
        'Number of spec decoding drafts.',
        each(({ drafts }) => drafts),
      ),
      counter(
        'vllm:spec_decode_num_draft_tokens',
        'Number of draft tokens.',
        each(({ drafted }) => drafted),
      ),
      counter(
        'vllm:spec_decode_num_accepted_tokens',
        'Number of accepted tokens.',
        each(({ accepted }) => accepted),
      ),
      counter(
        'vllm:spec_decode_num_accepted_tokens_per_pos',
        'Accepted tokens per draft position.',
        by('position', ({ positions }) => positions.map((value, position) => [String(position), value])),
      ),
    );
  }
  return lines.flat();
}
