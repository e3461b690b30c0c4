/** Secrets in the headers of requests, as logs and tools print them. */

import { hideValue, isHarmless } from './harmless-values.ts';

const MASKED = '[masked]';

const IS = '\\\\{0,4}["\']?\\s{0,8}[:=,]\\s{0,8}\\\\{0,4}["\']?';
/** `Authorization: Bearer x`; without a scheme only what doesn't read as a word. */
const AUTHORIZATION = new RegExp(
  `(\\bauthorization${IS})(?:(basic|bearer|bot|key|token|apikey)\\s{1,8}([^\\s"'\\\\]+)|(aws4-hmac-sha256|digest|hawk|negotiate|ntlm|signature)\\s{1,8}[^'\\n]+|([^\\s"'\\\\,;]+))`,
  'gi',
);
const BEARER =
  /\b(bearer\s{1,8})(?!(?:and|auth\w*|challenge|credentials?|for|format|header|in|is|not|or|prefix|realm|scheme|security|tokens?|type|was|with)\b)([\w.~+/=-]{6,})/gi;
const BASIC = /\b(basic\s{1,8})([A-Za-z0-9+/]{8,}={0,2})/gi;
const COOKIE = /(\b(?:set-)?cookie["']?\s{0,8}[:=]\s{0,8}["']?)(?!\[masked\])([^"'\n=;]{1,200}=[^"'\n]*)/gi;

/** A text without these holds nothing that is hidden here. */
export const HEADER_SIGNS: readonly string[] = ['authorization', 'basic ', 'bearer', 'cookie'];

/** The text of one line without secrets in headers. */
export function hideInHeaders(text: string): string {
  return text
    .replace(AUTHORIZATION, hideAuthorization)
    .replace(BEARER, hideValue)
    .replace(BASIC, (all, scheme: string, value: string) => (isUserAndPassword(value) ? `${scheme}${MASKED}` : all))
    .replace(COOKIE, `$1${MASKED}`);
}

function hideAuthorization(
  all: string,
  before: string,
  scheme: string | undefined,
  value: string | undefined,
  long: string | undefined,
  plain: string | undefined,
): string {
  if (scheme !== undefined) return isHarmless(value ?? '') ? all : `${before}${scheme} ${MASKED}`;
  if (long !== undefined) return `${before}${long} ${MASKED}`;
  const isWord = /^[A-Za-z]{1,16}[.:]?$/.test(plain ?? '');
  return isWord || isHarmless(plain ?? '') ? all : `${before}${MASKED}`;
}

/** RFC 7617: base64 of `user:password`. */
function isUserAndPassword(value: string): boolean {
  try {
    return /^[^\p{Cc}:]*:[^\p{Cc}]*$/u.test(atob(value));
  } catch {
    return false; // not base64
  }
}
