/** One secret of every shape that must never be seen, each in a text as it is met. All are made up. */

export interface Sample {
  readonly shape: string;
  /** What must not be seen; of several parts none. */
  readonly secret: string;
  /** The text it stands in, one line. */
  readonly line: string;
}

const A = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
const HEX = '0123456789abcdef0123456789abcdef01234567';
const LONG = `${A}${A}`;

/** Told by their own shape: any line may hold them. */
const TOKENS: Readonly<Record<string, string>> = {
  'Hugging Face': `hf_${A.slice(0, 34)}`,
  'Hugging Face, organisation': `api_org_${A.slice(0, 34)}`,
  'OpenAI, old': `sk-${A}T3BlbkFJ${A}`,
  'OpenAI, project': `sk-proj-${A}_-${A}`,
  'OpenAI, service account': `sk-svcacct-${A}`,
  'OpenAI, session': `sess-${A}${A.slice(0, 4)}`,
  Anthropic: `sk-ant-api03-${A}-_${A}AA`,
  'Slack, bot': 'xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx',
  'Slack, person': 'xoxp-123456789012-1234567890123-1234567890123-abcdef0123456789abcdef',
  'Slack, old app': 'xoxa-2-123456789012-1234567890123-abcdef',
  'Slack, legacy': 'xoxs-123456789012-1234567890123-abcdef',
  'Slack, browser': 'xoxd-AbCd%2BEfGh%2FIjKl%3D%3D',
  'Slack, rotating': `xoxe.xoxb-1-${A}${A}`,
  'Slack, refresh': `xoxe-1-${A}${A}`,
  'Slack, app': `xapp-1-A0123456789-1234567890123-${HEX}`,
  'Slack, workflow': `xwfp-${A}`,
  'GitHub, person': `ghp_${A}`,
  'GitHub, OAuth': `gho_${A}`,
  'GitHub, user': `ghu_${A}`,
  'GitHub, server': `ghs_${A}`,
  'GitHub, stateless server': `ghs_123456_eyJhbGciOiJSUzI1NiJ9.${A}.${A}-_x`,
  'GitHub, refresh': `ghr_${A}${A}`,
  'GitHub, fine-grained': `github_pat_11${A.slice(0, 20)}_${A}${A.slice(0, 23)}`,
  GitLab: 'glpat-AbCdEfGhIjKlMnOpQrSt',
  'GitLab, routable': 'glpat-AbCdEfGhIjKlMnOpQrStUvWxYz0.01.1a2b3c4d5',
  'AWS, key id': 'AKIAIOSFODNN7EXAMPLE',
  'AWS, temporary key id': 'ASIAIOSFODNN7EXAMPLE',
  'Google, API key': `AIza${A.slice(0, 35)}`,
  'Google, access token': `ya29.a0${A}-_${A}`,
  'Google, refresh token': `1//0${A}-_x`,
  'Google, client secret': `GOCSPX-${A.slice(0, 28)}`,
  NVIDIA: `nvapi-${A}-_${A.slice(0, 20)}`,
  'Weights & Biases': `wandb_v1_${A.slice(0, 26)}_${A}${A.slice(0, 12)}`,
  'JSON web token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${A}-_x`,
};

