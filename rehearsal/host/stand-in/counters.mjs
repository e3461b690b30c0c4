/** What one engine counts: requests, tokens, steps and drafts. Its gauges come with its steps: a hung engine's stand still. */
import { createHistogram } from './histogram.mjs';

const stepBuckets = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384];
const firstTokenBuckets = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];

/** `shares`: chance of each draft position; `mostAtOnce`: requests that run together, the others wait. */
export function createCounters({ shares, mostAtOnce }) {
  const steps = createHistogram(stepBuckets);
  const firstTokens = createHistogram(firstTokenBuckets);
  const counts = { asked: 0, prompt: 0, generated: 0, drafts: 0, length: 0, stop: 0, abort: 0 };
  const each = sum(shares);
  let frozen = null;

  const acceptedOf = (drafts) => Math.round(drafts * each);

  return {
    steps,
    firstTokens,
    begin() {
      counts.asked += 1;
    },
    /** The prompt is in, and with it the first token. `seconds` after it was asked. */
    prefill({ promptTokens, seconds }) {
      counts.prompt += promptTokens;
      counts.generated += 1;
      steps.observe(promptTokens + 1);
      firstTokens.observe(seconds);
    },
    /** One step of a request: a token of the target's, and what of a draft is accepted. Returns how many tokens came of it. */
    decode() {
      const before = acceptedOf(counts.drafts);
      if (shares.length > 0) counts.drafts += 1;
      const tokens = 1 + acceptedOf(counts.drafts) - before;
      counts.generated += tokens;
      steps.observe(tokens);
      return tokens;
    },
    /** `reason`: length, stop or abort. */
    finish(reason) {
      counts.asked -= 1;
      counts[reason] += 1;
    },
    /** From now on nothing of this engine is heard: not even that a client has gone. */
    freeze() {
      frozen ??= look();
    },
    read: () => frozen ?? look(),
  };

  function look() {
    const { drafts } = counts;
    const accepted = acceptedOf(drafts);
    const positions = spread(shares, { drafts, accepted });
    const running = Math.min(counts.asked, mostAtOnce);
    const gauges = { running, waiting: counts.asked - running };
    return { ...counts, ...gauges, drafted: drafts * shares.length, accepted, positions };
  }
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
