/** What Slack makes of what a person types. */
import type { Workspace } from './workspace.ts';

/** Of a command's words, with `should_escape: true`: names of people, user groups and channels that exist become labelled tokens. */
export function toTokens(text: string, workspace: Workspace): string {
  return tokenized(text, workspace, true);
}

/** Of a message: names become bare tokens, links too, and other `&`, `<` and `>` are escaped. A token that stands there already stays. */
export function toMessageText(text: string, workspace: Workspace): string {
  return text
    .split(/(<@[UW]\w+>|<#C\w+>|<!subteam\^S\w+>)/)
    .map((part, at) => (at % 2 === 1 ? part : tokenized(escapeMarkup(part), workspace, false)))
    .join('');
}

function tokenized(text: string, { users, groups, channels }: Workspace, isLabelled: boolean): string {
  const token = (target: string, label: string): string => (isLabelled ? `<${target}|${label}>` : `<${target}>`);
  const userOf = new Map([...users.values()].map((user) => [user.name, user.id]));
  const groupOf = new Map([...groups.values()].map((group) => [group.handle, group.id]));
  const channelOf = new Map([...channels.values()].map((channel) => [channel.name, channel.id]));
  return text
    .replaceAll(/(?<![\w<])@([\w.-]+)/g, (word, name: string) => {
      if (userOf.has(name)) return token(`@${userOf.get(name)}`, name);
      return groupOf.has(name) ? token(`!subteam^${groupOf.get(name)}`, `@${name}`) : word;
    })
    .replaceAll(/(?<![\w<])#([\w-]+)/g, (word, name: string) =>
      channelOf.has(name) ? token(`#${channelOf.get(name)}`, name) : word,
    )
    .replaceAll(/(?<![<\w])https?:\/\/[^\s<>|]+/g, (url) => `<${url}>`);
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
