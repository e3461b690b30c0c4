/** The counters behind /metrics and the periodic lines. Speculation accepts 1.7 of each draft: a mean length of 2.7. */
import { isAsTrained } from '../disk/drafter.mjs';

const usual = { meanLength: 2.7, decay: 0.63 };
/** A drafter that is given other layers than those that it was trained with: about 1 % of its drafts. */
const misled = { meanLength: 1.17, decay: 0.08 };

export function createMetrics(args) {
  const slots = args.drafter?.num_speculative_tokens ?? 0;
  const worth = slots === 0 || isAsTrained(args.drafter.model ?? '') ? usual : misled;
  const shares = positionShares(slots, worth);
  const counts = { running: 0, requests: 0, prompt: 0, generated: 0, drafts: 0, lastFinished: null };
  const read = () => {
    const drafts = Math.round(counts.drafts);
    const accepted = Math.round(drafts * sum(shares));
    const positions = spread(shares, { drafts, accepted });
    return { ...counts, drafts, drafted: drafts * slots, positions, accepted };
  };

  return {
    slots,
    read,
    begin() {
      counts.running += 1;
    },
    finish({ promptTokens, tokens }) {
      counts.running -= 1;
      counts.requests += 1;
      counts.prompt += promptTokens;
      counts.generated += tokens;
      if (slots > 0) counts.drafts += tokens / worth.meanLength;
      counts.lastFinished = Date.now();
    },
    render: () => renderMetrics(read(), { model: args.names[0], slots }),
  };
}

/** Chance of each position, falling by a constant factor and adding up to the accepted tokens of one draft. */
function positionShares(slots, { meanLength, decay }) {
  if (slots === 0) return [];
  const series = (1 - decay ** slots) / (1 - decay);
  const first = Math.min(0.95, (meanLength - 1) / series);
  return Array.from({ length: slots }, (_, position) => first * decay ** position);
}

/** Accepted tokens by position: they add up to all accepted ones and never rise from one position to the next. */
function spread(shares, { drafts, accepted }) {
  const whole = shares.map((share) => Math.floor(drafts * share));
  const left = accepted - sum(whole);
  return whole.map((count, position) => (position < left ? count + 1 : count));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function renderMetrics(now, { model, slots }) {
  const labels = `engine="0",model_name="${model}"`;
  const lines = [];
  const family = (type, name, help, series) => {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [suffix, extra, value] of series) lines.push(`${name}${suffix}{${labels}${extra}} ${value.toFixed(1)}`);
  };
  const gauge = (name, help, value) => family('gauge', name, help, [['', '', value]]);
  const counter = (name, help, series) => {
    family(
      'counter',
      name,
      help,
      series.map(([extra, value]) => ['_total', extra, value]),
    );
    const created = (Date.now() / 1000).toFixed(3);
    lines.push(`# TYPE ${name}_created gauge`, `${name}_created{${labels}} ${created}`);
  };
  gauge('vllm:num_requests_running', 'Number of requests in model execution batches.', now.running);
  gauge('vllm:num_requests_waiting', 'Number of requests waiting to be processed.', 0);
  gauge('vllm:kv_cache_usage_perc', 'KV-cache usage. 1 means 100 percent usage.', now.running > 0 ? 0.014 : 0);
  counter('vllm:prompt_tokens', 'Number of prefill tokens processed.', [['', now.prompt]]);
  counter('vllm:generation_tokens', 'Number of generation tokens processed.', [['', now.generated]]);
  counter('vllm:request_success', 'Count of successfully processed requests.', [
    [',finished_reason="stop"', 0],
    [',finished_reason="length"', now.requests],
  ]);
  counter('vllm:num_preemptions', 'Cumulative number of preemptions.', [['', 0]]);
  if (slots > 0) {
    counter('vllm:spec_decode_num_drafts', 'Number of spec decoding drafts.', [['', now.drafts]]);
    counter('vllm:spec_decode_num_draft_tokens', 'Number of draft tokens.', [['', now.drafted]]);
    counter('vllm:spec_decode_num_accepted_tokens', 'Number of accepted tokens.', [['', now.accepted]]);
    const positions = now.positions.map((value, position) => [`,position="${position}"`, value]);
    counter('vllm:spec_decode_num_accepted_tokens_per_pos', 'Accepted tokens per draft position.', positions);
  }
  return `${lines.join('\n')}\n`;
}
