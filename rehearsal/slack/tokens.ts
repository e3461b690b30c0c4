/** What Slack makes of a typed command's words. */
import type { Workspace } from './workspace.ts';

/** `should_escape: true`: names and channels that exist become tokens. */
export function toTokens(text: string, workspace: Workspace): string {
  const users = new Map([...workspace.users.values()].map((user) => [user.name, user.id]));
  const channels = new Map([...workspace.channels.values()].map((channel) => [channel.name, channel.id]));
  return text
    .replaceAll(/(?<![\w<])@([\w.-]+)/g, (word, name: string) =>
      users.has(name) ? `<@${users.get(name)}|${name}>` : word,
    )
    .replaceAll(/(?<![\w<])#([\w-]+)/g, (word, name: string) =>
      channels.has(name) ? `<#${channels.get(name)}|${name}>` : word,
    )
    .replaceAll(/(?<![<\w])https?:\/\/[^\s<>|]+/g, (url) => `<${url}>`);
}
