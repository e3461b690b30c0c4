/** What the app may do in the workspace: the scopes that slack-manifest.yaml asks for, and what does not work without each. */

import type { Logger } from 'pino';

/** By scope, what stops without it. */
export const SCOPES: Readonly<Record<string, string>> = {
  commands: 'nobody can type /vllm and /dflash',
  'chat:write': 'nothing can be said: no card, no thread, no private answer after the first',
  'channels:history': 'after a lost answer of Slack a message in a public channel may be posted twice',
  'groups:history': 'after a lost answer of Slack a message in a private channel may be posted twice',
  'channels:read': 'nothing is launched from public channels, as the bot does not know whether it is a member',
  'groups:read': 'nothing is launched from private channels, as the bot does not know whether it is a member',
  'users:read': 'every command is refused, as nobody can be told from a guest',
  'files:write': 'no log is shared as a file',
  'files:read': 'a log that is shared as a file can not be confirmed',
  'usergroups:read': 'rights that vigil.yaml gives to user groups grant nothing',
  'app_mentions:read': 'a mention of the bot is not heard; slash commands and buttons are',
};

/** Says which are missing, once at the start; `granted` null = Slack did not tell. Vigil goes on with what it has. */
export function tellMissingScopes(granted: readonly string[] | null, log: Logger): void {
  if (granted === null) return;
  for (const [scope, without] of Object.entries(SCOPES)) {
    if (granted.includes(scope)) continue;
    log.warn(
      `the Slack app has no scope ${scope}: ${without}. Add it under "OAuth & Permissions" as slack-manifest.yaml has it, and install the app again.`,
    );
  }
}
