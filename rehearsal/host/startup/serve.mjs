/** The API server's own start: tasks, routes, readiness. */

const routes = [
  ['/openapi.json', 'GET, HEAD'],
  ['/docs', 'GET, HEAD'],
  ['/health', 'GET'],
  ['/load', 'GET'],
  ['/ping', 'POST'],
  ['/ping', 'GET'],
  ['/tokenize', 'POST'],
  ['/detokenize', 'POST'],
  ['/v1/models', 'GET'],
  ['/version', 'GET'],
  ['/v1/responses', 'POST'],
  ['/v1/chat/completions', 'POST'],
  ['/v1/completions', 'POST'],
  ['/pooling', 'POST'],
  ['/score', 'POST'],
  ['/invocations', 'POST'],
  ['/metrics', 'GET'],
];

export async function serve(server) {
  const { api, args, pace } = server;
  await pace.wait(1);
  const tasks = server.tasks.map((task) => `'${task}'`).join(', ');
  api.info('api_server.py:598', `Supported tasks: [${tasks}]`);
  if (server.tasks.includes('generate')) await describeGeneration(server);
  await pace.work(4);
  api.info('api_server.py:602', `Starting vLLM server on ${addressOf(args)}`);
  api.info('launcher.py:37', 'Available routes are:');
  for (const [path, methods] of routes) api.info('launcher.py:46', `Route: ${path}, Methods: ${methods}`);
  api.uvicorn(`Started server process [${api.pid}]`);
  api.uvicorn('Waiting for application startup.');
  await pace.wait(0.2);
  await server.checkPort();
  // Logged just before listening begins.
  api.uvicorn('Application startup complete.');
  await server.listen();
}

function addressOf({ host, port, uds, tls }) {
  return uds === null ? `http${tls === null ? '' : 's'}://${host ?? '0.0.0.0'}:${port}` : `unix:${uds}`;
}

async function describeGeneration({ api, pace, serving }) {
  api.warning(
    'model.py:1449',
    "Default vLLM sampling parameters have been overridden by the model's `generation_config.json`: `{'temperature': 1.0, 'top_k': 20, 'top_p': 0.95}`. If this is not intended, please relaunch vLLM instance with `--generation-config vllm`.",
  );
  await pace.wait(2);
  if (!serving.hasTemplate) return;
  api.info(
    'hf.py:314',
    "Detected the chat template content format to be 'openai'. You can set `--chat-template-content-format` to override this.",
  );
}
