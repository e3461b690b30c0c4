/** What a server's answers say. They are a stranger's text: bounded, masked, cut, and never trusted to have the right shape. */

import { asObject, numberAt, parseJson, textAt, valueAt } from '../check/json.ts';
import type { HttpAnswer } from '../http.ts';
import type { Mask } from '../log/lines.ts';
import type { Models, PromptRun, Try } from './measured.ts';
import { PROMPT_TOKENS } from './probes.ts';
import { readStream } from './stream.ts';

type Answer = Pick<HttpAnswer, 'status' | 'body'>;
type Outcome = Try['outcome'];

/** None came: why, in the words of who asked. */
export interface Unanswered {
  readonly why: string;
}

/** Many adapters may be named beside the model. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 4_096;
const LONGEST_SAID = 300;
const LONGEST_TEXT = 400;

/** Of GET /v1/models, names as they are to be asked for; `knowsKey`: the request had a key with it. */
export function readModels(answer: Answer | Unanswered, knowsKey: boolean, mask: Mask): Models {
  if ('why' in answer) return { kind: 'wrong', status: null, said: said(answer.why, mask) };
  const { status, body } = answer;
  if (status === 401 || status === 403) return { kind: 'wants_key', status, knowsKey };
  const found = status === 200 ? valueAt(parseJson(body), ['data']) : null;
  const models = Array.isArray(found) ? found.slice(0, MOST_NAMES) : [];
  const names = models.flatMap((model) => textAt(model, 'id') ?? []).filter(({ length }) => length <= LONGEST_NAME);
  if (names.length === 0) return { kind: 'wrong', status, said: saidIn(body, mask) };
  return { kind: 'named', names };
}

/** As people may see them. `own`: the command's names, which may look like secrets (`/data/hf_checkpoints/m`) and are to be found among them. */
export function shownModels(models: Models, own: readonly string[], mask: Mask): Models {
  if (models.kind !== 'named') return models;
  return { kind: 'named', names: models.names.map((name) => (own.includes(name) ? name : mask(name))) };
}

/** Of GET /version, or null. */
export function readVersion({ status, body }: Answer): string | null {
  const version = status === 200 ? textAt(parseJson(body), 'version') : null;
  return version !== null && /^[\w.+!-]{1,60}$/.test(version) ? version : null;
}

/** Of what `tryRequest` asked. */
export function readTry(task: Try['task'], answer: Answer | Unanswered, mask: Mask): Try {
  return { task, outcome: 'why' in answer ? failed(null, said(answer.why, mask)) : outcomeOf(task, answer, mask) };
}

/** What a refusal (4xx, 501) of a fixed prompt said; null for any other answer. */
export function refusalIn(answer: Answer, mask: Mask): { readonly status: number; readonly said: string } | null {
  const outcome = outcomeOf('plain', answer, mask);
  return outcome.kind === 'refused' ? { status: outcome.status, said: outcome.said } : null;
}

/** Of what `promptRequest` asked; null where nothing came of it: another status, an error in the stream, no token. */
export function readPrompt({ status, body, firstMs, totalMs }: HttpAnswer): PromptRun | null {
  if (status !== 200) return null;
  const { chunks, isStream } = readStream(body);
  if (chunks.some((chunk) => errorIn(chunk) !== null)) return null;
  const told = chunks.flatMap((chunk) => numberAt(chunk, 'usage', 'completion_tokens') ?? []).at(-1);
  // A piece may hold several tokens: drafts that were accepted, or what `--stream-interval` keeps together.
  const isFull = chunks.some((chunk) => textAt(chunk, 'choices', 0, 'finish_reason') === 'length');
  const tokens = told ?? (isFull ? PROMPT_TOKENS : chunks.filter((chunk) => textIn(chunk) !== null).length);
  if (tokens < 1) return null;
  // Of an answer that came in one piece the first token can't be told from the last.
  return { tokens, firstMs: isStream ? firstMs : null, totalMs };
}

