/** Hides secrets before any rule, person or store sees a line: known token shapes, named ones, private keys, and the run's own values. */

import { BEFORE, TOKEN_STARTS, TOKENS } from '../token-shapes.ts';
import { HEADER_SIGNS, hideInHeaders } from './header-secrets.ts';
import type { Mask } from './lines.ts';
import { hideLogins, hideNamed, LOGIN_SIGNS, NAME_SIGNS } from './named-secrets.ts';
import { writtenForms } from './own-values.ts';
import { hideKeys, type KeyBlock, KeyMask } from './private-keys.ts';
import { hideInUrls, URL_SIGNS } from './url-secrets.ts';

const MASKED = '[masked]';

/** What is hidden in a line, and what it must hold for that; whatever its case. */
const KINDS = [
  { signs: URL_SIGNS, hide: hideInUrls },
  { signs: HEADER_SIGNS, hide: hideInHeaders },
  { signs: NAME_SIGNS, hide: hideNamed },
  { signs: LOGIN_SIGNS, hide: hideLogins },
  { signs: TOKEN_STARTS, hide: (text: string) => text.replace(TOKENS, MASKED) },
].map(({ signs, hide }) => ({ signs, sign: anyOf(signs), hide }));

/** A line without any of them holds nothing that could be found. */
const SUSPICIOUS = anyOf(KINDS.flatMap(({ signs }) => signs));

/** The mask for a run whose own secret values are `secrets` (several lines of one are hidden one by one), for texts of any length. */
export function createMask(secrets: readonly string[]): Mask {
  const mask = lineMask(secrets);
  return (text) => maskText(text, mask);
}

/** A text of several lines: what `mask` hides in each, and private keys that stand over several of them. */
export function maskText(text: string, mask: Mask): string {
  return hideKeys(text, mask);
}

/** The mask for the lines of a log, which come in order: `block` is what the one before saved. */
export function openMask(secrets: readonly string[], block: KeyBlock | null): KeyMask {
  return new KeyMask(lineMask(secrets), block);
}

/** The longest text that could be one secret: what the cutter must look at beyond a line's end. */
export function longestSecret(secrets: readonly string[]): number {
  return writtenForms(secrets).reduce((longest, value) => Math.max(longest, value.length), 0);
}

function lineMask(secrets: readonly string[]): Mask {
  const own = writtenForms(secrets).map((value) => ({ value, found: isWord(value) ? asWord(value) : value }));
  return (text) => {
    let masked = text;
    for (const { value, found } of own) if (masked.includes(value)) masked = masked.replaceAll(found, MASKED);
    if (!SUSPICIOUS.test(masked)) return masked;
    for (const { sign, hide } of KINDS) if (sign.test(masked)) masked = hide(masked);
    return masked;
  };
}

/** A secret like `test` would black out a part of `latest`, too. */
function isWord(value: string): boolean {
  return value.length < 8 && /^[A-Za-z0-9]+$/.test(value);
}

function asWord(value: string): RegExp {
  return new RegExp(`(?:${BEFORE})${value}(?![A-Za-z0-9])`, 'g');
}

function anyOf(signs: readonly string[]): RegExp {
  return new RegExp(signs.map((sign) => sign.replace(/[.\\/+$*?^|()[\]{}-]/g, '\\$&')).join('|'), 'i');
}
