/** A command's surroundings in memory: two hosts, a recipe of each kind, Alice who may everything on kpro5, Bob who may only see it. */

import pino from 'pino';
import type { Message } from '../../src/chat.ts';
import type { Config, HostConfig, TrainRecipe } from '../../src/config/config.ts';
import { answerCommand } from '../../src/slack/answer.ts';
import type { Edge } from '../../src/slack/call.ts';
import { answerClick } from '../../src/slack/click.ts';
import { answerMention } from '../../src/slack/mention.ts';
import { sampleRun, sampleTraining } from '../report/sample-run.ts';
import { FakeChat } from '../support/fake-chat.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { plainMessage } from '../support/plain.ts';

function host(name: string, rights: HostConfig['rights']): HostConfig {
  const connect = {
    kind: 'address',
    address: '203.0.113.7',
    user: 'root',
    port: 10978,
    key: 'k',
    isOnlyKey: true,
    knownHosts: [],
    jump: null,
    passphrase: null,
  } as const;
  return {
    name,
    connect,
    stateDir: '~/.vigil/runs',
    keepRuns: 30,
    channel: 'C0HOST',
    rights,
    patrol: null,
    watchLogs: ['/root/logs/*.log'],
  };
}

const DRAFTER: TrainRecipe = {
  kind: 'train',
  name: 'drafter',
  argv: ['bash', '/workspace/dflash/train.sh'],
  environment: {},
  secrets: [],
  prelude: null,
  directory: null,
  log: null,
  gpus: ['0', '1', '2', '3'],
  address: null,
  targetLog: null,
  stopGrace: 120,
  expect: [],
  versions: {},
  python: null,
  budgets: {},
  resume: false,
};

export const CONFIG: Config = {
  instance: 'vigil',
  diagnoses: [],
  hosts: {
    kpro5: host('kpro5', {
      see: 'anyone',
      launch: ['U0ALICE'],
      force: ['U0ALICE'],
      stop: ['U0ALICE'],
      watch: ['U0ALICE'],
    }),
    kpro6: host('kpro6', { see: ['U0CAROL'], launch: [], force: [], stop: [], watch: [] }),
  },
  recipes: {
    dflash: {
      kind: 'serve',
      name: 'dflash',
      argv: ['vllm', 'serve', 'Qwen/Qwen3-8B'],
      environment: {},
      secrets: [],
      prelude: null,
      directory: null,
      log: null,
      gpus: ['0', '1'],
      address: { kind: 'tcp', host: '0.0.0.0', port: 8000 },
      stopGrace: 30,
      expect: [],
      versions: {},
      python: null,
      budgets: {},
      floor: { acceptanceLength: null, tokensPerSecond: null },
    },
    drafter: DRAFTER,
  },
};

export function setUp(overrides: Partial<Edge> = {}) {
  const chat = new FakeChat();
  for (const [id, name] of [
    ['U0ALICE', 'Alice'],
    ['U0BOB', 'Bob'],
    ['U0CAROL', 'Carol'],
  ] as const) {
    chat.people.set(id, { kind: 'member', name });
  }
  chat.memberships.add('C0OPS').add('C0HOST');
  const desk = new FakeDesk(({ host: name, recipe, by, channel }) => {
    const asked = { host: name, recipe, by, channel };
    return (recipe === 'drafter' ? sampleTraining({}, asked) : sampleRun({}, asked)).request;
  });
  const limits = { person: 100, answer: 260, thread: 100, poll: 5, host: 100, verify: 100, pollHost: 5 };
  const log = pino({ level: 'silent' });
  const edge: Edge = {
    config: CONFIG,
    desk,
    chat,
    clock: Date,
    log,
    self: { team: 'T0', name: 'vigil', user: 'U0BOT' },
    limits,
    ...overrides,
  };
  const said: Message[] = [];
  const later: Promise<void>[] = [];
  const followup = {
    dialogs: null,
    url: null,
    respond: async (message: Message) => {
      said.push(message);
    },
    later: (work: Promise<void>) => {
      later.push(work);
    },
  };
  /** Types a command and gives the private answer as text; '' = none. */
  const type = async (
    text: string,
    from: { user?: string; channel?: string; team?: string; trigger?: string; command?: string } = {},
  ) => {
    const asked = { command: '/vllm', user: 'U0ALICE', channel: 'C0OPS', team: 'T0', trigger: '1.1', ...from };
    const answer = await answerCommand(edge, { ...asked, text }, followup);
    return answer === null ? '' : plainMessage(answer);
  };
  /** Mentions the app, in a thread or outside of one, and gives the private answer as text; null = none. */
  const mention = async (
    text: string,
    from: { user?: string; channel?: string; thread?: string | null; trigger?: string } = {},
  ) => {
    const asked = { user: 'U0ALICE', channel: 'C0OPS', team: 'T0', trigger: 'Ev1', thread: null, ...from };
    const answer = await answerMention(edge, { ...asked, text }, followup);
    return answer === null ? null : plainMessage(answer);
  };
  /** Presses a button and gives the private answer as text, and whether it takes the place of the message. */
  const press = async (action: string, value: string, from: { user?: string; trigger?: string } = {}) => {
    const click = { action, value, user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '2.2', ...from };
    const { replaces, ...answer } = await answerClick(edge, click, followup);
    return { text: plainMessage(answer), replaces };
  };
  /** What was said after the answer, once everything that goes on has ended, well or not. */
  const afterwards = async () => {
    await Promise.allSettled(later);
    return said.map(plainMessage);
  };
  return { chat, desk, edge, followup, type, mention, press, afterwards };
}

export const ROOT = { channel: 'C0OPS', ts: '9.000001' };

/** With a live run and an ended one on kpro5, and a live one on kpro6. */
export function withRuns(overrides: Partial<Edge> = {}) {
  const world = setUp(overrides);
  world.desk.summaries.push(
    { run: sampleRun({ progress: { phase: 'loading', done: 3, total: 15 } }), root: ROOT },
    { run: sampleRun({ phase: 'stopped' }, { id: 'r2', name: 'kpro5-2', by: 'U0BOB' }), root: ROOT },
    { run: sampleRun({}, { id: 'r9', name: 'kpro6-9', host: 'kpro6' }), root: null },
  );
  return world;
}
