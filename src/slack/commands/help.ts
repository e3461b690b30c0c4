/** What people are told of a slash command and its verbs: all of it comes from the verbs themselves. */

import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { code } from '../../report/escape.ts';
import { hostsWith } from '../../rights.ts';
import type { Call } from '../call.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { say } from '../say.ts';
import { oneOf, recipesOf } from './arguments.ts';
import { type Command, defineCommand, GROUPS, takesRun } from './define.ts';
import { isOption } from './options.ts';

/** Characters that a line of a phone holds. */
const WIDTH = 42;
const BETWEEN = ' · ';

/** The help of a slash command: all verbs on one screen of a phone, or all about one. */
export function defineHelp(kind: Kind, others: readonly Command[]): Command {
  const help: Command = defineCommand({
    name: 'help',
    alsoCalled: ['usage', 'commands', 'man', 'manual', '?'],
    group: 'Learn',
    gist: 'all about one',
    summary: 'List the commands, or explain one',
    usage: 'help [VERB]',
    example: ['help', 'stop'],
    notes: [`\`${KINDS[kind].slash} VERB --help\` explains one as well.`],
    right: null,
    whenClosed: 'Redis does not answer. Try again in a minute.',
    args: () => z.object({ verb: oneOf('command', [...others.map((command) => command.name), 'help']).optional() }),
    run: async ({ verb }, call) => {
      const all = [...others, help];
      const asked = all.find((command) => command.name === verb);
      return asked === undefined ? listing(kind, all, call) : explainVerb(kind, asked, call);
    },
  });
  return help;
}

/** Whether the words behind a verb ask what it is. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => /^(?:--help|-h)$/i.test(word));
}

/** The verbs by their groups, as many beside each other as a phone shows; no code spans, which are walls there. */
function listing(kind: Kind, commands: readonly Command[], { self }: Call): Message {
  const lines = GROUPS.flatMap((group) => {
    const items = commands.filter((command) => command.group === group).map(inShort);
    return [`*${group}*`, ...packed(items)];
  });
  const run = `RUN: ${KINDS[kind].example}, a host with one run, last`;
  return say([...lines, run, `In a run's thread: @${self.name} stop`].join('\n'));
}

/** `verify RUN: does it work, how well?` */
function inShort({ usage, gist }: Command): string {
  const places = withoutOptions(usage);
  return gist === null ? places : `${places}: ${gist}`;
}

/** Options are told where one verb is explained. */
function withoutOptions(usage: string): string {
  return usage.split(' [--')[0] ?? usage;
}

/** As many in a line as fit, each in the first where it does; one that is explained stands alone. */
function packed(items: readonly string[]): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const place = lines.findIndex((line) => canStandTogether(line, item));
    if (place < 0) lines.push(item);
    else lines[place] = `${lines[place]}${BETWEEN}${item}`;
  }
  return lines;
}

function canStandTogether(line: string, item: string): boolean {
  const both = `${line}${BETWEEN}${item}`;
  return both.length <= WIDTH && !both.includes(': ');
}

/** How it is typed, what it does, its options, what one must be allowed, an example. */
export function explainVerb(kind: Kind, command: Command, call: Call): Message {
  const { slash, example } = KINDS[kind];
  const mentioned = code(`@${call.self.name} ${command.name}`);
  const run = `RUN is a run's name such as ${code(example)}, a host with one live run, or ${code('last')}. In its thread ${mentioned} is enough.`;
  const lines = [
    code(`${slash} ${command.usage}`),
    `${command.summary}.`,
    ...command.notes,
    ...(takesRun(command) ? [run] : []),
    ...optionLines(command),
    rightWords(command),
    `Example: ${code([slash, ...exampleOf(kind, command, call)].join(' '))}`,
  ];
  return say(lines.join('\n'));
}

function optionLines({ options }: Command): string[] {
  return Object.entries(options).map(([name, { value, summary }]) => {
    return `• ${code(value === null ? `--${name}` : `--${name} ${value}`)}  ${summary}.`;
  });
}

function rightWords({ right, options }: Command): string {
  if (right === null) return 'Open to every full member.';
  const more = Object.entries(options).flatMap(([name, option]) =>
    option.right === undefined ? [] : [`with ${code(`--${name}`)} also ${code(option.right)}`],
  );
  const all = more.map((words) => `, ${words}`).join('');
  return `Needs the right ${code(right)} on the host (vigil.yaml)${all}.`;
}

/** The example with a host, a recipe and a run as there may be. */
export function exampleOf(kind: Kind, { example, right }: Command, { config, who }: Call): readonly string[] {
  const allowed = right === null ? [] : hostsWith(config, who, right);
  const names: Readonly<Record<string, string | undefined>> = {
    HOST: allowed[0] ?? Object.keys(config.hosts)[0],
    RECIPE: recipesOf(kind, config)[0],
    RUN: KINDS[kind].example,
  };
  return example.map((word) => (isOption(word) ? word : (names[word] ?? word)));
}
