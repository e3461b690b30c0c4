/** `--dry-run`: what a launch would do and meet, told to who asks alone. */

import type { KnownBlock } from '@slack/types';
import type { Message } from '../../chat.ts';
import type { DryRun } from '../../questions.ts';
import { listed, message, preformatted, section } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { shellWord } from '../../report/terminal.ts';
import { gpuWords } from '../../report/words.ts';
import { askHost } from '../ask.ts';
import type { Call } from '../call.ts';
import { explain } from '../say.ts';
import { mustHave } from './define.ts';

interface Wanted {
  readonly host: string;
  readonly recipe: string;
}

/** What one preformatted block shows of a part. */
const MOST = 2400;

/** Refuses who may not launch there: PATH, folders and environment are for those who may start things. */
export async function dryRun(wanted: Wanted, call: Call): Promise<Message> {
  mustHave(call, 'launch', wanted.host);
  const answer = await askHost(call, { kind: 'dry_run', ...wanted });
  return answer.kind === 'failed' ? explain(`${answer.reason} Nothing was started.`, null) : shown(wanted, answer.told);
}

function shown(wanted: Wanted, told: DryRun): Message {
  const head = verdict(wanted, told);
  return message(head, [
    ...opening(wanted, told),
    listed([...facts(told), ...needs(told)]),
    ...environmentBlocks(told),
    ...preludeBlocks(told),
  ]);
}

/** What matters first: whether it would start, what is in its way, and the words of its command. */
export function opening(wanted: Wanted, told: DryRun): readonly KnownBlock[] {
  return [
    section(verdict(wanted, told)),
    ...[told.obstacles, told.warnings].filter((sentences) => sentences.length > 0).map(listed),
    section('*The words of its command*, one argument a word:'),
    preformatted(cut(commandLines(told.argv).join('\n'))),
  ];
}

function verdict({ host, recipe }: Wanted, { reached, obstacles }: DryRun): string {
  const what = `*${escapeText(recipe)}* on *${escapeText(host)}* (${code(reached)})`;
  const found =
    obstacles.length === 0
      ? 'Nothing was found in its way.'
      : `It would be refused now, for ${obstacles.length === 1 ? 'one reason' : `${obstacles.length} reasons`}:`;
  return `Dry run of ${what}: nothing was started. ${found}`;
}

function facts({ program, path, argv, prelude, directory, log, olderLog }: DryRun): string[] {
  const [first = ''] = argv;
  const found = program === null ? `${first} was not found` : `${first} is ${program}, found`;
  const older = olderLog === null ? '' : `; an older log of ${olderLog.toLocaleString('en-US')} bytes is moved aside`;
  return [
    `${found} on PATH ${path}${prelude === null ? '' : '; the prelude may change that'}`,
    `Working directory ${directory}`,
    log === null ? 'Log in the run folder' : `Log ${log}${older}`,
  ];
}

/** The GPUs and the address that it would have, a sentence each. */
export function needs({ gpus, address }: DryRun): readonly string[] {
  return [gpuWords(gpus) ?? 'No GPU', ...(address === null ? [] : [`Listens on ${address}`])];
}

/** A flag and its value stand in one line; quotes are the shell's, so that each word is seen exactly. */
function commandLines(argv: readonly string[]): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const word of argv) {
    const isFlag = word.startsWith('-');
    const last = lines.length - 1;
    if (isOpen && !isFlag) lines[last] = `${lines[last]} ${shellWord(word)}`;
    else lines.push(shellWord(word));
    isOpen = isFlag && !word.includes('=');
  }
  return lines;
}

function environmentBlocks({ environment: variables }: DryRun) {
  if (variables.length === 0) return [section('No variables of its own.')];
  const lines = variables.map(({ name, value }) => `${name}=${value === null ? '(a secret)' : shellWord(value)}`);
  return [section('*Its variables*, beside those of the login:'), preformatted(cut(lines.join('\n')))];
}

function preludeBlocks({ prelude: text }: DryRun) {
  return text === null ? [] : [section('*Its prelude*, which runs before:'), preformatted(cut(text))];
}

function cut(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}\n… ${text.length - MOST} more characters`;
}
