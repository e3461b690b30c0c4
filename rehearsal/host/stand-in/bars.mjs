/** The text of tqdm's bars as vLLM has them; seconds are unscaled. */

/** One refresh of the weights bar, which has a format of its own: `\rLoading …: 80% Completed | 12/15 [..]`. */
export function renderShards({ done, total, seconds }) {
  const percent = String(Math.round((100 * done) / total)).padStart(3);
  const head = `\rLoading safetensors checkpoint shards: ${percent}% Completed | ${done}/${total}`;
  return `${head} [${renderTimes({ done, total, seconds })}]`;
}

/** One `\r` piece of an ordinary bar. */
export function renderBar({ title, done, total, seconds }) {
  const percent = String(Math.round((100 * done) / total)).padStart(3);
  return `\r${title}: ${percent}%|${renderBlocks(done / total)}| ${done}/${total} [${renderTimes({ done, total, seconds })}]`;
}

const width = 10;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function renderBlocks(share) {
  const full = Math.floor(share * width);
  const blocks = '█'.repeat(full) + eighths[Math.floor((share * width - full) * 8)];
  return blocks.padEnd(width);
}

function renderTimes({ done, total, seconds }) {
  if (done === 0) return '00:00<?, ?it/s';
  const rate = done / Math.max(seconds, 0.01);
  const pace = rate < 1 ? `${(1 / rate).toFixed(2).padStart(5)}s/it` : `${rate.toFixed(2).padStart(5)}it/s`;
  return `${clock(seconds)}<${clock((total - done) / rate)}, ${pace}`;
}

function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}
