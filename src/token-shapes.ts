/** Secrets that are told by their own shape: tokens that their issuers mark by how they begin, links that act for whoever has them, private keys. */

interface TokenShape {
  readonly issuer: string;
  /** How it begins, to the letter. */
  readonly starts: readonly string[];
  /** What follows, as a class of characters. */
  readonly body: string;
  /** So many characters of that are hidden wherever they are shown: a few more words are lost than tokens are missed. */
  readonly hidden: number;
  /** So many are surely a token, which vigil.yaml must not hold. */
  readonly sure: number;
  /** What else must stand behind the beginning, as a lookahead. */
  readonly but?: string;
}

const WORD = '[\\w-]';
const LETTERS = '[A-Za-z0-9]';

/**
 * From the issuers' documentation, else from tokens in public; to add one, add a row, and a sample in test/support/secrets.ts.
 */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  // `hf_quantizer` and the like are names in transformers: capitals, digits or twenty letters make a token.
  { issuer: 'Hugging Face', starts: ['hf_'], body: LETTERS, hidden: 8, sure: 16, but: '[a-z]{0,19}[A-Z0-9]|[a-z]{20}' },
  { issuer: 'Hugging Face', starts: ['api_org_'], body: LETTERS, hidden: 8, sure: 16 },
  // OpenAI (sk-proj-, sk-svcacct-, sk-admin-), Anthropic (sk-ant-), OpenRouter (sk-or-), and what people give to vLLM; `sk-ssh-ed25519@openssh.com`
  // is a kind of SSH key.
  { issuer: 'OpenAI', starts: ['sk-'], body: WORD, hidden: 8, sure: 16, but: '(?!ssh-ed25519|ecdsa-sha2)' },
  { issuer: 'OpenAI', starts: ['sess-'], body: LETTERS, hidden: 32, sure: 32 },
  // docs.slack.dev/authentication/tokens; a rotating one is xoxe.xoxb-, a browser's (xoxd-) is percent-encoded.
  {
    issuer: 'Slack',
    starts: [...'abcdeoprs'].flatMap((kind) => [`xox${kind}-`, `xoxe.xox${kind}-`]),
    body: '[\\w%+/-]',
    hidden: 8,
    sure: 8,
  },
  { issuer: 'Slack', starts: ['xapp-', 'xoxe.xapp-', 'xwfp-'], body: WORD, hidden: 8, sure: 8 },
  {
    issuer: 'Slack',
    starts: ['services', 'workflows', 'triggers', 'commands', 'actions', 'app', 'interactions'].flatMap((kind) => [
      `hooks.slack.com/${kind}/`,
      `hooks.slack-gov.com/${kind}/`,
    ]),
    body: '[\\w%/-]',
    hidden: 6,
    sure: 6,
  },
  // Of an App: ghs_APPID_JWT since 2026 (github.blog/changelog/2026-05-15).
  {
    issuer: 'GitHub',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    body: '[\\w.-]',
    hidden: 16,
    sure: 20,
  },
  { issuer: 'GitHub', starts: ['github_pat_'], body: '[\\w]', hidden: 16, sure: 20 },
  {
    issuer: 'GitLab',
    starts: ['pat', 'ptt', 'dt', 'rt', 'rtr', 'cbt', 'ft', 'soat', 'imt', 'agent', 'oas', 'ffct', 'wt'].map(
      (kind) => `gl${kind}-`,
    ),
    body: '[\\w.-]',
    hidden: 16,
    sure: 16,
  },
  // docs.aws.amazon.com/IAM, "Understanding unique ID prefixes".
  { issuer: 'AWS', starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: '[A-Z0-9]', hidden: 12, sure: 16 },
  { issuer: 'AWS', starts: ['ABSK'], body: '[A-Za-z0-9+/=]', hidden: 60, sure: 60 },
  { issuer: 'AWS', starts: ['bedrock-api-key-'], body: '[\\w+/=-]', hidden: 20, sure: 20 },
  { issuer: 'Google', starts: ['AIza'], body: WORD, hidden: 20, sure: 30 },
  { issuer: 'Google', starts: ['ya29.'], body: '[\\w.-]', hidden: 16, sure: 16 },
  { issuer: 'Google', starts: ['1//0'], body: WORD, hidden: 20, sure: 20 },
  { issuer: 'Google', starts: ['GOCSPX-'], body: WORD, hidden: 16, sure: 16 },
  { issuer: 'NVIDIA', starts: ['nvapi-'], body: WORD, hidden: 16, sure: 16 },
  { issuer: 'Weights & Biases', starts: ['wandb_v1_'], body: '[\\w]', hidden: 16, sure: 16 },
  { issuer: 'Weights & Biases', starts: ['local-'], body: '[0-9a-f]', hidden: 40, sure: 40 },
  { issuer: 'Groq', starts: ['gsk_'], body: LETTERS, hidden: 20, sure: 20 },
  { issuer: 'xAI', starts: ['xai-'], body: LETTERS, hidden: 20, sure: 20 },
  { issuer: 'Perplexity', starts: ['pplx-'], body: LETTERS, hidden: 32, sure: 32 },
  { issuer: 'Replicate', starts: ['r8_'], body: LETTERS, hidden: 32, sure: 32 },
  { issuer: 'Together', starts: ['tgp_v1_'], body: WORD, hidden: 20, sure: 20 },
  { issuer: 'RunPod', starts: ['rpa_'], body: LETTERS, hidden: 30, sure: 30 },
  { issuer: 'Databricks', starts: ['dapi'], body: '[0-9a-f]', hidden: 32, sure: 32 },
  { issuer: 'Docker', starts: ['dckr_pat_', 'dckr_oat_'], body: WORD, hidden: 16, sure: 16 },
  { issuer: 'npm', starts: ['npm_'], body: LETTERS, hidden: 36, sure: 36 },
  { issuer: 'PyPI', starts: ['pypi-'], body: WORD, hidden: 50, sure: 50 },
  { issuer: 'DigitalOcean', starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: '[0-9a-f]', hidden: 40, sure: 40 },
  { issuer: 'HashiCorp', starts: ['hvs.', 'hvb.', 'hvr.'], body: WORD, hidden: 20, sure: 20 },
  { issuer: 'Tailscale', starts: ['tskey-'], body: WORD, hidden: 16, sure: 16 },
  { issuer: 'age', starts: ['AGE-SECRET-KEY-1'], body: '[A-Z0-9]', hidden: 40, sure: 40 },
  {
    issuer: 'Discord',
    starts: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    body: '[\\w/-]',
    hidden: 20,
    sure: 20,
  },
  { issuer: 'Telegram', starts: ['api.telegram.org/bot'], body: '[\\w:-]', hidden: 20, sure: 20 },
  // RFC 7519: JSON in base64, so that it begins with `{"`.
  {
    issuer: 'JSON web token',
    starts: ['eyJ'],
    body: '[\\w.-]',
    hidden: 16,
    sure: 20,
    but: '[\\w-]{6,400}\\.[\\w-]{4}',
  },
];

