import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { code } from '../../report/escape.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { say } from '../say.ts';
import { oneOf } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

/** The help of a slash command, made from the verbs themselves. */
export function defineHelp(kind: Kind, others: readonly Command[]): Command {
  const { slash, example } = KINDS[kind];
  const help: Command = defineCommand({
    name: 'help',
    summary: 'List the commands, or explain one',
    usage: 'help [VERB]',
    notes: [],
    right: null,
    whenClosed: 'Redis does not answer. Try again in a minute.',
    args: () => z.object({ verb: oneOf('command', [...others.map((command) => command.name), 'help']).optional() }),
    run: async ({ verb }) => {
      const all = [...others, help];
      const asked = all.find((command) => command.name === verb);
      return asked === undefined ? listing(slash, all, example) : explanation(slash, asked);
    },
  });
  return help;
}

function listing(slash: string, commands: readonly Command[], example: string): Message {
  const rows = commands.map((command) => `${code(`${slash} ${command.usage}`)}  ${command.summary}`);
  return say(
    `${rows.join('\n')}\nRUN is a run's name such as ${code(example)}, a host with one live run, or ${code('last')}.`,
  );
}

function explanation(slash: string, command: Command): Message {
  const right =
    command.right === null
      ? 'Open to every full member.'
      : `Needs the right to ${command.right} on the host (vigil.yaml).`;
  return say([`${code(`${slash} ${command.usage}`)}`, `${command.summary}.`, ...command.notes, right].join('\n'));
}
