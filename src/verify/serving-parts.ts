/** What a command line and the arguments in a log say alike of how a server is to be asked. */

import { draftTokens, methodOf, type Speculative } from '../check/speculative.ts';
import type { Serving } from './serving.ts';

/** Python's ssl.CERT_REQUIRED is 2. */
export function isRequired(value: string | null): boolean {
  return value !== null && /^(?:2|(?:ssl\.|VerifyMode\.){0,2}CERT_REQUIRED)$/.test(value.trim());
}

/** `/llm` of `llm/`; '' where there is none. */
export function rootOf(value: string | null): string {
  const bare = (value ?? '').replace(/^\/{1,9}|\/{1,9}$/g, '');
  return bare === '' ? '' : `/${bare}`;
}

/** Of a server that only gives out hidden states, `drafts` is null. */
export function speculationOf(speculative: Speculative | null): Pick<Serving, 'drafts' | 'isExtraction'> {
  if (speculative === null) return { drafts: null, isExtraction: false };
  const method = methodOf(speculative);
  if (method === 'extract_hidden_states') return { drafts: null, isExtraction: true };
  const { model } = speculative;
  const drafter = typeof model === 'string' && model !== '' ? model : null;
  return { drafts: { method, tokens: draftTokens(speculative), drafter }, isExtraction: false };
}
