/** The pieces of an answer that was streamed (server-sent events), or of one that came whole. */

import { parseJson } from '../check/json.ts';

const MOST = 4_096;

/** Events are separated by blank lines, a long one has several `data:` lines; comments and what is no JSON say nothing. */
export function readStream(body: string): { readonly chunks: readonly unknown[]; readonly isStream: boolean } {
  if (!/^\s{0,9}(?:data|event|id|retry)?:/.test(body)) {
    const whole = parseJson(body);
    return { chunks: whole === undefined ? [] : [whole], isStream: false };
  }
  const chunks = body.split(/\r?\n\r?\n/, MOST).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? line.slice(5).trim() : []));
    const value = parseJson(data.join('\n'));
    return value === undefined ? [] : [value];
  });
  return { chunks, isStream: true };
}
