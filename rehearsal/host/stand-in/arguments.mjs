/** `vllm serve`'s command line: just enough of argparse to fail on what the real one fails on. */

const switches = new Set([
  'async-scheduling',
  'disable-custom-all-reduce',
  'disable-log-stats',
  'disable-uvicorn-access-log',
  'enable-auto-tool-choice',
  'enable-chunked-prefill',
  'enable-expert-parallel',
  'enable-prefix-caching',
  'enable-server-load-tracking',
  'enforce-eager',
  'headless',
  'language-model-only',
  'trust-remote-code',
]);
const lists = new Set(['served-model-name', 'api-key']);
const json = {
  'speculative-config': '--speculative-config/-sc',
  'compilation-config': '--compilation-config/-cc',
  'kv-transfer-config': '--kv-transfer-config',
  'hf-overrides': '--hf-overrides',
  'limit-mm-per-prompt': '--limit-mm-per-prompt',
  'override-generation-config': '--override-generation-config',
};
const short = {
  '-tp': 'tensor-parallel-size',
  '-sc': 'speculative-config',
  '-pp': 'pipeline-parallel-size',
  '-dp': 'data-parallel-size',
};
const integers = [
  'port',
  'tensor-parallel-size',
  'data-parallel-size',
  'max-model-len',
  'max-num-batched-tokens',
  'max-num-seqs',
  'ssl-cert-reqs',
];

const usage = `usage: vllm serve [-h] [--headless] [--config CONFIG] [--host HOST] [--port PORT]
                  [--uds UDS] [--api-key API_KEY] [--model MODEL]
                  [--served-model-name SERVED_MODEL_NAME]
                  [--tensor-parallel-size TENSOR_PARALLEL_SIZE]
                  [--max-model-len MAX_MODEL_LEN]
                  [--max-num-batched-tokens MAX_NUM_BATCHED_TOKENS]
                  [--speculative-config SPECULATIVE_CONFIG]
                  [model_tag]`;

/** The command line can't be read; the message is what goes to standard error, the exit code is 2. */
export class UsageError extends Error {
  constructor(message) {
    super(`${usage}\nvllm serve: error: ${message}`);
    this.name = 'UsageError';
  }
}

/** `--version` or `serve`; throws UsageError. `flags` keeps the flags as typed, in order, JSON values parsed. */
export function parseCommand(argv) {
  if (argv[0] === '--version' || argv[0] === '-v') return { kind: 'version' };
  if (argv[0] !== 'serve')
    throw new UsageError(`argument subparser: invalid choice: '${argv[0] ?? ''}' (choose from serve)`);
  const { flags, words } = split(argv.slice(1));
  const [model, ...rest] = words;
  if (rest.length > 0) throw new UsageError(`unrecognized arguments: ${rest.join(' ')}`);
  const name = model ?? flags.get('model') ?? 'Qwen/Qwen3-0.6B';
  const port = flags.get('port') ?? 8000;
  return {
    kind: 'serve',
    args: {
      model: name,
      host: flags.get('host') ?? null,
      port,
      ranks: flags.get('tensor-parallel-size') ?? 1,
      replicas: flags.get('data-parallel-size') ?? 1,
      maxModelLen: flags.get('max-model-len') ?? 32768,
      batchedTokens: flags.get('max-num-batched-tokens') ?? 8192,
      utilization: Number(flags.get('gpu-memory-utilization') ?? 0.9),
      mostAtOnce: flags.get('max-num-seqs') ?? 256,
      names: flags.get('served-model-name') ?? [name],
      keys: flags.get('api-key') ?? (process.env.VLLM_API_KEY ? [process.env.VLLM_API_KEY] : []),
      speculative: flags.get('speculative-config') ?? null,
      drafter: drafterOf(flags.get('speculative-config') ?? null),
      connector: flags.get('kv-transfer-config') ?? null,
      rootPath: (flags.get('root-path') ?? '').replace(/\/$/, ''),
      uds: flags.get('uds') ?? null,
      tls: tlsOf(flags),
      tasks: tasksOf(flags),
      hasReasoning: flags.has('reasoning-parser'),
      hasStats: !flags.has('disable-log-stats'),
      hasAccessLog: !flags.has('disable-uvicorn-access-log'),
      isHeadless: flags.has('headless'),
      nonDefault: describe(name, model !== undefined, flags),
    },
  };
}

/** null where it serves plain HTTP. `--ssl-cert-reqs 2`: clients need a certificate of their own. */
function tlsOf(flags) {
  const certFile = flags.get('ssl-certfile');
  if (certFile === undefined) return null;
  return {
    certFile,
    keyFile: flags.get('ssl-keyfile') ?? null,
    caFile: flags.get('ssl-ca-certs') ?? null,
    wantsCertificate: flags.get('ssl-cert-reqs') === 2,
  };
}

/** As `Supported tasks` lists them. */
function tasksOf(flags) {
  const task = flags.get('task') ?? flags.get('convert');
  if (task === 'score' || task === 'classify') return ['classify', 'score', 'token_classify'];
  const isPooling = flags.get('runner') === 'pooling' || ['embed', 'embedding'].includes(task);
  return isPooling ? ['token_embed', 'embed'] : ['generate'];
}

/** A server that gives out hidden states for a training has a speculative config, and drafts nothing. */
function drafterOf(speculative) {
  return speculative?.method === 'extract_hidden_states' ? null : speculative;
}

function split(words) {
  const flags = new Map();
  const positional = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!isFlag(word)) {
      positional.push(word);
      continue;
    }
    const [written, inline] = word.startsWith('--') ? cut(word, '=') : [word, undefined];
    const name = short[written] ?? written.replace(/^--/, '').replaceAll('_', '-');
    if (inline === undefined && (switches.has(name) || name.startsWith('no-'))) {
      flags.set(name, true);
      continue;
    }
    const values = inline === undefined ? [] : [inline];
    while (inline === undefined && at + 1 < words.length && !isFlag(words[at + 1])) {
      at += 1;
      values.push(words[at]);
      if (!lists.has(name)) break;
    }
    if (values.length === 0 && (name in json || integers.includes(name))) {
      throw new UsageError(`argument ${json[name] ?? `--${name}`}: expected one argument`);
    }
    flags.set(name, lists.has(name) ? values : readValue(name, values[0] ?? true));
  }
  return { flags, words: positional };
}

function isFlag(word) {
  return /^-{1,2}[A-Za-z]/.test(word);
}

function cut(word, at) {
  const index = word.indexOf(at);
  return index === -1 ? [word, undefined] : [word.slice(0, index), word.slice(index + 1)];
}

function readValue(name, value) {
  if (name in json) {
    try {
      return JSON.parse(value);
    } catch {
      throw new UsageError(
        `argument ${json[name]}: Value ${value} cannot be converted to <function loads at 0x7f3c1e8d05a0>.`,
      );
    }
  }
  if (!integers.includes(name)) return value;
  if (!/^-?\d+$/.test(value)) throw new UsageError(`argument --${name}: invalid int value: '${value}'`);
  return Number(value);
}

/** The `non-default args` of the log: a Python dictionary of every flag, the key in clear as vLLM prints it. */
function describe(model, isPositional, flags) {
  const entries = isPositional ? [['model_tag', model]] : [];
  for (const [name, value] of flags) if (name !== 'model') entries.push([name.replaceAll('-', '_'), value]);
  entries.push(['model', model]);
  return python(Object.fromEntries(entries));
}

function python(value) {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `'${key}': ${python(item)}`)
      .join(', ')}}`;
  }
  if (typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(value)) return String(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
