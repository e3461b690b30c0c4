/** The buttons under a run's card: those alone that are legal as it stands. Who may not press one is told so when they do. */

import type { Button, KnownBlock } from '@slack/types';
import { isFound } from '../run/request.ts';
import { isEnd, type Run } from '../run/run.ts';
import { EXPLAIN_ACTION, LOG_ACTION, RESTART_ACTION, STOP_ACTION } from './blocks.ts';
import { clip } from './escape.ts';
import { isInTrouble } from './in-trouble.ts';

const STOP_COSTS = {
  serve: 'and with it every request it serves',
  train: 'and what it learned since its last checkpoint may be lost',
} as const;

const LEAVES = 'It leaves the line; nothing of it has been started.';

/** null where none is left. */
export function runButtons(run: Run): KnownBlock | null {
  const elements = [
    ...(canStop(run) ? [stopButton(run)] : []),
    ...(canRestart(run) ? [restartButton(run, isEnd(run.phase))] : []),
    ...(run.started === null ? [] : [plainButton(run, LOG_ACTION, 'Log')]),
    ...(run.started !== null && isInTrouble(run) ? [plainButton(run, EXPLAIN_ACTION, 'Explain')] : []),
  ];
  return elements.length === 0 ? null : { type: 'actions', elements };
}

/** What somebody started by hand is ended by a command alone, which shows what would end. */
function canStop(run: Run): boolean {
  return !isFound(run) && !isEnd(run.phase) && run.stopBy === null;
}

/** But for one that waits, that is being stopped, or that another run has replaced already. */
function canRestart(run: Run): boolean {
  if (isFound(run) || run.restartedAs !== undefined) return false;
  return isEnd(run.phase) || (run.stopBy === null && run.waiting === null);
}

function stopButton(run: Run): Button {
  const { recipe, host, kind } = run.request;
  const text = run.waiting === null ? `${recipe} on ${host} ends, ${STOP_COSTS[kind]}.` : LEAVES;
  return { ...confirmed(run, { action: STOP_ACTION, word: 'Stop', text, deny: 'Keep it' }), style: 'danger' };
}

function restartButton(run: Run, isOver: boolean): Button {
  const { name, recipe, host, kind } = run.request;
  const same = `with the command line, GPUs and log that ${name} had`;
  const text = isOver
    ? `${recipe} on ${host} starts again, ${same}.`
    : `${recipe} on ${host} ends, ${STOP_COSTS[kind]}. Then it starts again, ${same}.`;
  return confirmed(run, { action: RESTART_ACTION, word: 'Restart', text, deny: isOver ? 'Leave it' : 'Keep it' });
}

function plainButton({ request: { id, name } }: Run, action: string, word: string): Button {
  return {
    type: 'button',
    action_id: action,
    value: id,
    text: { type: 'plain_text', text: word },
    accessibility_label: clip(`${word} ${name}`, 75),
  };
}

function confirmed(
  run: Run,
  { action, word, text, deny }: { action: string; word: string; text: string; deny: string },
): Button {
  const { name } = run.request;
  return {
    ...plainButton(run, action, word),
    confirm: {
      title: { type: 'plain_text', text: clip(`${word} ${name}?`, 100) },
      text: { type: 'plain_text', text: clip(text, 300) },
      confirm: { type: 'plain_text', text: `${word} it` },
      deny: { type: 'plain_text', text: deny },
      style: 'danger',
    },
  };
}
