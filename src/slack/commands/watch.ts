import { z } from 'zod';
import { addressWords } from '../../address.ts';
import type { Message } from '../../chat.ts';
import { UsageError } from '../../errors.ts';
import type { WatchAnswer } from '../../questions.ts';
import { context } from '../../report/blocks.ts';
import { code, escapeText, markup } from '../../report/escape.ts';
import type { Request } from '../../run/request.ts';
import { askHost } from '../ask.ts';
import type { Call } from '../call.ts';
import { chooseHome, followRoot, whyHomeless } from '../home.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { Refused } from '../refusals.ts';
import { wayToThread } from '../run-view.ts';
import { say } from '../say.ts';
import { hostOf } from './arguments.ts';
import { type Command, defineCommand, mustHave } from './define.ts';

export function defineWatch(kind: Kind): Command {
  const { one } = KINDS[kind];
  return defineCommand({
    name: 'watch',
    alsoCalled: ['follow', 'attach', 'adopt', 'monitor'],
    group: 'Start',
    gist: 'one started by hand',
    summary: `Follow a ${one} that somebody started by hand`,
    usage: 'watch HOST LOG [--pid N]',
    example: ['watch', 'HOST', '/root/logs/run.log'],
    notes: [
      'LOG is a path on the host, from `/` or `~/` on; vigil.yaml lists under `watch_logs` which logs may be named.',
      'Who writes it is found by its open files.',
      'It gets a thread of its own, like one that Vigil launched. Nothing is started and nothing is ended.',
    ],
    right: 'watch',
    whenClosed: 'Not accepted: Redis does not answer, nothing is watched that was not before.',
    options: { pid: { value: 'N', summary: 'The process that writes it, where nobody can see its open files' } },
    args: ({ config }) => z.object({ host: hostOf(config), log: logPath(), pid: pidWord() }),
    run: async ({ host, log, pid }, call) => {
      mustHave(call, 'watch', host);
      const home = await chooseHome(call, host);
      if (home.channel === null) return say(`Not watched: ${whyHomeless(call, host, home, 'it')}`);
      const { user: by, trigger } = call.from;
      const question = { kind: 'watch', host, what: kind, log, pid, by, trigger, channel: home.channel } as const;
      const answer = await askHost(call, question);
      if (answer.kind === 'failed') throw new UsageError(`${answer.reason} Nothing is watched that was not before.`);
      return told(call, answer.told, home.channel);
    },
  });
}

/** A path on the host: whether it may be watched is decided there, on the file that it leads to. */
function logPath() {
  const wrong = 'The log is missing: its path on the host, from `/` or `~/` on.';
  return z
    .string({ error: wrong })
    .regex(/^~?\/.*[^/]$/su, {
      error: ({ input }) => `“${input}” is no path of a log: write it from \`/\` or \`~/\` on, to the file name.`,
    })
    .max(4096, 'The path of the log is too long: at most 4096 characters.');
}

/** Process 1 is everybody's parent. */
function pidWord() {
  return z
    .string()
    .regex(/^[1-9]\d{0,9}$/, {
      error: ({ input }) => `“${input}” is no process number: write \`--pid 4242\`, as \`ps\` shows it on the host.`,
    })
    .transform(Number)
    .refine(
      (pid) => pid > 1,
      'Process 1 is the init of the host, and every process descends from it. Name the process itself.',
    )
    .optional()
    .transform((pid) => pid ?? null);
}

async function told(call: Call, answer: WatchAnswer, channel: string): Promise<Message> {
  switch (answer.kind) {
    case 'refused':
      throw new Refused('found', answer.reason);
    case 'known':
      return known(call, answer.request);
    case 'watched': {
      const { request, notes } = answer;
      call.later(followRoot(call, request));
      const where =
        channel === call.from.channel
          ? 'Its thread follows here.'
          : `I am not in this channel: its thread follows in <#${channel}>.`;
      const more = [whoRuns(request), ...notes.map((note) => markup(note))].filter((words) => words !== null);
      return say(`Watching ${whatIs(request)}. ${where}`, ...(more.length === 0 ? [] : [context(more)]));
    }
    default:
      return answer satisfies never;
  }
}

async function known(call: Call, request: Request): Promise<Message> {
  const root = (await call.desk.run(request.id))?.root ?? null;
  const { name, recipe, host } = request;
  const what = `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*)`;
  return say(`It is followed already: ${what}. Nothing new was begun. ${await wayToThread(call, root)}`);
}

function whatIs({ name, recipe, host, address }: Request): string {
  const where = address === null ? '' : `, ${escapeText(addressWords(address))}`;
  return `*${escapeText(recipe)}* on *${escapeText(host)}* as ${code(name)}${where}`;
}

function whoRuns({ found }: Request): string | null {
  if (found === null || found.process === null) return null;
  const { pid, user, command } = found.process;
  return `Process ${pid}${user === null ? '' : ` of ${escapeText(user)}`}: ${code(command, 200)}`;
}
