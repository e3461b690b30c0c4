/** Slack's errors, translated where Slack is called. Codes and what to make of them: docs.slack.dev, the methods' own pages. */

import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { ChatError } from '../chat.ts';

type Kind = ChatError['kind'];

/** The codes of the methods that Vigil calls, by what they mean for it; what stands on a line comes of one kind of call. */
const CODES: Readonly<Record<Kind, string>> = {
  gone: `
    message_not_found cant_update_message thread_not_found cannot_reply_to_message
    file_not_found file_deleted
    not_found hash_conflict expired_trigger_id exchanged_trigger_id invalid_trigger_id`,
  frozen: 'edit_window_closed',
  closed: `
    not_in_channel channel_not_found invalid_channel is_archived is_inactive thread_locked posting_to_channel_denied
    user_not_found user_not_in_channel messages_tab_disabled team_not_found
    no_permission access_denied ekm_access_denied
    file_uploads_disabled storage_limit_reached not_visible slack_connect_file_link_sharing_blocked
    plan_upgrade_required no_such_subteam`,
  invalid: `
    invalid_blocks invalid_blocks_format invalid_arguments missing_argument msg_too_long msg_blocks_too_long no_text block_mismatch
    metadata_too_large invalid_metadata_format invalid_metadata_schema no_dual_broadcast_content_update cant_broadcast_message
    snippet_too_large file_upload_size_restricted unknown_snippet_type unknown_subtype
    view_too_large`,
  dead: `
    token_revoked token_expired account_inactive invalid_auth not_authed not_allowed_token_type
    app_missing_action_url org_login_required team_access_not_granted`,
  limited: `
    ratelimited rate_limited message_limit_exceeded external_channel_migrating team_added_to_org`,
  ambiguous: `
    file_update_failed update_failed internal_error fatal_error service_unavailable request_timeout`,
};

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, kind as Kind] as const),
  ),
);

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
  const kind = kindOf(method, code);
  const details = [...scopeIn(error.data), ...(error.data.response_metadata?.messages ?? []).slice(0, 5)].join('; ');
  return new ChatError(kind, `${method}: Slack says ${code}${details === '' ? '' : ` (${details})`}`, {
    cause: error,
    retryAfterMs: kind === 'limited' ? RETRY_MS : 0,
    isStrange: kind === 'ambiguous' && !KINDS.has(code),
  });
}

function kindOf(method: string, code: string): Kind {
  // Without chat:write nothing can be said at all; every other scope is of one ability.
  if (code === 'missing_scope') return method.startsWith('chat.') ? 'dead' : 'closed';
  return KINDS.get(code) ?? (code.startsWith('restricted_action') ? 'closed' : 'ambiguous');
}

/** The scope that a call would have needed, as Slack names it. */
function scopeIn(answer: object): readonly string[] {
  return 'needed' in answer && typeof answer.needed === 'string' ? [`needed: ${answer.needed.slice(0, 100)}`] : [];
}
