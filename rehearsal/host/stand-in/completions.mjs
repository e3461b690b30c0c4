/** /v1/completions and /v1/chat/completions: whole, or as a stream of server-sent events. */

import { EngineDead } from './generation.mjs';
import { engineDead, missingField, noSuchModel, noTemplate, tooLong } from './refusals.mjs';

const text = 'A short answer is enough to show that the server completes a prompt. ';
const lettersPerToken = 4;
/** So many tokens a reasoning model thinks before it answers. */
const thoughts = 220;

/** The answer to a parsed body: `{status, content}`, or `{status, stream}`, which yields the text of events. */
export function createCompletions({ args, serving, generation }) {
  return async function complete(asked, { isChat, signal }) {
    const wanted = read(asked, { args, isChat, hasTemplate: serving.hasTemplate });
    if (wanted.refusal !== undefined) return wanted.refusal;
    const request = { ...wanted, model: asked.model ?? args.names[0], isChat, signal };
    if (asked.stream === true) {
      return {
        status: 200,
        stream: stream({ generation, request, wantsUsage: asked.stream_options?.include_usage === true }),
      };
    }
    try {
      return { status: 200, content: await whole({ generation, request }) };
    } catch (error) {
      if (!(error instanceof EngineDead)) throw error;
      return engineDead(error.message);
    }
  };
}

function read(asked, { args, isChat, hasTemplate }) {
  const model = asked.model ?? args.names[0];
  if (isChat && !Array.isArray(asked.messages)) return { refusal: missingField('messages') };
  if (!isChat && asked.prompt === undefined) return { refusal: missingField('prompt') };
  if (!args.names.includes(model)) return { refusal: noSuchModel(model) };
  if (isChat && !hasTemplate) return { refusal: noTemplate };
  const given = isChat ? asked.messages : asked.prompt;
  const prompts = isChat || !isListOfPrompts(given) ? 1 : given.length;
  const promptTokens = Math.ceil(JSON.stringify(given).length / lettersPerToken);
  const room = Math.max(1, args.maxModelLen - promptTokens);
  const tokens = Math.max(1, Number(asked.max_completion_tokens ?? asked.max_tokens ?? (isChat ? room : 16)));
  const refusal = tooLong({ promptTokens, tokens, most: args.maxModelLen });
  if (refusal !== null) return { refusal };
  const thinks = isChat && args.hasReasoning && asked.chat_template_kwargs?.enable_thinking !== false;
  return { prompts, promptTokens, tokens, thoughts: thinks ? Math.min(tokens, thoughts) : 0 };
}

/** A list of numbers is one prompt, in tokens. */
function isListOfPrompts(prompt) {
  return Array.isArray(prompt) && typeof prompt[0] !== 'number';
}

async function whole({ generation, request }) {
  const { prompts, promptTokens, tokens, thoughts, isChat } = request;
  const each = async () => {
    for await (const _ of generation.generate(request));
  };
  await Promise.all(Array.from({ length: prompts }, each));
  const written = textOf(thoughts, tokens);
  const choice = isChat
    ? { message: { role: 'assistant', content: written === '' ? null : written, ...reasoning(textOf(0, thoughts)) } }
    : { text: written };
  const choices = Array.from({ length: prompts }, (_, index) => ({
    index,
    ...choice,
    logprobs: null,
    finish_reason: 'length',
  }));
  const usage = usageOf({ promptTokens, tokens: tokens * prompts });
  return { ...envelope(request, isChat ? 'chat.completion' : 'text_completion'), choices, usage };
}

async function* stream({ generation, request, wantsUsage }) {
  const { isChat, promptTokens, tokens, thoughts } = request;
  const base = envelope(request, isChat ? 'chat.completion.chunk' : 'text_completion');
  const event = (choices, more = {}) => `data: ${JSON.stringify({ ...base, choices, ...more })}\n\n`;
  const choice = (part, finish) => ({ index: 0, ...part, logprobs: null, finish_reason: finish });
  let done = 0;
  try {
    for await (const more of generation.generate(request)) {
      // Chat's first event has a role and no text; it comes with the first token.
      if (isChat && done === 0) yield event([choice({ delta: { role: 'assistant', content: '' } }, null)]);
      const finish = done + more >= tokens ? 'length' : null;
      const part = isChat
        ? { delta: deltaOf({ from: done, to: done + more, thoughts }) }
        : { text: textOf(done, done + more) };
      yield event([choice(part, finish)]);
      done += more;
    }
    if (wantsUsage) yield event([], { usage: usageOf({ promptTokens, tokens: done }) });
  } catch (error) {
    if (!(error instanceof EngineDead)) throw error;
    yield `data: ${JSON.stringify(engineDead(error.message).content)}\n\n`;
  }
  yield 'data: [DONE]\n\n';
}

function deltaOf({ from, to, thoughts }) {
  const spoken = textOf(Math.max(from, thoughts), to);
  return { ...(spoken === '' ? {} : { content: spoken }), ...reasoning(textOf(from, Math.min(to, thoughts))) };
}

/** What it thinks comes in place of content; versions before 0.16 called it `reasoning_content`. */
function reasoning(thought) {
  return thought === '' ? {} : { reasoning: thought };
}

function textOf(from, to) {
  if (to <= from) return '';
  return text
    .repeat(Math.ceil((to * lettersPerToken) / text.length))
    .slice(from * lettersPerToken, to * lettersPerToken);
}

function envelope({ isChat, model }, object) {
  const id = `${isChat ? 'chatcmpl' : 'cmpl'}-${Date.now().toString(16)}`;
  return { id, object, created: Math.floor(Date.now() / 1000), model };
}

function usageOf({ promptTokens, tokens }) {
  return {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + tokens,
    completion_tokens: tokens,
    prompt_tokens_details: null,
  };
}
