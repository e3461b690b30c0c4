/** The routes of vLLM's OpenAI server that a monitor may ask: which there are, who may, and what each answers. */
import { createCompletions } from './completions.mjs';
import { embed, rerank, score } from './pooling.mjs';
import { notFound, notJson, unauthorised, wrongMediaType, wrongMethod } from './refusals.mjs';

const guarded = ['/v1', '/v2', '/inference', '/cohere'];

/** `rootPath` is stripped where a path begins with it; without it every route is there as well. */
export function createRoutes({ args, version, serving, generation, metrics, tasks }) {
  const complete = createCompletions({ args, serving, generation });
  const health = () => ({ status: generation.isDead ? 503 : 200, content: null });
  const table = {
    '/health': { GET: health },
    '/ping': { GET: health, POST: health },
    '/load': { GET: () => ({ status: 200, content: { server_load: 0 } }) },
    '/version': { GET: () => ({ status: 200, content: { version } }) },
    '/metrics': {
      GET: () => ({ status: 200, content: metrics.render(), type: 'text/plain; version=0.0.4; charset=utf-8' }),
    },
    '/v1/models': { GET: () => ({ status: 200, content: listModels(args) }) },
    ...(tasks.includes('generate')
      ? {
          '/v1/completions': { POST: (body, signal) => complete(body, { isChat: false, signal }) },
          '/v1/chat/completions': { POST: (body, signal) => complete(body, { isChat: true, signal }) },
        }
      : {}),
    ...(tasks.includes('embed') ? { '/v1/embeddings': { POST: (body) => embed(body, args) } } : {}),
    ...(tasks.includes('score')
      ? Object.fromEntries([
          ...['/score', '/v1/score'].map((path) => [path, { POST: (body) => score(body, args) }]),
          ...['/rerank', '/v1/rerank', '/v2/rerank'].map((path) => [path, { POST: (body) => rerank(body, args) }]),
        ])
      : {}),
  };

  /** `handler` is what the HTTP counters call it. */
  return async function route({ method, path, headers, body, signal }) {
    const own = withoutRoot(path, args.rootPath);
    const route = table[own];
    const answer = await answerOf({ route, own, method, headers, body, signal });
    return { ...answer, handler: route === undefined ? 'none' : own };
  };

  async function answerOf({ route, own, method, headers, body, signal }) {
    if (method !== 'OPTIONS' && guarded.some((prefix) => own.startsWith(prefix)) && !isAuthorised(headers, args.keys)) {
      return unauthorised;
    }
    if (route === undefined) return notFound;
    const handle = route[method];
    if (handle === undefined) return wrongMethod(Object.keys(route).join(', '));
    if (method !== 'POST' || own === '/ping') return handle();
    if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return wrongMediaType;
    const asked = parseObject(body);
    return asked === null ? notJson : handle(asked, signal);
  }
}

function withoutRoot(path, rootPath) {
  return rootPath !== '' && path.startsWith(`${rootPath}/`) ? path.slice(rootPath.length) : path;
}

function isAuthorised({ authorization = '' }, keys) {
  const [scheme = '', key] = authorization.split(' ');
  return keys.length === 0 || (scheme.toLowerCase() === 'bearer' && keys.includes(key));
}

function listModels(args) {
  const created = Math.floor(Date.now() / 1000);
  const entry = { object: 'model', created, owned_by: 'vllm', root: args.model, parent: null };
  return { object: 'list', data: args.names.map((id) => ({ id, ...entry, max_model_len: args.maxModelLen })) };
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
