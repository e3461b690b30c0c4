/** The SDK's log lines as ours: without tokens, response_urls and trigger ids, and never at debug, where whole payloads are printed. */

import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import type { Logger } from 'pino';
import { createMask } from '../log/mask.ts';

const mask = createMask([]);

/** What Bolt, socket-mode and web-api write to; they call it with any number of anything. */
export function slackLogger(log: Logger): SlackLogger {
  return {
    debug() {},
    info: (...parts) => log.debug(line(parts)),
    warn: (...parts) => log.warn(line(parts)),
    error: (...parts) => log.error(line(parts)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}

function line(parts: readonly unknown[]): string {
  return redact(parts.map(word).join(' ')).slice(0, 2000);
}

function word(part: unknown): string {
  if (typeof part === 'string') return part;
  if (part instanceof Error) return `${part.name}: ${part.message}`;
  try {
    return JSON.stringify(part) ?? String(part);
  } catch {
    return '(something that is not JSON)'; // a cycle: not worth a crash
  }
}

/** Tokens of every kind, links that answer for us, and ids that open dialogs. */
export function redact(text: string): string {
  const hidden = text
    .replace(/x(?:ox[a-z]|app)-[\w-]+/gi, '[token]')
    .replace(/("?(?:response_url|trigger_id|token|ticket)"?\s*[:=]\s*)"?[^\s",}&]+"?/gi, '$1[hidden]')
    .replace(/https?:\/\/hooks\.slack\.com\/\S+/gi, '[link]')
    .replace(/\bwss?:\/\/\S+/gi, '[link]');
  return mask(hidden);
}
