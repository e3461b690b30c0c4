import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { UsageError } from '../../errors.ts';
import type { HistoryEntry, TeamNote } from '../../history/entry.ts';
import { troubleOf } from '../../history/trouble.ts';
import { createMask } from '../../log/mask.ts';
import { plainSection, section } from '../../report/blocks.ts';
import { code, escapeText } from '../../report/escape.ts';
import { time } from '../../report/words.ts';
import type { RunSummary } from '../../requests.ts';
import type { Call } from '../call.ts';
import { findAnyRun } from '../find-run.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { nameOf, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand } from './define.ts';

const MOST_TEXT = 1000;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function defineNote(kind: Kind): Command {
  const { one, slash } = KINDS[kind];
  return defineCommand({
    name: 'note',
    alsoCalled: ['comment', 'remember', 'remedy'],
    group: 'Learn',
    gist: 'what helps, next time',
    summary: `Note what helps against what is wrong with a ${one}`,
    usage: 'note RUN [TEXT…]',
    example: ['note', 'RUN', 'Copy the good config.json over, then restart.'],
    notes: [
      'The note belongs to the trouble, not to the run: each run that has the same one shows it on its card, here and on other hosts.',
      `All behind RUN is the note, as it is typed, at most ${MOST_TEXT} characters. A new one takes the place of the former. Without it the note is shown.`,
      'To see it, the right to see the host is enough.',
    ],
    right: 'launch',
    whenClosed: `Redis does not answer: whether it is noted is not known. \`${slash} note RUN\` shows it in a minute.`,
    textAfter: 1,
    args: () => z.object({ run: runWord(), text: z.string().optional() }),
    run: async ({ run, text }, call) => {
      const right = text === undefined ? 'see' : 'launch';
      const troubled = troubledOf(await findAnyRun(call, run, { kind, right, verb: 'note' }));
      return text === undefined ? show(call, troubled, kind) : noteDown(call, troubled, text);
    },
  });
}

/** A run with something wrong. */
interface Troubled {
  readonly id: string;
  /** The run and, where that has a name, what is wrong with it: mrkdwn. */
  readonly what: string;
  readonly trouble: string;
}

function troubledOf(found: RunSummary | { readonly past: HistoryEntry }): Troubled {
  const { id, name, recipe, host } = 'past' in found ? { ...found.past, id: found.past.run } : found.run.request;
  const trouble = 'past' in found ? found.past.fingerprint : troubleOf(found.run);
  if (trouble === null)
    throw new UsageError(
      `Nothing is wrong with ${name} that another run could have, too. A note belongs to a failure, a refusal by checks, a warning of a verification, or a hang: name a run that has one.`,
    );
  return { id, trouble, what: `${code(name)} (*${escapeText(recipe)}* on *${escapeText(host)}*)` };
}

async function show(call: Call, { id, trouble, what }: Troubled, kind: Kind): Promise<Message> {
  const { note } = await call.desk.before(trouble, id, []);
  if (note === null)
    return say(
      `Nothing is noted for what is wrong with ${what}. ${code(`${KINDS[kind].slash} note RUN TEXT`)} notes what helps.`,
    );
  return say(`Noted for what is wrong with ${what}, ${await whose(call, note)}:`, plainSection(note.text));
}

async function noteDown(call: Call, { id, trouble, what }: Troubled, typed: string): Promise<Message> {
  if (!VISIBLE.test(typed))
    throw new UsageError(
      'The note holds nothing that can be seen. Type it behind the run; without a text the note is shown.',
    );
  if (typed.length > MOST_TEXT)
    throw new UsageError(
      `The note has ${typed.length} characters, and at most ${MOST_TEXT} are kept. Shorten it, or name a page that has the rest.`,
    );
  const mask = createMask(Object.values(call.config.recipes).flatMap(({ secrets }) => secrets));
  const note = { text: mask(typed), by: call.from.user, at: call.clock.now() };
  const former = await call.desk.note(trouble, note, id);
  const head = `Noted for what is wrong with ${what}. The cards that tell of it show it: the newest ones at once, and each new one from now on.`;
  if (former === null) return say(head, plainSection(note.text));
  return say(
    head,
    plainSection(note.text),
    section(`It takes the place of what was noted ${await whose(call, former)}:`),
    plainSection(former.text),
  );
}

async function whose(call: Call, { by, at }: TeamNote): Promise<string> {
  return `by ${await nameOf(call, by)}, ${time(at)}`;
}
