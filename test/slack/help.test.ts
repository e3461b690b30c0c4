/** What people are told of the commands: on one screen of a phone, and in full of each. */

import { expect, test } from 'vitest';
import { answerCommand } from '../../src/slack/answer.ts';
import { exampleOf } from '../../src/slack/commands/help.ts';
import { SLASH_COMMANDS } from '../../src/slack/commands/slash.ts';
import { CONFIG, setUp, withRuns } from './set-up.ts';

const VERBS = SLASH_COMMANDS.flatMap((slash) =>
  slash.verbs.map((verb) => ({ slash, verb, line: `${slash.name} ${verb.name}` })),
);

test('the help of /vllm fits a phone: verbs by what they are for, and how to learn more', async () => {
  expect(await setUp().type('help')).toMatchInlineSnapshot(`
    "Start
    launch HOST RECIPE · check HOST RECIPE
    watch HOST LOG: one started by hand
    Look
    status [RUN] · logs RUN · explain RUN
    verify RUN: does it work, how well?
    history [HOST|RECIPE]
    End
    stop RUN · restart RUN
    Learn
    note RUN [TEXT…]: what helps, next time
    help [VERB]: all about one
    RUN: kpro5-3, a host with one run, last
    In a run's thread: @vigil stop"
  `);
});

test('the help of /dflash speaks of trainings', async () => {
  expect(await setUp().type('help', { command: '/dflash' })).toMatchInlineSnapshot(`
    "Start
    train [HOST] [RECIPE]
    check [HOST] [RECIPE]
    watch HOST LOG: one started by hand
    Look
    status [RUN] · logs RUN · explain RUN
    history [HOST|RECIPE]
    End
    stop RUN · restart RUN
    Learn
    note RUN [TEXT…]: what helps, next time
    help [VERB]: all about one
    RUN: trainer-1, a host with one run, last
    In a run's thread: @vigil stop"
  `);
});

test.each(SLASH_COMMANDS)(
  'the help of $name has at most 14 lines of at most 42 characters, no code spans, and every verb',
  async ({ name, verbs }) => {
    const { edge, followup, type } = setUp();
    const lines = (await type('help', { command: name })).split('\n');
    expect(lines.length).toBeLessThanOrEqual(14);
    expect(lines.filter((line) => line.length > 42)).toEqual([]);
    for (const verb of verbs) expect(lines.join('\n')).toMatch(new RegExp(`(^|· )${verb.name}\\b`, 'm'));
    const asked = { command: name, text: 'help', user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '1.1' };
    expect(JSON.stringify(await answerCommand(edge, asked, followup))).not.toContain('`');
  },
);

test('a verb is explained with its options, the rights for them and a line that can be typed', async () => {
  expect(await setUp().type('launch --help')).toMatchInlineSnapshot(`
    "/vllm launch HOST RECIPE [--queue | --replace | --dry-run] [--force]
    Start a server on a host and watch it until it answers.
    HOST and RECIPE are names of vigil.yaml.
    One thread tells the whole story, to its end.
    • --queue  Where something is in its way: wait in the line, and start when the turn comes.
    • --replace  Where something is in its way: end the runs of Vigil that have it, and go before all who wait.
    • --dry-run  Start nothing: tell you alone its command, variables, GPUs and what stands in its way.
    • --force  Start it although its checks refuse it; a start that would fail at once stays refused.
    Needs the right launch on the host (vigil.yaml), with --replace also stop, with --force also force.
    Example: /vllm launch kpro5 dflash --queue"
  `);
  expect(await setUp().type('stop -h')).toMatchInlineSnapshot(`
    "/vllm stop RUN
    End a server and prove that it is gone.
    The whole process tree ends; the thread shows what proves it.
    Of one that somebody started by hand it first shows the processes, and ends exactly those that you confirm.
    RUN is a run's name such as kpro5-3, a host with one live run, or last. In its thread @vigil stop is enough.
    Needs the right stop on the host (vigil.yaml).
    Example: /vllm stop kpro5-3"
  `);
});

test.each(VERBS)(
  '$line --help says its usage, each option, the right for it and an example',
  async ({ slash, verb }) => {
    const { type } = setUp();
    const told = await type(`${verb.name} --help`, { command: slash.name });
    expect(await type(`help ${verb.name}`, { command: slash.name })).toBe(told);
    expect(await type(`${verb.name} -h`, { command: slash.name })).toBe(told);
    expect(told.split('\n')[0]).toBe(`${slash.name} ${verb.usage}`);
    expect(told).toContain(`${verb.summary}.`);
    for (const [option, { value, summary }] of Object.entries(verb.options))
      expect(told).toContain(`--${option}${value === null ? '' : ` ${value}`}  ${summary}.`);
    expect(told).toContain(
      verb.right === null ? 'Open to every full member.' : `Needs the right ${verb.right} on the host`,
    );
    expect(told).toContain(`Example: ${slash.name} ${verb.name}`);
  },
);

test.each(VERBS)('the example of $line could be carried out', ({ slash, verb }) => {
  const { edge, followup } = setUp();
  const from = { user: 'U0ALICE', team: 'T0', channel: 'C0OPS', trigger: '1.1' };
  const who = { user: 'U0ALICE', groups: [], unknown: [] };
  const call = { ...edge, ...followup, from, who, thread: null, deadline: 0 };
  const [name, ...words] = exampleOf(slash.kind, verb, call);
  expect(name).toBe(verb.name);
  expect(verb.accepts(words, call)).toBe(true);
});

test.each(['help', '', '?', '--help', '-h', 'HELP', 'help.'])('%j lists the commands', async (text) => {
  const { type } = setUp();
  expect(await type(text)).toBe(await type('help'));
});

test('an example names a host on which whoever asks may do it', async () => {
  const { kpro5, kpro6 } = CONFIG.hosts;
  if (kpro5 === undefined || kpro6 === undefined) throw new Error('no host');
  const hosts = { kpro5, kpro6: { ...kpro6, rights: { ...kpro6.rights, launch: ['U0BOB'] } } };
  const { type } = setUp({ config: { ...CONFIG, hosts } });
  expect(await type('launch --help', { user: 'U0BOB' })).toContain('Example: /vllm launch kpro6 dflash --queue');
});

test('asking what a verb does starts and ends nothing, however it is asked', async () => {
  const { type, desk } = withRuns();
  for (const text of ['launch kpro5 dflash --help', 'stop kpro5-3 -h', 'note kpro5-3 --help', 'restart kpro5-3 —help'])
    expect(await type(text)).toContain('Example: ');
  expect([desk.orders.length, desk.stops.size, desk.notes.size, desk.enqueued.length]).toEqual([0, 0, 0, 0]);
});
