/** A training's causes in its loss and in its target server. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

const LAST_GOOD = 'go back to the last checkpoint whose losses were numbers';

export const TARGET_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'nan-loss',
    only: 'train',
    category: 'nan_loss',
    title: 'The loss is no number any more',
    why: 'The weights blew up at one step, by too high a learning rate or by hidden states that are no numbers; every later step learns from that.',
    pattern:
      /\bloss['"]?[=:] ?['"]?[+-]?(?:nan|inf)|^\{['"]loss['"]: ?['"]?0\.0\b.{0,200}\bgrad_norm['"]: ?['"]?(?:nan|inf)/i,
    samples: [
      'train/loss=nan, train/full_acc=0.00e+00, epoch=0, lr=6.00e-04, global_step=31',
      "{'loss': nan, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 0.2}",
      "{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 0.2}",
    ],
    remedy: () =>
      `Stop it, ${LAST_GOOD}, and lower --lr: nothing stops by itself, and every later checkpoint is worthless.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'nan-check',
    only: 'train',
    category: 'nan_loss',
    title: "The trainer's own check found a loss or gradient that is no number",
    why: 'The loss or a gradient became NaN or infinite, by too high a learning rate, a bad batch or hidden states that are no numbers; the check ended the run before the weights were spoilt.',
    pattern:
      /\bfound (?:NaN|Inf) in\b|\b(?:loss|grad(?:ient)?s?[ _]?(?:norm)?) (?:is|are|became|was) (?:nan|inf|not finite|non-finite)\b|\bnon-?finite (?:loss|grad)|\b(?:nan|inf) (?:loss|grad(?:ient)?s?(?: norm)?) (?:at|in|detected|encountered)/i,
    samples: [
      'AssertionError: Rank 5: found NaN in local grad norm in backward pass before data-parallel communication collective. Device: 5, node: gpu1',
      'RuntimeError: grad_norm is nan at step 1500',
      'ValueError: Loss is nan, stopping training',
    ],
    remedy: () =>
      `Lower --lr and ${LAST_GOOD}; where it is the same step again and again, a batch of the data is bad: skip it.`,
    link: PAGES.speculators,
    retry: 'no',
  },
  {
    id: 'no-training-data',
    only: 'train',
    category: 'engine_dead',
    title: 'The trainer gets no data from the target server',
    why: 'Every batch is empty, since the target server gives no hidden states any more: the trainer lives on, trains on nothing and still saves checkpoints.',
    pattern: /^(?:train\/loss=0(?:\.0{1,8})?(?:e[+-]?0{1,4})?,|\{['"]loss['"]: ?['"]?0\.0\b)/,
    isOfTarget: true,
    samples: ['train/loss=0.00e+00, train/full_acc=0.00e+00, profile/tokens_per_s=0.00e+00, epoch=1, global_step=88'],
    remedy: () =>
      `Stop it, restart the target server, ${LAST_GOOD.replace('numbers', 'above zero')} and resume there (train.py resumes from --save-path).`,
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
  {
    id: 'target-download-stalled',
    only: 'train',
    category: 'download_stalled',
    title: "The target's download stands still",
    why: 'Its weights come from the hub, and no byte arrived for a quarter of an hour: anonymous downloads are rate-limited.',
    pattern:
      /^\S{1,200}\.(?:safetensors|bin|pt|pth|gguf): {1,8}(?<percent>\d{1,3})%\|[^|]{0,200}\| {0,8}(?<bytes>\S{1,40}) \[/,
    shape: 'line',
    samples: ['model-00001-of-00029.safetensors:   4%|▍         | 83.9M/1.98G [02:31<56:52, 556kB/s]'],
    remedy: ({ bytes = '' }) =>
      `Stop it and fetch the model beforehand (\`hf download ORG/MODEL\` with HF_TOKEN), then give the local path. The bar stands at ${bytes}.`,
    link: PAGES.rates,
    retry: 'may help',
  },
  {
    id: 'target-not-ready',
    only: 'train',
    category: 'engine_dead',
    title: 'The target server never became ready',
    why: "The script only waits for the server's port: it doesn't see that it died, or that it needs longer than the script's limit.",
    pattern:
      /(?:target|vllm|sglang|server)\b.{0,60}\b(?:not|never|failed to)(?: \w{1,20}){0,2} (?:ready|healthy|up|start|respond|answer|reachable|available)|(?:timed? ?out|g[ai]v(?:e|ing) up) .{0,60}waiting (?:for|on) .{0,60}(?:target|vllm|sglang|server|health|https?:|port|endpoint)|(?:target|vllm|sglang|server)\b.{0,80}(?:died|exited|crashed|dead|gone|failed to start|did not|terminated|no longer)/i,
    isOfTarget: true,
    samples: [
      'target not ready after 600s, giving up; see /workspace/logs/vllm.log',
      'ERROR: vLLM server died during startup',
      'Timed out after 900 s waiting for http://localhost:8000/health',
    ],
    remedy: () =>
      "Read the target server's own log (the recipe's `target.log`): its first failure is the cause; where it was only slow, raise the script's limit.",
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
  {
    id: 'target-request-failed',
    only: 'train',
    category: 'engine_dead',
    title: "The target server doesn't answer any more",
    why: 'The data workers can not reach it, so they have nothing to train on.',
    pattern: /^Request (?:aborted|failed|timed out)\b/,
    isOfTarget: true,
    isHint: true,
    samples: [
      'Request aborted (attempt 1/4): Connection error.. Retrying in 2s...',
      'Request timed out after 4 attempts: Request timed out.',
    ],
    remedy: () =>
      'Restart the target server and resume from the last checkpoint; where it lives and is slow, raise --request-timeout or lower --num-workers.',
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
  {
    id: 'hub-unreachable-in-training',
    only: 'train',
    category: 'download_stalled',
    title: "The trainer can't reach the hub",
    why: 'It wanted a model or data from the hub, and got no connection, or one that broke.',
    pattern:
      /(?:httpx|httpcore|requests|urllib3|aiohttp)\.[\w.]{0,60}(?:Connect|Timeout|ProtocolError|ReadError|ProxyError)|couldn't connect to|Max retries exceeded|name resolution/i,
    inTraceback: /huggingface|hf-mirror|\bhf\.co\b/i,
    samples: [
      'requests.exceptions.ConnectionError: (MaxRetryError("HTTPSConnectionPool(host=\'huggingface.co\', port=443): Max retries exceeded with url: /api/datasets/org/data"))',
    ],
    remedy: () =>
      'Check from the host (`curl -I https://huggingface.co`; HTTPS_PROXY, HF_ENDPOINT), or copy model and data there and give their paths with HF_HUB_OFFLINE=1.',
    link: PAGES.hubVariables,
    retry: 'may help',
  },
  {
    id: 'target-unreachable',
    only: 'train',
    category: 'engine_dead',
    title: "The target server doesn't answer",
    why: 'Nothing listens at the address that the trainer asks for hidden states, or it does not answer in time.',
    pattern:
      /API(?:Connection|Timeout)Error|(?:httpx|httpcore|aiohttp|requests|urllib3)\.[\w.]{0,60}(?:Connect|RemoteProtocolError|NewConnectionError)|Connection refused|^ConnectionRefusedError|No models found at endpoint|Failed to auto-detect model from/,
    isOfTarget: true,
    samples: ['openai.APIConnectionError: Connection error.', 'httpx.ConnectError: [Errno 111] Connection refused'],
    remedy: () =>
      'See whether the target server runs and answers on --vllm-endpoint (`curl URL/models`); start it again and resume from the last checkpoint.',
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
];
