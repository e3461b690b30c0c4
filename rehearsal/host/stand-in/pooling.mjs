/** What servers answer that give vectors or scores in place of text. */
import { missingField, noSuchModel } from './refusals.mjs';

const dimensions = 1024;

export function embed(asked, args) {
  if (asked.input === undefined) return missingField('input');
  const model = asked.model ?? args.names[0];
  if (!args.names.includes(model)) return noSuchModel(model);
  const inputs = Array.isArray(asked.input) ? asked.input : [asked.input];
  const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding: vector() }));
  return { status: 200, content: { id: 'embd-1', object: 'list', model, data, usage: usageOf(inputs) } };
}

/** A unit vector, as these models give. */
function vector() {
  return Array.from({ length: dimensions }, () => 1 / Math.sqrt(dimensions));
}

/** `queries` and `documents`, or `text_1` and `text_2`: one against many. */
export function score(asked, args) {
  const model = asked.model ?? args.names[0];
  if (!args.names.includes(model)) return noSuchModel(model);
  const documents = asked.documents ?? asked.text_2;
  if ((asked.queries ?? asked.text_1) === undefined) return missingField('queries');
  if (documents === undefined) return missingField('documents');
  const data = scores(documents).map(([, value], index) => ({ index, object: 'score', score: value }));
  return { status: 200, content: { id: 'score-1', object: 'list', model, data, usage: usageOf(data) } };
}

export function rerank(asked, args) {
  const model = asked.model ?? args.names[0];
  if (!args.names.includes(model)) return noSuchModel(model);
  if (asked.query === undefined) return missingField('query');
  if (asked.documents === undefined) return missingField('documents');
  const results = scores(asked.documents).map(([text, value], index) => ({
    index,
    document: { text, multi_modal: null },
    relevance_score: value,
  }));
  return { status: 200, content: { id: 'rerank-1', model, usage: usageOf(results), results } };
}

function scores(documents) {
  const list = Array.isArray(documents) ? documents : [documents];
  return list.map((text, index) => [text, 0.97 / (index + 1)]);
}

function usageOf(items) {
  const tokens = Math.ceil(JSON.stringify(items).length / 4);
  return { prompt_tokens: tokens, total_tokens: tokens, completion_tokens: 0, prompt_tokens_details: null };
}
