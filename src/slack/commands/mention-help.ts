import type { Message } from '../../chat.ts';
import { code } from '../../report/escape.ts';
import type { Call } from '../call.ts';
import { KINDS } from '../kinds.ts';
import { say } from '../say.ts';

/** What can be said to the app where no run's thread tells what it is about; lines that a phone shows whole. */
export function mentionHelp({ self }: Call): Message {
  const me = `@${self.name}`;
  const { serve, train } = KINDS;
  return say(
    [
      `*In a run's thread*`,
      `${me} status · logs · explain`,
      `${me} stop · restart`,
      '*Anywhere*',
      ...[serve, train].map(({ slash, start }) => `${me} ${slash.slice(1)} ${start} HOST RECIPE`),
      `*All of it*: ${code(`${serve.slash} help`)}, ${code(`${train.slash} help`)}`,
    ].join('\n'),
  );
}
