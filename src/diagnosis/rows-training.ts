/** A training's causes in its loss, its data and its target server. Order is priority; the most telling first. */

import type { TrainingRow } from './row.ts';

const LAST_GOOD = 'go back to the last checkpoint whose losses were numbers';

export const DATA_ROWS: readonly TrainingRow[] = [
  {
    category: 'nan_loss',
    title: 'The loss is no number any more',
    pattern:
      /\bloss['"]?(?:[=:] ?)['"]?[+-]?(?:nan|inf)|^\{['"]loss['"]: ?['"]?0\.0\b.*\bgrad_norm['"]: ?['"]?(?:nan|inf)/i,
    sample: 'train/loss=nan, train/full_acc=0.00e+00, epoch=0, lr=6.00e-04, global_step=31',
    remedy: () =>
      `Stop it, ${LAST_GOOD}, and lower --lr: nothing stops by itself, and every later checkpoint is worthless.`,
  },
  {
    category: 'engine_dead',
    title: 'The trainer gets no data from the target server',
    pattern: /^(?:train\/loss=0(?:\.0+)?(?:e[+-]?0+)?,|\{['"]loss['"]: ?['"]?0\.0\b)/,
    isOfTarget: true,
    sample: 'train/loss=0.00e+00, train/full_acc=0.00e+00, profile/tokens_per_s=0.00e+00, epoch=1, global_step=88',
    remedy: () =>
      `Stop it, restart the target server, ${LAST_GOOD.replace('numbers', 'above zero')} and resume there: every batch is empty, it trains on nothing and still saves checkpoints.`,
  },
  {
    category: 'download_stalled',
    title: "The target's download stands still",
    pattern: /^\S+\.(?:safetensors|bin|pt|pth|gguf): +(?<percent>\d+)%\|[^|]*\| *(?<bytes>\S+) \[/,
    sample: 'model-00001-of-00029.safetensors:   4%|▍         | 83.9M/1.98G [02:31<56:52, 556kB/s]',
    remedy: ({ bytes }) =>
      `Stop it and fetch the model beforehand (\`hf download ORG/MODEL\` with HF_TOKEN: anonymous downloads are rate-limited), then give the local path. The bar stands at ${bytes}.`,
  },
  {
    category: 'engine_dead',
    title: 'The target server never became ready',
    pattern:
      /(?:target|vllm|server)\b.{0,60}\b(?:not|never|failed to)(?: \w+){0,2} (?:ready|healthy|up|start|respond|answer|reachable|available)|(?:timed? ?out|g[ai]v(?:e|ing) up) .*waiting (?:for|on)|(?:target|vllm|server).*(?:died|exited|crashed|dead|gone|failed to start|did not|terminated|no longer)/i,
    isOfTarget: true,
    sample: 'target not ready after 600s, giving up; see /workspace/logs/vllm.log',
    remedy: () =>
      "Read the target server's own log: the script only waits for its port and doesn't see that it died, or that it needs longer than the script's limit.",
  },
  {
    category: 'engine_dead',
    title: "The target server doesn't answer any more",
    pattern: /^Request (?:aborted|failed|timed out)\b/,
    isOfTarget: true,
    isHint: true,
    sample: 'Request aborted (attempt 1/4): Connection error.. Retrying in 2s...',
    remedy: () =>
      'Restart the target server and resume from the last checkpoint: the data workers can not reach it, so they have nothing to train on.',
  },
  {
    category: 'engine_dead',
    title: "The target server doesn't answer",
    pattern:
      /APIConnectionError|(?:httpx|httpcore|aiohttp|requests|urllib3)\S*(?:Connect\w*Error|RemoteProtocolError|NewConnectionError)|Connection refused|^ConnectionRefusedError/,
    isOfTarget: true,
    sample: 'openai.APIConnectionError: Connection error.',
    remedy: () =>
      'See whether the target server runs and answers on --vllm-endpoint (`curl URL/models`); start it again and resume from the last checkpoint.',
  },
  {
    category: 'engine_dead',
    title: 'The target server gave no hidden states for too many samples in a row',
    pattern: /consecutive\s+samples\s+errored|generation\s+circuit\s+breaker\s+tripped/,
    isOfTarget: true,
    sample: 'RuntimeError: Aborting: 32 consecutive samples errored out. The vLLM server may be unreachable.',
    remedy: () =>
      'See whether the target server still answers and what it says to one request, then run the same command again: it goes on where it stopped.',
  },
  {
    category: 'bad_argument',
    title: "The target server serves the model under another name than the trainer's",
    pattern:
      /explicit model name was passed|(?:'|")?(?<wanted>[^\s'"]+)(?:'|")? .{0,40}(?:doesn't|does not) match found model[_ ]id (?:'|")?(?<served>[^\s'"]+)/i,
    sample:
      "ValueError: An explicit model name was passed, but 'Qwen/Qwen3-8B' doesn't match found model_id '/models/Qwen3-8B'",
    remedy: () =>
      "Give the same string on both sides: --verifier-name-or-path of the trainer must be the id in the target's /v1/models (a hub id here and a local path there is enough to fail).",
  },
  {
    category: 'drafter_mismatch',
    title: 'The hidden states have another number of layers than the drafter expects',
    pattern:
      /same reduction dim, but got \[\d+, (?<sent>\d+)\] X \[(?<wanted>\d+), (?<out>\d+)\]|mat1 and mat2 shapes cannot be multiplied \(\d+x(?<sent2>\d+) and (?<wanted2>\d+)x(?<out2>\d+)\)/,
    sample: 'RuntimeError: a and b must have same reduction dim, but got [8192, 16384] X [12288, 4096].',
    remedy: ({ sent, wanted, out, sent2, wanted2, out2 }) =>
      `Give the same --target-layer-ids to launch_vllm.py and train.py (train.py's without the last layer).${layers(sent ?? sent2, wanted ?? wanted2, out ?? out2)}`,
  },
  {
    category: 'data_error',
    title: "The target's tokens are not the prepared ones",
    pattern: /Prompt token IDs mismatch|[Ll]oaded token ids .*don't match|token_ids? (?:mismatch|do(?:es)? not match)/,
    sample: 'ValueError: Prompt token IDs mismatch for sample 118',
    remedy: () =>
      'Use the same model, chat template and max_model_len for preparing and serving, and prepare the data again.',
  },
  {
    category: 'data_error',
    title: 'The hidden states hold values that are no numbers',
    pattern: /[Hh]idden states contain non-finite values(?:.*?slots=(?<slots>\[[^\]]*\]))?/,
    sample: 'ValueError: Hidden states contain non-finite values (12 of 40960, affected layer slots=[3])',
    remedy: ({ slots }) =>
      `Check the target's dtype and quantization${slots === undefined ? '' : ` (layer slots ${slots})`}: bfloat16 instead of float16 is the usual cure.`,
  },
  {
    category: 'data_error',
    title: 'The hidden states could not be made',
    pattern: /^Data generation failed/,
    sample: 'Data generation failed: Connection error.',
    remedy: () =>
      'See whether the target server still answers, then run the same command again: it goes on where it stopped. It gives up after as many failures in a row as --concurrency.',
  },
  {
    category: 'data_error',
    title: "The data can't be read",
    pattern:
      /DatasetGenerationError|DatasetNotFoundError|DataFilesNotFoundError|ArrowInvalid|Couldn't find (?:a|any) (?:dataset|data)|No such file or directory: '[^']*\.(?:jsonl?|arrow|parquet|csv)'|(?:Directory|Path) \S+ (?:not found|doesn't exist|is neither a)/,
    sample: 'datasets.exceptions.DatasetGenerationError: An error occurred while generating the dataset',
    remedy: () => 'Check --data-path and the files in it; prepare the data again where they are incomplete.',
  },
  {
    category: 'data_error',
    title: 'The data has other columns than the preparation expects',
    pattern: /^KeyError: ['"](?<column>[^'"]+)/,
    inTraceback: /prepare_data|preprocess/,
    sample: "KeyError: 'conversations'",
    remedy: ({ column }) => `Give a data set whose rows have \`${column}\`, or rename the column that holds it.`,
  },
];

/** How many layers' worth the two sides mean, where the sizes say so. */
function layers(sent: string | undefined, wanted: string | undefined, size: string | undefined): string {
  const [a, b, hidden] = [Number(sent), Number(wanted), Number(size)];
  if (!hidden || a % hidden !== 0 || b % hidden !== 0) return '';
  return ` ${a / hidden} layers were sent, ${b / hidden} expected.`;
}