function outcomeOf(task: Try['task'], { status, body }: Answer, mask: Mask): Outcome {
  const json = parseJson(body);
  const error = errorIn(json);
  // Some versions say an error with status 200 (vllm-project/vllm#21704).
  const code = status === 200 && error !== null ? (error.code ?? 500) : status;
  if (code !== 200) {
    const words = saidIn(body, mask);
    return (code >= 400 && code < 500) || code === 501
      ? { kind: 'refused', status: code, said: words }
      : failed(code, words);
  }
  const answered = answeredIn(task, json);
  if (answered === null) return failed(status, `an answer that is none: ${saidIn(body, mask)}`);
  const text = answered.text === null ? null : hidden(answered.text, mask).slice(0, LONGEST_TEXT);
  return { kind: 'answered', amount: answered.amount, text };
}

function failed(status: number | null, words: string): Outcome {
  return { kind: 'failed', status, said: words };
}

/** null for what holds no token, vector or score. */
function answeredIn(
  task: Try['task'],
  json: unknown,
): { readonly amount: number; readonly text: string | null } | null {
  if (task === 'embedding') return some(numbersIn(valueAt(json, ['data', 0, 'embedding'])));
  if (task === 'pooling') return some(numbersIn([valueAt(json, ['data', 0, 'data'])].flat(2)));
  if (task === 'classify') return some(numbersIn(valueAt(json, ['data', 0, 'probs'])));
  if (task === 'score') {
    const data = valueAt(json, ['data']);
    return some(Array.isArray(data) ? data.filter((each) => numberAt(each, 'score') !== null).length : 0);
  }
  if (asObject(valueAt(json, ['choices', 0])) === null) return null;
  const text = textIn(json);
  const amount = numberAt(json, 'usage', 'completion_tokens') ?? Number(text !== null);
  return amount < 1 ? null : { amount, text };
}

function some(amount: number): { readonly amount: number; readonly text: null } | null {
  return amount === 0 ? null : { amount, text: null };
}

/** All of a vector have to be numbers: JSON has no NaN, and some servers write null in its place. */
function numbersIn(vector: unknown): number {
  return Array.isArray(vector) && vector.every((each) => typeof each === 'number') ? vector.length : 0;
}

/** Of a completion, a chat or one piece of their streams; a model that thinks may have said nothing else yet. */
function textIn(json: unknown): string | null {
  const choice = valueAt(json, ['choices', 0]);
  const places = [choice, valueAt(choice, ['message']), valueAt(choice, ['delta'])];
  const texts = places.flatMap((place) =>
    ['text', 'content', 'reasoning', 'reasoning_content'].flatMap((key) => textAt(place, key) ?? []),
  );
  return texts.find((text) => text !== '') ?? null;
}

/** vLLM's `{error: {message, code}}`, and the older `{object: 'error', message, code}`. */
function errorIn(json: unknown): { readonly message: string; readonly code: number | null } | null {
  const inner = asObject(valueAt(json, ['error'])) ?? (textAt(json, 'object') === 'error' ? asObject(json) : null);
  const message = textAt(inner, 'message') ?? textAt(json, 'error');
  if (inner === null && message === null) return null;
  return { message: message ?? '', code: numberAt(inner, 'code') };
}

/** The error's own message, else the body's beginning. */
function saidIn(body: string, mask: Mask): string {
  return said(errorIn(parseJson(body))?.message ?? textAt(parseJson(body), 'detail') ?? body, mask);
}

function said(text: string, mask: Mask): string {
  return hidden(text, mask)
    .replace(/\s{1,300}/g, ' ')
    .trim()
    .slice(0, LONGEST_SAID);
}

/** Without secrets; what a limit has cut in two is beyond what is shown of it. */
function hidden(text: string, mask: Mask): string {
  return mask(text.slice(0, 10 * LONGEST_TEXT));
}
