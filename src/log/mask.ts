/** Hides secrets before any rule, person or store sees a line: known token shapes, key = value pairs, and the run's own values. */

import type { Mask } from './lines.ts';

const MASKED = '[masked]';

/** A shorter value would black out ordinary words. */
const SHORTEST_SECRET = 4;

/** A piece that matches none of this holds nothing that the patterns below could find. */
const SUSPICIOUS =
  /hf_|api_org_|sk-|xox|xapp-|gh[pousr]_|github_pat_|glpat-|nvapi-|A[KS]IA|AIza|eyJ|bearer|basic |:\/\/|key|token|secret|passw|credential|signature|auth|PRIVATE/i;

const TOKENS =
  /\b(?:(?:hf|api_org)_[A-Za-z0-9]{8,}|sk-[\w-]{8,}|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|nvapi-[\w-]{16,}|A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{20,}|(?<!-)eyJ[\w-]{8,}\.[\w-]{8,}\.?[\w-]*)/g;

const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi;
/** `https://user:password@host`: the password; `https://token@host`: all before the @. */
const URL_USER = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)(?:([^\s/:@'"]*):)?([^\s/@'"]+)@/gi;

/** Names are matched from their last part on, so that `my_api_key` is one too; `eos_token` and `max_tokens` are none. */
const KEY =
  '(?:(?<![a-z0-9])(?:api[_-]?keys?|passwords?|passwd|secrets?(?:[_-]?access)?(?:[_-]?key)?|access[_-]?key(?:[_-]?id)?|private[_-]?key|credentials?|signature|authorization|(?:hf|hub|huggingface|auth|access|bearer|api|refresh|session|security|slack|github|gitlab|wandb|bot|app|user)[_-](?:hub[_-])?token)|(?<![a-z0-9_-])token)';
/** `'api_key': 'x'`, `api_key=['x', 'y']`, `HF_TOKEN=x`, `"--api-key", "x"`, `--api-key x`. Closing marks may lie behind the cut. */
const LISTED = new RegExp(`(${KEY}["']?\\s*[:=]\\s*)[[(][^\\])]*[\\])]?`, 'gi');
const QUOTED = new RegExp(`(${KEY}["']?\\s*(?:[:=,]\\s*|\\s))(["'])(?:(?!\\2).)*(?:\\2|$)`, 'gi');
const BARE = new RegExp(`(${KEY}["']?\\s*[:=]\\s*)([^\\s'"[({,;&)\\]}]+)`, 'gi');
const FLAGGED =
  /(--(?:[\w-]{1,40}-)?(?:api[_-]?key|token|password|secret)[= ]+)([^\s'"-][^\s'"]*(?: [^\s'"-][^\s'"]*)*)/gi;

/** Values that say that there is no secret, and what `--help` prints in its place. */
const HARMLESS = /^(?:None|null|True|False|\d{1,6}(?:\.\d+)?|\[masked\]|API_KEY\b.*|HF_TOKEN\b.*|[A-Z_]*TOKEN)$/;

/** The mask for a run whose own secret values are `secrets` (several lines of one are hidden one by one). */
export function createMask(secrets: readonly string[]): Mask {
  const own = ownValues(secrets);
  return (text) => {
    let masked = text;
    for (const value of own) if (masked.includes(value)) masked = masked.replaceAll(value, MASKED);
    return SUSPICIOUS.test(masked) ? maskShapes(masked) : masked;
  };
}

/** The longest text that could be one secret: what the cutter must look at beyond a line's end. */
export function longestSecret(secrets: readonly string[]): number {
  return ownValues(secrets).reduce((longest, value) => Math.max(longest, value.length), 0);
}

function maskShapes(text: string): string {
  return text
    .replace(URL_USER, (_, scheme: string, user: string | undefined) =>
      user === undefined ? `${scheme}${MASKED}@` : `${scheme}${user}:${MASKED}@`,
    )
    .replace(BEARER, `$1 ${MASKED}`)
    .replace(LISTED, `$1[${MASKED}]`)
    .replace(QUOTED, `$1$2${MASKED}$2`)
    .replace(BARE, (all, key: string, value: string) => (HARMLESS.test(value) ? all : `${key}${MASKED}`))
    .replace(FLAGGED, (all, flag: string, value: string) => (HARMLESS.test(value) ? all : `${flag}${MASKED}`))
    .replace(TOKENS, MASKED);
}

/** Longest first: a value may be part of another. As printed, and as Python, JSON and URLs write them. */
function ownValues(secrets: readonly string[]): string[] {
  const values = new Set<string>();
  for (const secret of secrets) {
    for (const line of secret.split(/\r?\n/)) {
      const value = line.trim();
      if (value.length < SHORTEST_SECRET) continue;
      for (const written of [value, JSON.stringify(value).slice(1, -1), value.replaceAll("'", "\\'"), encoded(value)]) {
        values.add(written);
      }
    }
  }
  return [...values].sort((a, b) => b.length - a.length);
}

function encoded(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? encodeURIComponent(value) : value;
}
