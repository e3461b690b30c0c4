/** Rights by user group, from the command on. */

import { expect, test } from 'vitest';
import { ChatError } from '../../src/chat.ts';
import type { Config } from '../../src/config/config.ts';
import { CONFIG, setUp, withRuns } from './set-up.ts';

/** On kpro5 only the people of S0GPU may launch. */
function config(): Config {
  const { kpro5, kpro6 } = CONFIG.hosts;
  if (kpro5 === undefined || kpro6 === undefined) throw new Error('the hosts of set-up.ts have other names');
  return { ...CONFIG, hosts: { kpro5: { ...kpro5, rights: { ...kpro5.rights, launch: ['S0GPU'] } }, kpro6 } };
}

const REFUSED = 'Refused: you (U0BOB) may not launch on kpro5';

test('who is in the group may launch; who is not is refused, with the key that would let them', async () => {
  const { type, chat, desk } = setUp({ config: config() });
  chat.groups.set('S0GPU', ['U0ALICE']);
  expect(await type('launch kpro5 dflash')).toContain('Launching');
  const refusal = await type('launch kpro5 dflash', { user: 'U0BOB' });
  expect(refusal).toContain(REFUSED);
  expect(refusal).toContain('hosts.kpro5.rights.launch');
  expect(refusal).not.toContain('Slack does not say');
  expect(desk.orders).toHaveLength(1);
});

test.each([
  ['refuses to say', () => Promise.reject(new ChatError('closed', 'usergroups.users.list: Slack says missing_scope'))],
  ['is away', () => Promise.reject(new ChatError('ambiguous', 'no answer'))],
  ['is slow', () => new Promise<never>(() => {})],
])('where Slack %s who is in it, the group grants nothing, and the refusal says so', async (_, members) => {
  const { type, chat, desk } = setUp({ config: config() });
  chat.members = members;
  const answer = await type('launch kpro5 dflash', { user: 'U0BOB' });
  expect(answer).toContain(REFUSED);
  expect(answer).toContain('Slack does not say who is in the user group S0GPU');
  // What needs no group goes on.
  expect(await type('status', { user: 'U0BOB' })).toMatch(
    /^Nothing serves that you may see\. \/vllm launch HOST RECIPE starts something\.$/,
  );
  expect(desk.orders).toHaveLength(0);
});

test('an error that is none of Slack is no refusal', async () => {
  const { type, chat } = setUp({ config: config() });
  chat.members = () => Promise.reject(new Error('a bug'));
  expect(await type('launch kpro5 dflash')).toContain('could not finish this');
});

/** What one may see of kpro5, and launch on kpro6, is said by a group alone. */
function byGroup(): Config {
  const { kpro5, kpro6 } = CONFIG.hosts;
  if (kpro5 === undefined || kpro6 === undefined) throw new Error('the hosts of set-up.ts have other names');
  const hosts = {
    kpro5: { ...kpro5, rights: { ...kpro5.rights, see: ['S0GPU'] } },
    kpro6: { ...kpro6, rights: { ...kpro6.rights, launch: ['S0GPU'] } },
  };
  return { ...CONFIG, hosts };
}

test.each(['status', 'status kpro5-3', 'status kpro5', 'status last', 'explain kpro5-3', 'history', 'history dflash'])(
  'where Slack does not say who is in a group, %j says that hosts may be missing; where it does, nothing of the kind',
  async (text) => {
    const { type, chat } = withRuns({ config: byGroup() });
    chat.members = () => Promise.reject(new ChatError('ambiguous', 'no answer'));
    expect(await type(text, { user: 'U0BOB' })).toMatch(
      /Hosts may be missing here\. Slack does not say who is in the user group S0GPU, which may: /,
    );
    chat.members = async () => ['U0BOB'];
    expect(await type(text, { user: 'U0BOB' })).not.toContain('missing here');
    chat.members = async () => [];
    expect(await type(text, { user: 'U0BOB' })).not.toContain('missing here');
  },
);
