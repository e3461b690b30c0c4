/** speculators' metric records: keys and formats of 0.7. A step without samples (its target is gone) is all zeros. */

const tokens = 8192;
const firstLoss = 12;
const lastLoss = 2.4;

export function renderTrainRecord({ step, epoch, positions, totalSteps, timing, isEmpty }) {
  const accuracies = accuraciesAt(isEmpty ? null : step, positions);
  const stepMs = timing.fetchMs + timing.forwardMs + timing.backwardMs + timing.optimizerMs;
  const rate = learningRate(step, totalSteps);
  return render([
    ['train/loss', isEmpty ? 0 : lossAt(step)],
    ['train/full_acc', mean(accuracies)],
    ...accuracies.map((value, index) => [`train/position_${index + 1}_acc`, value]),
    ['train/eal', expectedLength(accuracies)],
    ['profile/fetch_ms', timing.fetchMs],
    ['profile/fwd_ms', timing.forwardMs],
    ['profile/bwd_ms', timing.backwardMs],
    ['profile/opt_ms', timing.optimizerMs],
    ['profile/step_ms', stepMs],
    ['profile/tokens_per_s', isEmpty ? 0 : (tokens * 1000) / stepMs],
    ['profile/fetch_frac', timing.fetchMs / stepMs],
    ['epoch', BigInt(epoch)],
    ['lr/Muon', rate * 10],
    ['lr/AdamW', rate],
    ['global_step', BigInt(step)],
  ]);
}

export function renderValRecord({ step, epoch, positions }) {
  const accuracies = accuraciesAt(step, positions);
  return render([
    ['val/loss_epoch', valLossAt(step)],
    ['val/full_acc_epoch', mean(accuracies)],
    ...accuracies.map((value, index) => [`val/position_${index + 1}_acc_epoch`, value]),
    ['val/eal_epoch', expectedLength(accuracies)],
    ['epoch', BigInt(epoch)],
  ]);
}

export function valLossAt(step) {
  return lossAt(step) * 1.04;
}

/** Falls fast, then slowly, with a little noise that is the same in every run. */
function lossAt(step) {
  const noise = 0.02 * Math.sin(step * 2.4);
  return (lastLoss + (firstLoss - lastLoss) * Math.exp(-step / 9)) * (1 + noise);
}

/** The first position learns first; each later one has about two thirds of the one before. */
function accuraciesAt(step, positions) {
  const first = step === null ? 0 : 0.01 + 0.6 * (1 - Math.exp(-step / 14));
  return Array.from({ length: positions }, (_, index) => first * 0.66 ** index);
}

function expectedLength(accuracies) {
  let product = 1;
  return accuracies.reduce((sum, value) => {
    product *= value;
    return sum + product;
  }, 0);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Linear: up over the first step, then down to nothing. */
function learningRate(step, totalSteps) {
  return 3e-4 * Math.min(1, (step + 1) / 2) * Math.max(0, 1 - step / totalSteps);
}

/** Whole numbers (given as BigInt) as they are, others with three decimals, or with an exponent where those say too little. */
function render(entries) {
  return entries.map(([key, value]) => `${key}=${typeof value === 'bigint' ? value : renderFloat(value)}`).join(', ');
}

function renderFloat(value) {
  if (value >= 0.001 && value <= 999) return value.toFixed(3);
  const [mantissa, exponent] = value.toExponential(2).split('e');
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
