import { createServer } from 'node:http';

const maxBodyBytes = 4 * 1024 * 1024;
const tokensPerSecond = 73.5;
const text = 'A short answer is enough to show that the server completes a prompt. ';

/** vLLM's OpenAI server: what a monitor asks of it. `speaker` writes the access log, or null. */
export function createHttp({ args, version, pace, metrics, speaker }) {
  let isDead = false;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 5_000;

  async function answer(request, response) {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = await readBody(request);
    const { status, content, type } = await route({ request, path, body });
    const bytes = content === null ? '' : typeof content === 'string' ? content : JSON.stringify(content);
    response.writeHead(status, { server: 'uvicorn', 'content-type': type ?? 'application/json' });
    response.end(bytes);
    const { remoteAddress, remotePort } = request.socket;
    const reason = response.statusMessage;
    speaker?.uvicorn(`${remoteAddress}:${remotePort} - "${request.method} ${path} HTTP/1.1" ${status} ${reason}`);
  }

  async function route({ request, path, body }) {
    if (path.startsWith('/v1') && !isAuthorised(request)) return { status: 401, content: { error: 'Unauthorized' } };
    const key = `${request.method} ${path}`;
    if (key === 'GET /health' || path === '/ping') return { status: isDead ? 503 : 200, content: null };
    if (key === 'GET /version') return { status: 200, content: { version } };
    if (key === 'GET /metrics')
      return { status: 200, content: metrics.render(), type: 'text/plain; version=0.0.4; charset=utf-8' };
    if (key === 'GET /v1/models') return { status: 200, content: listModels() };
    if (key === 'POST /v1/completions') return complete(body, { isChat: false });
    if (key === 'POST /v1/chat/completions') return complete(body, { isChat: true });
    return { status: 404, content: { detail: 'Not Found' } };
  }

  function isAuthorised({ headers }) {
    return args.keys.length === 0 || args.keys.some((key) => headers.authorization === `Bearer ${key}`);
  }

  function listModels() {
    const created = Math.floor(Date.now() / 1000);
    const entry = { object: 'model', created, owned_by: 'vllm', root: args.model, parent: null };
    return { object: 'list', data: args.names.map((id) => ({ id, ...entry, max_model_len: args.maxModelLen })) };
  }

  async function complete(body, { isChat }) {
    const asked = parseObject(body);
    if (asked === null) return fail(400, 'BadRequestError', 'The body is not a JSON object.');
    const model = asked.model ?? args.names[0];
    if (!args.names.includes(model)) return fail(404, 'NotFoundError', `The model \`${model}\` does not exist.`);
    if (isChat ? !Array.isArray(asked.messages) : asked.prompt === undefined) {
      return fail(400, 'BadRequestError', `Field required: ${isChat ? 'messages' : 'prompt'}`);
    }
    const tokens = Math.max(1, Number(asked.max_completion_tokens ?? asked.max_tokens ?? (isChat ? 128 : 16)));
    const prompts = isChat || !Array.isArray(asked.prompt) ? 1 : asked.prompt.length;
    const promptTokens = Math.ceil(JSON.stringify(isChat ? asked.messages : asked.prompt).length / 4);
    metrics.begin();
    await new Promise((resolve) => setTimeout(resolve, (tokens / tokensPerSecond / pace.speed) * 1000));
    metrics.finish({ promptTokens, tokens: tokens * prompts });
    if (isDead)
      return fail(
        500,
        'InternalServerError',
        'EngineCore encountered an issue. See stack trace (above) for the root cause.',
      );

    const written = text.repeat(Math.ceil((tokens * 4) / text.length)).slice(0, tokens * 4);
    const choice = isChat ? { message: { role: 'assistant', content: written } } : { text: written };
    return {
      status: 200,
      content: {
        id: `${isChat ? 'chatcmpl' : 'cmpl'}-${Date.now().toString(16)}`,
        object: isChat ? 'chat.completion' : 'text_completion',
        created: Math.floor(Date.now() / 1000),
        model,
        choices: Array.from({ length: prompts }, (_, index) => ({
          index,
          ...choice,
          logprobs: null,
          finish_reason: 'length',
        })),
        usage: {
          prompt_tokens: promptTokens,
          completion_tokens: tokens * prompts,
          total_tokens: promptTokens + tokens * prompts,
        },
      },
    };
  }

  return {
    listen: (address) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(args.port, address, resolve);
      }),
    /** From now on requests fail as they do when the engine is dead. */
    failAll: () => {
      isDead = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function fail(status, type, message) {
  return { status, content: { error: { message, type, param: null, code: status } } };
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseObject(body) {
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    // Not JSON: the caller answers 400.
    return null;
  }
}
