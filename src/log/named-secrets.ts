/** Secrets that are told by the name or the flag before them. */

import { hideValue, isHarmless } from './harmless-values.ts';

const MASKED = '[masked]';

/** Names of which the value is a secret, from their last part on: `my_api_key` is one; `eos_token`, `max_tokens` and `cache_key` are none. */
const TOKEN_OF =
  '(?:access|admin|api|app|auth|aws|bearer|bot|ci|client|csrf|db|deploy|device|docker|gh|github|gitlab|hf|hub|huggingface|id|identity|jwt|job|login|ngc|npm|nvidia|oauth|personal|private|push|read|refresh|registry|runner|security|service|session|slack|upload|user|vault|verification|wandb|web|write|xsrf)';
const OWNER =
  '(?:admin|aws|azure|client|db|gcp|hf|minio|my|mysql|openai|postgres|redis|s3|service|shared|the|user|vllm|wandb)';
const PART = `(?:${OWNER}[_-]?)?(?:api[_-]?keys?|pass(?:words?|wd|phrase)|pgpassword|secrets?(?:[_-]?access)?(?:[_-]?keys?)?|(?:access|account|encryption|license|master|private|shared[_-]?access|signing|storage|subscription)[_-]?keys?(?:[_-]?id)?|credentials?|signing[_-]?secret|${TOKEN_OF}[_-]?(?:hub[_-]?|access[_-]?)?token)`;
/** What stands in vigil.yaml for a secret is none: `{secret: NAME}`. */
const NAME = `(?<![a-z0-9])(?!(?<=\\{)secret: \\w{1,80}\\})${PART}`;

/** Names and flags may stand in quotes, also in those of a JSON text within another. */
const QUOTE = `\\\\{0,4}["']?`;
const IS = `${QUOTE}\\s{0,8}[:=]\\s{0,8}`;
/** Python's bytes and calls: \`b'x'\`, \`SecretStr('x')\`. */
const WRAPPED = '(?:[A-Za-z_.]{1,40}\\(|[bBrRuUfF]{1,2}(?=["\']))?';
/** To its end, or where the line was cut off: what stands behind our ellipsis is another text. */
const DOUBLE = '"(?:[^"\\\\…]|\\\\[\\s\\S])*"?';
const SINGLE = "'(?:[^'\\\\…]|\\\\[\\s\\S])*'?";

const LISTED = new RegExp(
  `(${NAME}${IS})(?!\\[masked\\]|\\(a secret\\)|\\{secret: \\w{1,80}\\})[[({](?:[^\\])}"']|${DOUBLE}|${SINGLE})*[\\])}]?`,
  'gi',
);
const QUOTED = new RegExp(`(${NAME}${IS}${WRAPPED})(?:${DOUBLE}|${SINGLE})`, 'gi');
const NESTED = new RegExp(`(${NAME}${IS}\\\\{1,4}["'])([^"'\\\\]+)`, 'gi');
const BARE = new RegExp(`(${NAME}${IS})([^\\s'"\\\\[({,;&)\\]}]+)`, 'gi');
/** `token` by itself names other things, too: what is long and of one piece is a secret. */
const TOKEN = new RegExp(`((?<![a-z0-9_-])token${IS}\\\\{0,4}["']?)([^\\s'"\\\\[({,;&)\\]}]{8,})`, 'gi');
/** What a shell or a service file sets: its value goes to the next blank. */
const VARIABLE =
  /(\b[A-Z][A-Z0-9_]*(?:API_?KEYS?|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY)=)([^\s'"\\(][^\s'"\\]*)/g;

/** Flags: all of their values, since \`--api-key\` takes several. */
const FLAG =
  '--(?!(?:bos|cls|end|eos|first|image|last|mask|max|min|next|num|pad|sep|special|start|stop|unk)[_-])(?:[\\w-]{1,40}[_-])?(?:api[_-]?key|token|password|passwd|passphrase|secret(?:[_-]?(?:access[_-]?)?key)?|access[_-]?key)';
const FLAGGED = new RegExp(`(${FLAG}[= ]{1,8})([^\\s'"\`(<[-][^\\s'"\`]*(?: [^\\s'"\`-][^\\s'"\`]*)*)`, 'gi');
const FLAG_QUOTED = new RegExp(`(${FLAG}${QUOTE}\\s{0,8}[=, ]\\s{0,8})(?:${DOUBLE}|${SINGLE})`, 'gi');

/** Whoever logs in at a command line or in .netrc. */
const LOGIN =
  /(\bsshpass\s{1,4}-p\s{0,4}|\bwandb\s{1,4}login\s{1,4}(?:--[\w-]{1,40}\s{1,4})?|\blogin\s{1,4}\S{1,200}\s{1,4}password\s{1,4})([^\s'"-][^\s'"]*)/gi;
const CURL_USER = /(\b(?:curl|wget)\s(?:[^\n|;]{0,400}?\s)?(?:-u|--user)[= ]{1,4}['"]?[^\s:'"]{1,100}:)([^\s'"]+)/gi;

/** A text without these holds nothing that is hidden here. */
export const NAME_SIGNS: readonly string[] = ['credential', 'key', 'passphrase', 'passw', 'secret', 'token'];
export const LOGIN_SIGNS: readonly string[] = ['curl', 'login', 'sshpass', 'wget'];

/** The text of one line without the values that names give away. What is hidden once stays as it is. */
export function hideNamed(text: string): string {
  return text
    .replace(LISTED, `$1${MASKED}`)
    .replace(QUOTED, hideQuoted)
    .replace(NESTED, hideValue)
    .replace(VARIABLE, hideValue)
    .replace(BARE, hideBare)
    .replace(TOKEN, hideBare)
    .replace(FLAG_QUOTED, hideQuoted)
    .replace(FLAGGED, hideValue);
}

/** The text of one line without what somebody logs in with. */
export function hideLogins(text: string): string {
  return text.replace(LOGIN, hideValue).replace(CURL_USER, hideValue);
}

/** In a line of code `api_key=api_key` hands a variable on, and a call says where the value comes from. */
function hideBare(all: string, before: string, value: string, at: number, text: string): string {
  const name = before.match(/[\w-]+/g)?.at(-1) ?? '';
  const isCode = name === value || name.endsWith(`_${value}`) || text.charAt(at + all.length) === '(';
  return isCode && /^[A-Za-z_][\w.]*$/.test(value) ? all : hideValue(all, before, value);
}

function hideQuoted(all: string, before: string): string {
  const quoted = all.slice(before.length);
  const quote = quoted.charAt(0);
  const value = quoted.slice(1).replace(/["']$/, '');
  return value === '' || isHarmless(value) ? all : `${before}${quote}${MASKED}${quote}`;
}
