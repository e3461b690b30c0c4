/**
 * A server's log of any size, as vLLM 0.11 writes one over weeks: the start, then requests, throughput, health checks, long request
 * records, clients' mistakes with their tracebacks. The same seed gives the same bytes.
 */

import { closeSync, openSync, writeSync } from 'node:fs';

const BLOCK_CHARS = 4 << 20;

/** Writes the log and returns its size in bytes: the first whole block of lines past `bytes`. */
export function writeServerLog(path: string, bytes: number, seed = 7): number {
  const file = openSync(path, 'w');
  const random = generator(seed);
  let size = writeSync(file, `${START.join('\n')}\n`);
  for (let second = 0; size < bytes; ) {
    const block: string[] = [];
    for (let chars = 0; chars < BLOCK_CHARS; second += 1) {
      const lines = secondOf(second, random);
      for (const line of lines) chars += line.length + 1;
      block.push(...lines);
    }
    size += writeSync(file, `${block.join('\n')}\n`);
  }
  closeSync(file);
  return size;
}

type Random = (below: number) => number;

const API = '(APIServer pid=4120) ';
const START = [
  `${API}INFO 11-02 07:41:12 [api_server.py:1839] vLLM API server version 0.11.0`,
  `${API}INFO 11-02 07:41:12 [utils.py:233] non-default args: {'model': '/models/Qwen3-32B', 'tensor_parallel_size': 2, 'max_model_len': 65536}`,
  `${API}INFO 11-02 07:41:19 [model.py:547] Resolved architecture: Qwen3ForCausalLM`,
  '(EngineCore_DP0 pid=4301) INFO 11-02 07:41:31 [core.py:644] Waiting for init message from front-end.',
  '(Worker_TP0 pid=4377) INFO 11-02 07:41:44 [parallel_state.py:1208] rank 0 in world size 2 is assigned as DP rank 0, PP rank 0, TP rank 0, EP rank 0',
  '(Worker_TP0 pid=4377) INFO 11-02 07:41:46 [gpu_model_runner.py:2602] Starting to load model /models/Qwen3-32B...',
  ...[1, 2, 3, 4].map(
    (done) =>
      `Loading safetensors checkpoint shards:  ${done * 25}% Completed | ${done}/4 [00:0${done}<00:02,  1.31s/it]`,
  ),
  '(Worker_TP0 pid=4377) INFO 11-02 07:42:20 [gpu_model_runner.py:2653] Model loading took 30.59 GiB and 33.118402 seconds',
  '(Worker_TP0 pid=4377) INFO 11-02 07:42:58 [monitor.py:34] torch.compile takes 36.92 s in total',
  '(EngineCore_DP0 pid=4301) INFO 11-02 07:43:06 [kv_cache_utils.py:1087] GPU KV cache size: 196,112 tokens',
  '(Worker_TP0 pid=4377) INFO 11-02 07:43:31 [gpu_model_runner.py:3480] Graph capturing finished in 18 secs, took 0.61 GiB',
  `${API}INFO:     Started server process [4120]`,
  `${API}INFO:     Waiting for application startup.`,
  `${API}INFO:     Application startup complete.`,
];

function secondOf(second: number, random: Random): string[] {
  const lines: string[] = [];
  for (let count = 20 + random(40); count > 0; count -= 1) {
    if (random(12) === 0) lines.push(received(second, random));
    lines.push(access(random));
  }
  if (second % 10 === 0) lines.push(throughput(second, random));
  if (second % 15 === 0)
    lines.push(`${API}INFO:     10.0.3.7:${30000 + random(30000)} - "GET /health HTTP/1.1" 200 OK`);
  if (random(40) === 0) lines.push(...refused(second, random));
  return lines;
}

function access(random: Random): string {
  const path = random(3) === 0 ? '/v1/completions' : '/v1/chat/completions';
  const outcome = random(200) === 0 ? '400 Bad Request' : '200 OK';
  return `${API}INFO:     10.0.${random(9)}.${random(250)}:${30000 + random(30000)} - "POST ${path} HTTP/1.1" ${outcome}`;
}

function received(second: number, random: Random): string {
  const id = `chatcmpl-${random(2 ** 31).toString(16)}${random(2 ** 31).toString(16)}`;
  return `${API}INFO ${stamp(second)} [logger.py:40] Received request ${id}: params: SamplingParams(n=1, presence_penalty=0.0, frequency_penalty=0.0, repetition_penalty=1.0, temperature=0.${random(99)}, top_p=0.95, top_k=20, min_p=0.0, seed=None, stop=[], stop_token_ids=[], max_tokens=${random(8192)}, logprobs=None, skip_special_tokens=True, guided_decoding=None), lora_request: None.`;
}

function throughput(second: number, random: Random): string {
  return `${API}INFO ${stamp(second)} [loggers.py:127] Engine 000: Avg prompt throughput: ${random(9000)}.${random(9)} tokens/s, Avg generation throughput: ${random(2000)}.${random(9)} tokens/s, Running: ${random(64)} reqs, Waiting: ${random(4)} reqs, GPU KV cache usage: ${random(99)}.${random(9)}%, Prefix cache hit rate: ${random(99)}.${random(9)}%`;
}

/** A client asks for more than fits: a record and a traceback that end nothing. */
function refused(second: number, random: Random): string[] {
  const head = `${API}ERROR ${stamp(second)} [serving_chat.py:237] `;
  const tokens = 65537 + random(9000);
  return [
    `${head}Error in preprocessing prompt inputs\r`,
    `${head}Traceback (most recent call last):\r`,
    `${head}  File "/opt/vllm/lib/python3.12/site-packages/vllm/entrypoints/openai/serving_chat.py", line 220, in create_chat_completion\r`,
    `${head}    ) = await self._preprocess_chat(\r`,
    `${head}ValueError: This model's maximum context length is 65536 tokens. However, your request has ${tokens} input tokens.`,
  ];
}

/** `11-02 07:43:31` and on, a month of it at most. */
function stamp(second: number): string {
  const at = new Date(Date.UTC(2025, 10, 2, 7, 44) + 1000 * (second % 2_400_000)).toISOString();
  return `${at.slice(5, 10)} ${at.slice(11, 19)}`;
}

/** Whole numbers from 0 up to `below`: a linear congruence is random enough for lines. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
