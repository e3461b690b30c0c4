import { z } from 'zod';
import type { Message } from '../../chat.ts';
import { list } from '../../list.ts';
import { changedKeys, restartObstacle } from '../../place/again.ts';
import { context } from '../../report/blocks.ts';
import { code, escapeText, markup } from '../../report/escape.ts';
import { DeskClosed, type RestartAnswer, type RunSummary } from '../../requests.ts';
import { isFound, type Request } from '../../run/request.ts';
import { isEnd, type Run } from '../../run/run.ts';
import type { Call } from '../call.ts';
import { findRun } from '../find-run.ts';
import { chooseHome, homeless } from '../home.ts';
import { KINDS, type Kind, statusLine } from '../kinds.ts';
import { Refused } from '../refusals.ts';
import { explain, say } from '../say.ts';
import { runWord } from './arguments.ts';
import { type Command, defineCommand, mustHave } from './define.ts';
import { withThread } from './start.ts';

/** What is true when Redis doesn't answer. */
export const NOT_RESTARTED = 'Not accepted: Redis does not answer, nothing was stopped or started.';

export function defineRestart(kind: Kind): Command {
  return defineCommand({
    name: 'restart',
    alsoCalled: ['again', 'retry', 'reboot', 'relaunch', 'rerun'],
    group: 'End',
    summary: `End a ${KINDS[kind].one} that lives, and start it again as it was`,
    usage: 'restart RUN',
    example: ['restart', 'RUN'],
    notes: [
      'The new run has the command line, log, address, GPUs and stop_grace of RUN; environment, prelude and directory come from its recipe in vigil.yaml. It has a thread of its own, and starts when RUN is proved gone. One that has ended is started again at once.',
      ...(kind === 'train' ? ['Whether it goes on from a checkpoint is up to the script.'] : []),
      'It needs the right `launch` as well.',
    ],
    right: 'stop',
    whenClosed: NOT_RESTARTED,
    args: () => z.object({ run: runWord() }),
    run: async ({ run }, call) => restartRun(call, await findRun(call, run, { kind, right: 'stop', verb: 'restart' })),
  });
}

/** Writes the restart down, asks for the end of the former and says what came of both; refuses who may not do both. */
export async function restartRun(call: Call, { run }: RunSummary): Promise<Message> {
  const { id, name, host, recipe } = run.request;
  mustHave(call, 'stop', host);
  mustHave(call, 'launch', host);
  if (isFound(run))
    throw new Refused('found', `Refused: ${name} was started by hand, and Vigil restarts only what it launched.`);
  const obstacle = restartObstacle(run, call.config);
  if (obstacle !== null) return explain(`Refused, nothing was stopped or started. ${obstacle}`, null);
  const home = await chooseHome(call, host);
  // Nothing is ended for a launch that would have no place for its thread.
  if (home.channel === null) return homeless(call, { name: recipe, host }, home);
  const { user: by, channel, trigger } = call.from;
  const answer = await call.desk.restart({ run: id, by, channel, trigger });
  if (answer.kind === 'held' || answer.kind === 'impossible' || answer.kind === 'unknown') return refused(run, answer);
  const isAsked = isEnd(answer.former) || (await stopFormer(call, id));
  return withThread(call, answer.request, {
    choosing: Promise.resolve(home),
    told: (where) => told(call, run, { answer, isAsked, where }),
  });
}

/** False where Redis stopped answering in between. */
async function stopFormer(call: Call, id: string): Promise<boolean> {
  try {
    await call.desk.stop(id, call.from.user);
    return true;
  } catch (error) {
    if (error instanceof DeskClosed) return false;
    throw error;
  }
}

type Written = Extract<RestartAnswer, { kind: 'accepted' | 'same' }>;

function refused({ request }: Run, answer: Exclude<RestartAnswer, Written>): Message {
  const { name, host, recipe, kind } = request;
  if (answer.kind === 'unknown') return explain(`${name} is not known any more. Nothing was stopped or started.`, null);
  if (answer.kind === 'impossible') return explain(`Refused: ${answer.reason} Nothing was started.`, null);
  const { slash, start } = KINDS[kind];
  const launch = code(`${slash} ${start} ${host} ${recipe}`);
  return say(
    `Refused, nothing was started: what ${code(name)} had is in use by now. ${launch} tells by whom, and offers to wait for it.`,
  );
}

function told(
  call: Call,
  run: Run,
  { answer, isAsked, where }: { answer: Written; isAsked: boolean; where: string },
): Message {
  const { request: former } = run;
  const { name, kind } = answer.request;
  const [was, now] = [code(former.name), code(name)];
  const what = `*${escapeText(former.recipe)}* on *${escapeText(former.host)}*`;
  const command = context([code(former.argv.join(' '), 300)]);
  if (answer.kind === 'same' && isAsked)
    return say(`${was} is restarted already, as ${now}: ${code(statusLine(kind, name))} tells how that stands.`);
  if (isEnd(answer.former)) return say(`Starting ${what} again as ${now}. ${where}${changed(call, run)}`, command);
  const ending = isAsked
    ? 'is being stopped, and the new one starts by itself when it is proved gone.'
    : `could not be stopped, since Redis stopped answering: ${code(`${KINDS[kind].slash} stop ${former.name}`)} does so, and then the new one starts by itself.`;
  return say(`Restarting ${what} as ${now}: ${was} ${ending} ${where}${changed(call, run)}`, command);
}

/** What the restart keeps although vigil.yaml says otherwise by now. */
function changed({ config }: Call, run: Run): string {
  const { recipe: name, host, kind, name: former }: Request = run.request;
  const recipe = config.recipes[name];
  const keys = recipe === undefined ? [] : changedKeys(run, recipe);
  if (keys.length === 0) return '';
  const { slash, start } = KINDS[kind];
  const [have, those] = keys.length === 1 ? ['has', 'the one'] : ['have', 'those'];
  return `\n${markup(`vigil.yaml's ${list(keys)} of ${name} ${have} changed since; this restart keeps ${those} of ${former}. \`${slash} ${start} ${host} ${name}\` takes what is new.`)}`;
}
