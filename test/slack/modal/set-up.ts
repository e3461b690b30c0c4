/** The modal in memory: what Alice sees in it, what she chooses, what she sends. */

import type { Config } from '../../../src/config/config.ts';
import { answerCommand } from '../../../src/slack/answer.ts';
import type { Edge } from '../../../src/slack/call.ts';
import { answerChoice, answerSubmission, type Returned } from '../../../src/slack/modal/modal.ts';
import { DRY_RUN } from '../../support/dry-run.ts';
import { FakeDialogs } from '../../support/fake-dialogs.ts';
import { plainMessage } from '../../support/plain.ts';
import { CONFIG, setUp as setUpCommands } from '../set-up.ts';

const METADATA = JSON.stringify({ kind: 'serve', channel: 'C0OPS', url: null });

/** Alice may launch on both hosts, and force on kpro5 alone; there are two recipes that serve. */
export const WIDE: Config = {
  ...CONFIG,
  hosts: { ...CONFIG.hosts, kpro6: { ...host('kpro6'), rights: { ...host('kpro6').rights, launch: ['U0ALICE'] } } },
  recipes: {
    ...CONFIG.recipes,
    plain: { ...recipe('dflash'), name: 'plain', gpus: 1, argv: ['vllm', 'serve', 'a/b'] },
  },
};

export function host(name: string) {
  const found = CONFIG.hosts[name];
  if (found === undefined) throw new Error(`no host ${name}`);
  return found;
}

export function recipe(name: string) {
  const found = CONFIG.recipes[name];
  if (found === undefined) throw new Error(`no recipe ${name}`);
  return found;
}

export function setUp(overrides: Partial<Edge> = {}) {
  const world = setUpCommands({ config: WIDE, ...overrides });
  const dialogs = new FakeDialogs();
  const followup = { ...world.followup, dialogs, url: 'https://hooks.example/1' };
  world.desk.told.set('dry_run', { kind: 'told', told: DRY_RUN });
  const alice = { user: 'U0ALICE', team: 'T0', channel: 'C0OPS' };
  /** Types a command: null = nothing is said, the modal is open. */
  const type = async (command: string, text: string, from: Partial<typeof alice> = {}) => {
    const message = await answerCommand(world.edge, { ...alice, ...from, command, text, trigger: '1.1' }, followup);
    return message === null ? null : plainMessage(message);
  };
  const returned = (values: Returned['values'], more: Partial<Returned> = {}): Returned => {
    return { ...alice, trigger: '2.2', viewId: 'V1', callback: 'launch', metadata: METADATA, values, ...more };
  };
  const choose = (values: Returned['values'], action = 'recipe', more: Partial<Returned> = {}) =>
    answerChoice(world.edge, { ...returned(values, more), action, value: '' }, followup);
  const submit = (values: Returned['values'], more: Partial<Returned> = {}) =>
    answerSubmission(world.edge, returned(values, more), followup);
  return { ...world, dialogs, type, choose, submit };
}

export const BOTH = { host: 'kpro5', recipe: 'dflash', queue: null, force: null };
