import type { Tools } from '../processor.ts';
import { tailLine } from '../report/terminal.ts';
import type { View } from '../report/view.ts';
import type { Run } from '../run/run.ts';

/** What a message needs beside the run: names (the bare user id where Slack does not answer) and the line for a terminal. */
export async function viewOf(run: Run, { chat, config }: Pick<Tools, 'chat' | 'config'>): Promise<View> {
  const nameOf = (user: string): Promise<string> =>
    chat.person(user).then(
      (person) => person.name,
      () => user,
    );
  return {
    requesterName: run.request.by === '' ? '' : await nameOf(run.request.by),
    stopperName: run.stopBy === null ? null : await nameOf(run.stopBy),
    hostLine: run.started === null ? null : tailLine(config.hosts, run.request.host, run.started.log),
  };
}
