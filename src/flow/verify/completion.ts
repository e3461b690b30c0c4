/** What a server's first request showed, as one sentence. */

import type { Measured, Try } from '../../verify/measured.ts';

export function completionWords({ models, tries, run }: Pick<Measured, 'models' | 'tries' | 'run'>): string {
  if (models.kind === 'wants_key') return `No completion was asked for: ${keyWords(models, run.isFound)}`;
  if (models.kind === 'wrong') {
    const how = models.status === null ? 'gave no answer' : `answered ${models.status} and names no model`;
    return `No completion was asked for: /v1/models ${how}.`;
  }
  for (const one of tries) if (one.outcome.kind === 'answered') return DONE[one.task](one.outcome.amount);
  const [first] = tries;
  if (first === undefined) return 'No completion was asked for: it says that it does none that Vigil can ask for.';
  return `Its completion was not judged: the ${first.task} request was answered with ${statusOf(first)}.`;
}

function keyWords({ status, knowsKey }: { status: number; knowsKey: boolean }, isFound: boolean): string {
  if (knowsKey)
    return `the server refused the key that the recipe's environment names as VLLM_API_KEY (/v1/models answered ${status}).`;
  const next = isFound
    ? 'which Vigil does not know of a server that it did not launch'
    : "which the recipe's environment does not name as VLLM_API_KEY";
  return `the server wants an API key (/v1/models answered ${status}), ${next}.`;
}

const DONE: Readonly<Record<Try['task'], (amount: number) => string>> = {
  plain: (tokens) => `It completed a prompt with ${tokens} token${tokens === 1 ? '' : 's'}.`,
  chat: (tokens) => `It answered a chat with ${tokens} token${tokens === 1 ? '' : 's'}.`,
  embedding: (numbers) => `It made an embedding of ${numbers} numbers.`,
  classify: (labels) => `It classified a text by ${labels} label${labels === 1 ? '' : 's'}.`,
  score: () => 'It scored two texts.',
  pooling: (numbers) => `It made ${numbers} numbers of a text.`,
};

function statusOf({ outcome }: Try): string {
  if (outcome.kind === 'answered') return '200';
  return outcome.status === null ? 'nothing in time' : String(outcome.status);
}