/**
 * No letter or digit stands before a token, but where that belongs to an escape: `\n`, `\u003d`, `\x3d`, `%3D`, a colour's `[31m`.
 */
export const BEFORE =
  '(?<![A-Za-z0-9])|(?<=\\\\[abefnrtv]|\\\\u[0-9A-Fa-f]{4}|\\\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|[\\d[]m)';

/** Every token in a text, to be hidden. */
export const TOKENS = new RegExp(
  `(?:${BEFORE})(?:${TOKEN_SHAPES.map((shape) => written(shape, shape.hidden)).join('|')})`,
  'g',
);

/** Where one of them stands, a token may begin. */
export const TOKEN_STARTS: readonly string[] = TOKEN_SHAPES.flatMap(({ starts }) => starts);

const SURE = new RegExp(`(?:${BEFORE})(?:${TOKEN_SHAPES.map((shape) => written(shape, shape.sure)).join('|')})`);

/** The first line of a private key: PEM, OpenSSH, PGP, SSH2. */
export const KEY_BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;

/** Its last line. */
export const KEY_END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/;

/** Text that surely holds one of these secrets. */
export function holdsToken(text: string): boolean {
  return SURE.test(text) || KEY_BEGIN.test(text);
}

function written({ starts, body, but }: TokenShape, length: number): string {
  const start = starts.map(escaped).join('|');
  const more = but === undefined ? '' : `(?=${but})`;
  // An underscore may be rendered already (src/report/escape.ts).
  return `(?:${start})${more}${body.replace('\\w', '\\w\u02cd')}{${length},}`;
}

function escaped(text: string): string {
  return text.replace(/[.\\/+-]/g, '\\$&');
}
