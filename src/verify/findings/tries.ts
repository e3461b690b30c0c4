/** What became of one request of each kind that fits the server. */

import { code, count } from '../../check/words.ts';
import type { Measured, Try } from '../measured.ts';
import type { Finding } from '../verification.ts';
import { finding } from './finding.ts';

export function works(tries: readonly Try[]): boolean {
  return tries.some(({ outcome }) => outcome.kind === 'answered');
}

/** What was refused is told only where it says something: an embedding model has no chat. */
export function tryFindings({ tries, models, said }: Pick<Measured, 'tries' | 'models' | 'said'>): readonly Finding[] {
  if (models.kind !== 'named') return [];
  if (tries.length === 0) {
    const can = said.tasks?.map(code).join(', ') ?? 'nothing';
    return [finding('plain', 'not_judged', `by its log it can do ${can}, and Vigil can ask for none of it`)];
  }
  const isOther =
    said.tasks === null && tries.some(({ task, outcome }) => task === 'embedding' && outcome.kind === 'answered');
  const isWorking = works(tries);
  // A classifier of several labels has no scores, and no version says which it is.
  const isExtra = ({ task, outcome }: Try) =>
    task === 'score' && outcome.kind === 'refused' && isWorking && said.tasks?.includes('score') === false;
  return tries
    .filter((tried) => (isOther ? tried.task === 'embedding' : !isExtra(tried)))
    .map((tried) => tryFinding(tried, isWorking));
}

function tryFinding({ task, outcome }: Try, isWorking: boolean): Finding {
  switch (outcome.kind) {
    case 'answered':
      return answered(task, outcome);
    case 'refused':
      return refused(task, outcome, isWorking);
    case 'failed': {
      const how = outcome.status === null ? '' : ` (status ${outcome.status})`;
      return finding(task, isWorking ? 'warned' : 'failed', `${NAMES[task]} failed${how}: ${code(outcome.said)}`, {
        expected: 'an answer',
        advice:
          'See its log for the error of that moment (`/vllm logs`). Nobody is served so: restart it once the cause is gone.',
        shape: outcome.status === null ? 'silent' : `status_${outcome.status}`,
      });
    }
    default:
      return outcome satisfies never;
  }
}

const NAMES: Readonly<Record<Try['task'], string>> = {
  plain: 'A completion',
  chat: 'A chat',
  embedding: 'An embedding',
  classify: 'A classification',
  score: 'A score',
  pooling: 'A pooling',
};

function answered(
  task: Try['task'],
  { amount, text }: { readonly amount: number; readonly text: string | null },
): Finding {
  if (task === 'embedding') return finding(task, 'passed', `It made an embedding of ${count(amount, 'number')}`);
  if (task === 'classify') return finding(task, 'passed', `It classified a text by ${count(amount, 'label')}`);
  if (task === 'score') return finding(task, 'passed', 'It scored a pair of texts');
  if (task === 'pooling') return finding(task, 'passed', `It made ${count(amount, 'number')} of a text`);
  if (text !== null && isOneMark(text))
    return finding(
      task,
      'warned',
      `${NAMES[task]} was answered with one mark again and again: ${code(text.slice(0, 40))}`,
      {
        expected: 'words',
        advice:
          'Compare with `--dtype bfloat16`, another `--kv-cache-dtype`, and without `--quantization`, one after the other.',
        causes: [
          'Numbers that overflow in the model (float16 where it was trained in bfloat16, a broken quantization): each token is then the first of the vocabulary.',
        ],
        shape: 'one_mark',
      },
    );
  return finding(task, 'passed', `${NAMES[task]} was answered with ${count(amount, 'token')}`);
}

/** `!!!!!!!!`: what comes of NaN. */
function isOneMark(text: string): boolean {
  const bare = text.replaceAll(' ', '');
  return bare.length >= 8 && new Set(bare).size === 1;
}

/** It works and doesn't do that; where it did nothing else either, nobody knows whether it works. */
function refused(
  task: Try['task'],
  { status, said }: { readonly status: number; readonly said: string },
  isWorking: boolean,
): Finding {
  const why = /chat template/i.test(said) ? 'the model has no chat template' : `it answered ${status}: ${code(said)}`;
  if (isWorking) return finding(task, 'not_judged', why);
  return finding(task, 'warned', `Not judged: ${why}`, {
    advice: 'See its log for why it refused the request, and ask it by hand whether it works.',
    shape: `status_${status}`,
  });
}
