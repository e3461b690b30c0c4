/** What a server is asked for: what fits what it can do, small and fixed. Bodies are JSON, paths are without `--root-path`. */

import type { Reading } from '../log/reading.ts';
import type { Try } from './measured.ts';
import type { Prompt } from './prompts.ts';
import type { Serving } from './serving.ts';

export { PROMPTS, type Prompt } from './prompts.ts';

/** A POST with a JSON body. */
export interface ProbeRequest {
  readonly path: string;
  readonly body: string;
}

type Task = Try['task'];

/** Of a try, and of a fixed prompt. */
const FEW_TOKENS = 16;
export const PROMPT_TOKENS = 128;

/** What the log says it can do (`generate`, `embed`, …), or null. */
export function tasksOf({ facts }: Pick<Reading, 'facts'>): readonly string[] | null {
  const { tasks } = facts;
  return typeof tasks === 'string' && tasks !== '' ? tasks.split(',') : null;
}

/**
 * What to ask it for next, given what came of the tries so far; null: nothing more. Where nobody knows what it can do, a completion and a chat are asked for,
 * and an embedding when both are refused.
 */
export function nextTask(
  tasks: readonly string[] | null,
  serving: Pick<Serving, 'isExtraction'>,
  tries: readonly Try[],
): Task | null {
  const fitting = tasksFor(tasks, serving);
  const next = fitting.find((task) => !tries.some((tried) => tried.task === task));
  if (next !== undefined) return next;
  const isRefused = tries.length === fitting.length && tries.every(({ outcome }) => outcome.kind === 'refused');
  return tasks === null && !serving.isExtraction && isRefused ? 'embedding' : null;
}

/** A server for hidden states writes a file a request: one is enough. */
function tasksFor(tasks: readonly string[] | null, { isExtraction }: Pick<Serving, 'isExtraction'>): readonly Task[] {
  if (isExtraction) return ['plain'];
  if (tasks === null) return ['plain', 'chat'];
  const found = TASKS.flatMap(([names, fitting]) => (names.some((name) => tasks.includes(name)) ? fitting : []));
  if (found.length === 0 && POOLING.some((name) => tasks.includes(name))) return ['pooling'];
  return [...new Set(found)];
}

/** vLLM's words for what a model can do (tasks.py; older versions have `score`, `embedding`). */
const TASKS: readonly (readonly [names: readonly string[], fitting: readonly Task[]])[] = [
  [['generate'], ['plain', 'chat']],
  [['embed', 'embedding', 'embed&token_classify'], ['embedding']],
  // Newer versions name a reranker `classify` alone.
  [['classify'], ['classify', 'score']],
  [['score'], ['score']],
];

/** Asked for as vectors of each token where a model does nothing else: the others name these, too. */
const POOLING: readonly string[] = ['token_embed', 'token_classify', 'encode', 'reward'];

/** Where to ask: a server with `--root-path` answers without it, some ways to it only with it. The next is to be tried after a 404. */
export function pathsOf(path: string, { rootPath }: Pick<Serving, 'rootPath'>): readonly string[] {
  return rootPath === '' ? [path] : [path, `${rootPath}${path}`];
}

/** One try of its kind. `model` is a name that /v1/models told. */
export function tryRequest(task: Task, model: string): ProbeRequest {
  const few = { max_tokens: FEW_TOKENS, temperature: 0 };
  switch (task) {
    case 'plain':
      return post('/v1/completions', { model, prompt: 'The capital of France is', ...few });
    case 'chat': {
      const messages = [{ role: 'user', content: 'Name the capital of France.' }];
      return post('/v1/chat/completions', { model, messages, ...few });
    }
    case 'embedding':
      return post('/v1/embeddings', { model, input: 'The capital of France is Paris.' });
    case 'classify':
      return post('/classify', { model, input: 'The capital of France is Paris.' });
    case 'pooling':
      return post('/pooling', { model, input: 'The capital of France is Paris.' });
    case 'score':
      return post('/v1/score', {
        ...{ model, text_1: 'What is the capital of France?' },
        text_2: 'The capital of France is Paris.',
      });
    default:
      return task satisfies never;
  }
}

/** How the prompts are to be sent: as a chat where it has answered one (drafters are trained on chats), else plain; null where it doesn't generate. */
export function promptTask(tries: readonly Try[]): 'chat' | 'plain' | null {
  const works = (task: Task) => tries.some((tried) => tried.task === task && tried.outcome.kind === 'answered');
  if (works('chat')) return 'chat';
  return works('plain') ? 'plain' : null;
}

/** A fixed prompt as a stream of a fixed number of tokens, which tells at its end how many they were. */
export function promptRequest(prompt: Prompt, as: 'chat' | 'plain', model: string): ProbeRequest {
  const same = {
    ...{ model, max_tokens: PROMPT_TOKENS, temperature: 0, ignore_eos: true },
    ...{ stream: true, stream_options: { include_usage: true } },
  };
  return as === 'chat'
    ? post('/v1/chat/completions', { ...same, messages: [{ role: 'user', content: prompt.text }] })
    : post('/v1/completions', { ...same, prompt: prompt.text });
}

function post(path: string, body: Readonly<Record<string, unknown>>): ProbeRequest {
  return { path, body: JSON.stringify(body) };
}