/** Told by what stands before them. */
const NAMED: readonly Sample[] = [
  named('an argument', 'Pr1vate-value', (s) => `+ exec vllm serve /m --api-key ${s} --port 8000`),
  named('an argument with =', 'Pr1vate-value', (s) => `vllm serve /m --api-key=${s} --port 8000`),
  named('an argument with underscores', 'Pr1vate-value', (s) => `vllm serve /m --hf_token ${s} --port 8000`),
  named('an argument in quotes', 'Pr1vate value', (s) => `vllm serve /m --api-key '${s}' --port 8000`),
  named(
    'an argument in a list',
    'Pr1vate-value',
    (s) => `cmd=['vllm', 'serve', '--api-key', '${s}', '--port', '8000']`,
  ),
  named('vLLM’s own arguments', 'Pr1vate]value', (s) => `non-default args: {'api_key': ['${s}'], 'port': 8000}`),
  named(
    'a second key of vLLM’s',
    'Pr1vate-value',
    (s) => `non-default args: {'api_key': ['sk-x', '${s}'], 'port': 8000}`,
  ),
  named('a keyword argument', 'Pr1vate"value', (s) => `args: Namespace(api_key='${s}', port=8000)`),
  named('a call', 'Pr1vate-value', (s) => `Settings(api_key=SecretStr('${s}'), port=8000)`),
  named('JSON', 'Pr1vate\\"value', (s) => `{"hf_token": "${s}", "port": 8000}`),
  named('JSON in JSON', 'Pr1vate-value', (s) => `{"message": "{\\"apiKey\\": \\"${s}\\"}"}`),
  named('camel case', 'Pr1vate-value', (s) => `{"clientSecret": "${s}", "a": 1}`),
  named('YAML', 'Pr1vate-value', (s) => `  openai_api_key: ${s}`),
  named('a variable', 'Pr1v,ate;value&', (s) => `declare -x MY_SERVICE_TOKEN=${s}`),
  named('a password of letters', 'mysecret', (s) => `connecting with password=${s} to it`),
  named('a key of capitals', 'TEAMSECRET', (s) => `vllm serve /m --api-key ${s}`),
  named('a short value', 'swordfish', (s) => `{"db_password": "${s}"}`),
  named('a password', 'Pr1vate-value', (s) => `DB_PASSWORD=${s} vllm serve`),
  named('AWS, secret key', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', (s) => `aws_secret_access_key = ${s}`),
  named('AWS, secret key as JSON', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', (s) => `{"SecretAccessKey" : "${s}"}`),
  named('AWS, session token', `FwoGZXIvYXdzE${LONG}`, (s) => `AWS_SESSION_TOKEN=${s}`),
  named(
    'Azure, account key',
    `${LONG}==`,
    (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s};Suffix=b`,
  ),
  named(
    'Azure, shared access',
    'AbCd%2BEfGh%3D',
    (s) => `GET https://a.blob.core.windows.net/c/m?sv=2024-01-01&sig=${s}&se=2026`,
  ),
  named('Google, key id', HEX, (s) => `{"type": "service_account", "private_key_id": "${s}"}`),
  named('W&B, key of 40 digits', HEX, (s) => `export WANDB_API_KEY=${s}`),
  named('W&B, log-in', HEX, (s) => `+ wandb login --relogin ${s}`),
  named('.netrc', HEX, (s) => `machine api.wandb.ai login user password ${s}`),
  named('sshpass', 'Pr1vate-value', (s) => `+ sshpass -p ${s} ssh root@10.0.0.1`),
  named('curl’s user', 'Pr1vate-value', (s) => `+ curl -s -u bob:${s} https://models.internal/x`),
  named('a bearer', 'Pr1vate-value', (s) => `> Authorization: Bearer ${s}`),
  named('a bearer by itself', 'Pr1vate-value', (s) => `sent Bearer ${s} to the server`),
  named(
    'a bearer in a dictionary',
    'Pr1vate-value',
    (s) => `headers={'Authorization': 'Bearer ${s}', 'Accept': '*/*'}`,
  ),
  named('basic', btoa('bob:Pr1vate-value'), (s) => `> authorization: Basic ${s}`),
  named('a token scheme', HEX, (s) => `Authorization: token ${s}`),
  named(
    'AWS’s signature',
    HEX,
    (s) => `Authorization: AWS4-HMAC-SHA256 Credential=A/b, SignedHeaders=host, Signature=${s}`,
  ),
  named('a key header', 'Pr1vate-value', (s) => `X-Api-Key: ${s}`),
  named('a vault header', 'Pr1vate-value', (s) => `X-Vault-Token: ${s}`),
  named('a cookie', 'Pr1vate-value', (s) => `Set-Cookie: session=${s}; Path=/; HttpOnly`),
  named('a URL', 'Pr1vate-value', (s) => `pulling from https://bob:${s}@models.internal/x.git`),
  named('a URL with an odd password', 'p@ss:wo', (s) => `connecting to postgresql://bob:${s}@db.internal/x`),
  named('a URL, encoded', 'Pr1%40vate%2Fvalue', (s) => `proxy http://bob:${s}@proxy.internal:3128`),
  named('a URL of Redis', 'Pr1vate-value', (s) => `redis://:${s}@10.0.0.1:6379/0`),
  named('a URL’s token', 'Pr1vate-value', (s) => `git clone https://${s}@git.internal/x.git`),
  named('a URL in JSON', 'Pr1vate-value', (s) => `{"proxy": "http:\\/\\/bob:${s}@proxy.internal"}`),
  named('a URL in a URL', 'Pr1vate-value', (s) => `GET /go?to=https%3A%2F%2Fbob%3A${s}%40models.internal`),
  named('a query', 'Pr1vate-value', (s) => `GET https://models.internal/x?revision=main&access_token=${s}&n=1`),
  named('a signed query', HEX, (s) => `https://b.s3.amazonaws.com/m?X-Amz-Date=1&X-Amz-Signature=${s}&x-id=GetObject`),
  named('a webhook of Slack’s', 'T000/B000/AbCdEfGhIjKl', (s) => `POST https://hooks.slack.com/services/${s}`),
  named('a response_url', 'T000/123/AbCdEfGhIjKl', (s) => `{"response_url": "https://hooks.slack.com/commands/${s}"}`),
  named('a webhook of Discord’s', `123456789/${A}`, (s) => `POST https://discord.com/api/webhooks/${s}`),
];

/** Of every shape that stands in one line. */
export const SAMPLES: readonly Sample[] = [
  ...Object.entries(TOKENS).map(([shape, secret]) => ({ shape, secret, line: `loaded with ${secret} from disk` })),
  ...NAMED,
];

/** A private key of several lines, as openssl writes it: 64 characters a line, the last one shorter. */
export const KEY_LINES: readonly string[] = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
  'NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ',
  'qgtzJ6GR3eqoYSW9b9UMvkBpZODSctWSNGj3P7jRFDO5VoTwCQAWbFnOjDfH5Ulg',
  'p2PKSQnSJP3AJLQN=',
  '-----END PRIVATE KEY-----',
];
/** What of it must not be seen. */
export const KEY_BODY: readonly string[] = KEY_LINES.slice(1, -1);

/** Lines that hold no secret, though their words are near to it. */
export const INNOCENT: readonly string[] = [
  'python -m deepspeed.launcher.launch --world_info=eyJsb2NhbGhvc3QiOiBbMCwgMSwgMiwgM119 --master_addr=127.0.0.1',
  'Using client callable to create basic optimizer; DeepSpeed Basic Optimizer = FusedAdam',
  '    output = hf_processor(**data, **allowed_kwargs)',
  "Error while downloading: HTTPSConnectionPool(host='cdn-lfs.hf.co', port=443): Max retries exceeded with url: /x?Expires=1",
  "api_key=None, max_num_batched_tokens=8192, tokenizer='/models/Qwen3', eos_token='<|im_end|>', pad_token: '<pad>'",
  'usage: vllm serve [--api-key API_KEY [API_KEY ...]] [--hf-token HF_TOKEN]',
  'Processed 12 tokens: 5 keys, token usage: 0.00, cache_key=abc, 1234.5 tokens/s',
  'INFO 05-19 13:02:44 [a.py:1] distributed_init_method=tcp://127.0.0.1:41265 backend=nccl',
  "Loaded tokenizer 'Qwen/Qwen3-8B' revision 0123456789abcdef0123456789abcdef01234567",
  `${HEX}0123456789abcdef01234567  model-00001-of-00002.safetensors`,
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'git+https://github.com/vllm-project/vllm@main and ssh://git@github.com/x/y.git at http://[::1]:8000/v1',
  'json.decoder.JSONDecodeError: Unexpected token \'<\', "<html>" is not valid JSON',
  '    api_key = os.environ.get("VLLM_API_KEY")',
  '    client = OpenAI(api_key=api_key, base_url=self.url)',
  '    token=token, max_new_tokens=max_new_tokens, token_ids=[1, 2, 3]',
  'ValueError: bearer token expected, basic authentication is not supported',
  'The hf_quantizer and convert_hf_checkpoint found no hf_config in task-specific-adapters',
  'special tokens: bos_token_id=151643, eos_token_id=151645, image_token=151655',
  'credentials file GOOGLE_APPLICATION_CREDENTIALS=/root/key.json was read; ssl_keyfile=/etc/tls/key.pem',
  'TypeError: forward() got signature (input_ids, positions), expected signature: (hidden_states)',
  'authorization: required; a Cookie banner; the secret of speed',
  'GET /v1/completions?stream=true HTTP/1.1" 200 OK',
  '/data/hub/models--Qwen--Qwen3-8B/snapshots/9c925d64d72725edaf899c6cb9c377fd0709d9c5/model.safetensors',
  'export HF_TOKEN=$HF_TOKEN; curl -H "Authorization: Bearer $VLLM_API_KEY" http://127.0.0.1:8000/health',
  'NCCL WARN key not found, RuntimeError: KeyError: model.layers.0.self_attn.k_proj.weight',
];

function named(shape: string, secret: string, line: (secret: string) => string): Sample {
  return { shape, secret, line: line(secret) };
}
