/** Gets ready; some seconds after it was last asked, somebody's client sends hundreds of bad requests. The server is well, whatever its log says. */
import { untilRested } from '../stand-in/after-ready.mjs';
import { logThroughput } from '../stand-in/throughput.mjs';
import { renderTraceback } from '../stand-in/traceback.mjs';
import { ask } from '../stand-in/users.mjs';
import { start } from '../startup/start.mjs';

const rounds = 100;
const tooMany = 50_000;
/** Every so many rounds the server tells of the prompt at length, as versions before 0.16 do of each. */
const toldEvery = 5;

const frames = [
  ['vllm/entrypoints/openai/serving_chat.py', 236, 'create_chat_completion', ') = await self._preprocess_chat('],
  [
    'vllm/entrypoints/openai/serving_engine.py',
    940,
    '_preprocess_chat',
    'prompt_inputs = await self._tokenize_prompt_input_async(',
  ],
  ['vllm/entrypoints/openai/serving_engine.py', 664, '_validate_input', 'raise ValueError('],
];

export async function run(server) {
  await start(server);
  // Runs beside the rest and ends with the process.
  void logThroughput(server);
  await untilRested(server);
  for (let round = 0; round < rounds; round += 1) await misuse(server, round);
  await server.pace.never();
}

/** Four bad requests at once: no messages, an unknown model, a prompt that is too long, and no JSON object. */
async function misuse(server, round) {
  const model = server.args.names[0];
  const messages = [{ role: 'user', content: 'error '.repeat(tooMany) }];
  await Promise.all([
    ask(server, '/v1/chat/completions', { model }),
    ask(server, '/v1/completions', { model: 'gpt-4o', prompt: 'Traceback (most recent call last):' }),
    ask(server, '/v1/chat/completions', { model, messages }),
    ask(server, '/v1/completions', ['RuntimeError: CUDA error']),
  ]);
  if (round % toldEvery !== 0) return;
  const most = server.args.maxModelLen;
  const exception = `ValueError: This model's maximum context length is ${most} tokens. However, your request has ${tooMany} input tokens. Please reduce the length of the input messages.`;
  server.api.error(
    'serving_chat.py:257',
    `Error in preprocessing prompt inputs\n${renderTraceback(frames, exception)}`,
  );
}
