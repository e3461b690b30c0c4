/** Slack's errors, translated where Slack is called. Codes and what to make of them: docs.slack.dev, the methods' own pages. */

import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { ChatError } from '../chat.ts';

type Kind = ChatError['kind'];

const KINDS: Readonly<Record<string, Kind>> = {
  message_not_found: 'gone',
  cant_update_message: 'gone',
  thread_not_found: 'gone',
  edit_window_closed: 'gone',
  not_in_channel: 'closed',
  channel_not_found: 'closed',
  is_archived: 'closed',
  is_inactive: 'closed',
  thread_locked: 'closed',
  posting_to_channel_denied: 'closed',
  user_not_found: 'closed',
  invalid_blocks: 'invalid',
  invalid_blocks_format: 'invalid',
  invalid_arguments: 'invalid',
  msg_too_long: 'invalid',
  msg_blocks_too_long: 'invalid',
  no_text: 'invalid',
  metadata_too_large: 'invalid',
  token_revoked: 'dead',
  token_expired: 'dead',
  account_inactive: 'dead',
  invalid_auth: 'dead',
  not_authed: 'dead',
  missing_scope: 'dead',
  app_missing_action_url: 'dead',
  ratelimited: 'limited',
  rate_limited: 'limited',
};

/** Where Slack names no time. */
const RETRY_MS = 10_000;

/** The same error in our terms. A code that we don't know may have been stored, so it counts as ambiguous. */
export function chatError(method: string, error: unknown): ChatError {
  if (error instanceof ChatError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    const retryAfterMs = error.retryAfter * 1000;
    return new ChatError('limited', `${method}: Slack asks to wait ${error.retryAfter} s`, {
      cause: error,
      retryAfterMs,
    });
  }
  if (error instanceof WebAPIPlatformError) return platformError(method, error);
  if (error instanceof WebAPIHTTPError) {
    return new ChatError('ambiguous', `${method}: Slack answered with HTTP ${error.statusCode}`, { cause: error });
  }
  if (error instanceof WebAPIRequestError) {
    return new ChatError('ambiguous', `${method}: no answer from Slack (${error.original.message})`, { cause: error });
  }
  return new ChatError('ambiguous', `${method}: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

/** Slack's own code, or null where it gave none. */
export function slackCode(error: unknown): string | null {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  return error instanceof ChatError ? slackCode(error.cause) : null;
}

function platformError(method: string, error: WebAPIPlatformError): ChatError {
  const code = error.data.error;
  const kind = Object.hasOwn(KINDS, code) ? KINDS[code] : code.startsWith('restricted_action') ? 'closed' : 'ambiguous';
  const details = (error.data.response_metadata?.messages ?? []).slice(0, 5).join('; ');
  return new ChatError(kind ?? 'ambiguous', `${method}: Slack says ${code}${details === '' ? '' : ` (${details})`}`, {
    cause: error,
    retryAfterMs: kind === 'limited' ? RETRY_MS : 0,
  });
}
