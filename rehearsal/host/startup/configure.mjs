/** From the first line to the engine core's: version, arguments, architectures of target and drafter. */

/** `onFirst` is called when the model's own files are wanted first. */
export async function configure(server, { onFirst = () => undefined } = {}) {
  const { api, args, pace } = server;
  await server.claimPort();
  await pace.wait(0.5);
  logLogo(api, { model: args.model, version: server.version });
  api.info('utils.py:233', `non-default args: ${args.nonDefault}`);
  onFirst(server);
  await pace.wait(4);
  api.info('model.py:555', 'Resolved architecture: Qwen3_5ForConditionalGeneration');
  api.info('model.py:1685', `Using max model len ${args.maxModelLen}`);
  if (args.drafter !== null) {
    await pace.wait(3);
    api.info('model.py:555', 'Resolved architecture: DFlashDraftModel');
    api.info('model.py:1685', 'Using max model len 40960');
    api.warning('speculative.py:571', `Overriding draft model max model len from 40960 to ${args.maxModelLen}`);
  }
  api.info('scheduler.py:239', `Chunked prefill is enabled with max_num_batched_tokens=${args.batchedTokens}.`);
  api.info('vllm.py:844', 'Asynchronous scheduling is enabled.');
  await pace.wait(1);
  if (args.isHeadless) {
    api.info(
      'serve.py:201',
      `Launching ${args.replicas} data parallel engine(s) in headless mode, with head node address tcp://127.0.0.1:29550.`,
    );
  }
  server.startCore();
  await pace.work(10);
  logEngine(server);
}

function logLogo(api, { model, version }) {
  api.info(
    'utils.py:299',
    [
      '',
      '       █     █     █▄   ▄█',
      ` ▄▄ ▄█ █     █     █ ▀▄▀ █  version ${version}`,
      `  █▄█▀ █     █     █     █  model   ${model}`,
      '   ▀▀  ▀▀▀▀▀ ▀▀▀▀▀ ▀     ▀',
      '',
    ].join('\n'),
  );
}

function logEngine({ core, args, version }) {
  const drafter = args.speculative;
  const speculative =
    drafter === null
      ? 'None'
      : `SpeculativeConfig(method='${drafter.method}', model=${drafter.model === undefined ? 'None' : `'${drafter.model}'`}, num_spec_tokens=${drafter.num_speculative_tokens})`;
  core.info(
    'core.py:109',
    `Initializing a V1 LLM engine (v${version}) with config: model='${args.model}', speculative_config=${speculative}, ` +
      `tokenizer='${args.model}', skip_tokenizer_init=False, tokenizer_mode=auto, revision=None, tokenizer_revision=None, ` +
      `trust_remote_code=True, dtype=torch.bfloat16, max_seq_len=${args.maxModelLen}, download_dir=None, load_format=auto, ` +
      `tensor_parallel_size=${args.ranks}, pipeline_parallel_size=1, data_parallel_size=${args.replicas}, disable_custom_all_reduce=False, ` +
      `quantization=None, enforce_eager=False, kv_cache_dtype=auto, device_config=cuda, seed=0, served_model_name=${args.names[0]}, ` +
      "enable_prefix_caching=False, enable_chunked_prefill=True, pooler_config=None, compilation_config={'mode': 3, 'backend': 'inductor'}",
  );
}
