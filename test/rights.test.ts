/** Who may do what, by their own id or by a user group, as the worker looks at it. */

import { expect, test } from 'vitest';
import { ChatError } from '../src/chat.ts';
import type { Config, HostConfig, Verb } from '../src/config/config.ts';
import { groupsIn, hostsWith, mayDo, refusalOf, whyUnsure } from '../src/rights.ts';
import { FakeChat } from './support/fake-chat.ts';
import { sampleConfig } from './support/sample-config.ts';

function configWith(rights: Partial<HostConfig['rights']>): Config {
  const config = sampleConfig();
  const kpro5 = config.hosts.kpro5 as HostConfig;
  const none = { see: [], launch: [], force: [], stop: [], watch: [] };
  return { ...config, hosts: { ...config.hosts, kpro5: { ...kpro5, rights: { ...none, ...rights } } } };
}

const CONFIG = configWith({ launch: ['S0GPU'], stop: ['S0GPU', 'U0BOB'], see: 'anyone' });
const by = (user: string, groups: readonly string[] = [], unknown: readonly string[] = []) => ({
  user,
  groups,
  unknown,
});

test('who is in a group may what the group may, and nothing else', () => {
  expect(mayDo(CONFIG, by('U0ALICE', ['S0GPU']), 'launch', 'kpro5')).toBe(true);
  expect(mayDo(CONFIG, by('U0ALICE'), 'launch', 'kpro5')).toBe(false);
  expect(mayDo(CONFIG, by('U0ALICE', ['S0OTHER']), 'launch', 'kpro5')).toBe(false);
  expect(mayDo(CONFIG, by('U0ALICE', ['S0GPU']), 'force', 'kpro5')).toBe(false);
  expect(hostsWith(CONFIG, by('U0ALICE', ['S0GPU']), 'launch')).toEqual(['kpro5', 'trainer']);
  expect(groupsIn(CONFIG)).toEqual(['S0GPU']);
});

test('a group that could not be read grants nothing, and is named where it would grant', () => {
  const who = by('U0ALICE', [], ['S0GPU']);
  expect(mayDo(CONFIG, who, 'launch', 'kpro5')).toBe(false);
  expect(whyUnsure(CONFIG, who, 'launch', ['kpro5'])).toContain('S0GPU');
  expect(whyUnsure(CONFIG, who, 'force', ['kpro5'])).toBeNull();
  expect(whyUnsure(CONFIG, who, 'see', ['kpro5'])).toBeNull();
  // On another host the same group is of no use to who has the right by their own id.
  expect(whyUnsure(CONFIG, by('U0BOB', [], ['S0GPU']), 'stop', ['kpro5'])).toBeNull();
});

/** A Slack that knows everybody, and says who is in S0GPU, or why it doesn't. */
function chatWith(members: readonly string[] | ChatError): FakeChat {
  const chat = new FakeChat();
  for (const id of ['U0ALICE', 'U0BOB', 'U0CAROL']) chat.people.set(id, { kind: 'member', name: id });
  chat.members = async () => {
    if (members instanceof ChatError) throw members;
    return members;
  };
  return chat;
}

const asked = (user: string, verb: Verb = 'launch') => ({ user, host: 'kpro5', verb });

test('the worker lets in who is in the group, and nobody else', async () => {
  const tools = { config: CONFIG, chat: chatWith(['U0ALICE']) };
  expect(await refusalOf(tools, asked('U0ALICE'))).toBeNull();
  expect(await refusalOf(tools, asked('U0CAROL'))).toContain('may not launch on kpro5');
});

test('a guest in the group is no member of the workspace', async () => {
  const chat = chatWith(['U0ALICE']);
  chat.people.set('U0ALICE', { kind: 'guest', name: 'Alice' });
  expect(await refusalOf({ config: CONFIG, chat }, asked('U0ALICE'))).toContain('no full member');
});

test('a group that Slack refuses to tell is a refusal with its reason; who is listed by their own id is let in', async () => {
  const refused = new ChatError('closed', 'usergroups.users.list: Slack says plan_upgrade_required');
  const tools = { config: CONFIG, chat: chatWith(refused) };
  expect(await refusalOf(tools, asked('U0ALICE'))).toMatch(
    /may not launch on kpro5.*does not say who is in the user group S0GPU/s,
  );
  expect(await refusalOf(tools, asked('U0BOB', 'stop'))).toBeNull();
});

test.each(['ambiguous', 'limited', 'dead'] as const)(
  'a Slack that is away (%s) refuses nobody: it is asked again',
  async (kind) => {
    const tools = { config: CONFIG, chat: chatWith(new ChatError(kind, 'no answer')) };
    await expect(refusalOf(tools, asked('U0ALICE'))).rejects.toMatchObject({ kind });
  },
);
