/** A rank's data workers: real processes, which ask the target for each sample. What they say has neither time nor level. */
import { spawn } from 'node:child_process';

const attempts = 4;
const requestSeconds = 120;
/** A busy machine may take its time, however fast the rehearsal runs. */
const leastRequestMs = 10_000;

/** Small shells that read a pipe of this process: they end with it, however it ends. */
export function startDataWorkers(count) {
  for (let worker = 0; worker < count; worker += 1) {
    const child = spawn('/bin/sh', ['-c', 'read -r _', 'multiprocessing.spawn'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.on('error', () => undefined);
    child.unref();
  }
}

/** Asks `endpoint` for one sample's hidden states, with retries; false when it gave none. */
export async function fetchSample({ endpoint, model, sample, pace }) {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await ask({ endpoint, model, pace });
    // Whoever was interrupted meanwhile goes no further.
    await pace.wait(0);
    if (failure === null) return true;
    if (attempt === attempts) {
      warn(`Request timed out after ${attempts} attempts: ${failure}`);
      warn(
        `/workspace/speculators/src/speculators/train/data.py:412: UserWarning: Failed to load/cache hidden states for sample ${sample}: ${failure}\n  warnings.warn(`,
      );
      return false;
    }
    warn(`Request aborted (attempt ${attempt}/${attempts}): ${failure}. Retrying in ${2 ** attempt}s...`);
    await pace.wait(2 ** attempt);
  }
}

/** What the client says of a failed request, or null. */
async function ask({ endpoint, model, pace }) {
  try {
    const response = await fetch(`${endpoint}/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, prompt: [1, 2, 3], max_tokens: 1 }),
      signal: AbortSignal.timeout(Math.max(leastRequestMs, (requestSeconds * 1000) / pace.speed)),
    });
    const text = await response.text();
    return response.ok ? null : `Error code: ${response.status} - ${text}`;
  } catch (error) {
    return error.name === 'TimeoutError' ? 'Request timed out.' : 'Connection error.';
  }
}

function warn(text) {
  process.stderr.write(`${text}\n`);
}
