/** What vLLM answers in place of what was asked for, in its own shapes and words. */

export const unauthorised = { status: 401, content: { error: 'Unauthorized' } };
/** FastAPI's own: of paths that no route has, and of routes that don't take the method. */
export const notFound = { status: 404, content: { detail: 'Not Found' } };
export const wrongMethod = (allow) => ({ status: 405, content: { detail: 'Method Not Allowed' }, headers: { allow } });

function refuse(status, type, message, param = null) {
  return { status, content: { error: { message, type, param, code: status } } };
}

export const noSuchModel = (model) => refuse(404, 'NotFoundError', `The model \`${model}\` does not exist.`, 'model');

/** What pydantic says of a body that lacks a field. */
export function missingField(field) {
  const error = `{'type': 'missing', 'loc': ('body', '${field}'), 'msg': 'Field required', 'input': {}}`;
  return refuse(400, 'Bad Request', `1 validation error:\n  ${error}`, `body.${field}`);
}

export const notJson = refuse(
  400,
  'Bad Request',
  "1 validation error:\n  {'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error', 'input': {}, 'ctx': {'error': 'Expecting value'}}",
  'body.0',
);

export const wrongMediaType = refuse(
  400,
  'Bad Request',
  "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed",
);

export const noTemplate = refuse(
  400,
  'BadRequestError',
  'As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.',
);

/** null where it fits. */
export function tooLong({ promptTokens, tokens, most }) {
  if (promptTokens + tokens <= most) return null;
  return refuse(
    400,
    'BadRequestError',
    `This model's maximum context length is ${most} tokens. However, you requested ${tokens} output tokens and your prompt contains at least ${promptTokens} input tokens, for a total of at least ${promptTokens + tokens} tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=${promptTokens})`,
    'input_tokens',
  );
}

export const engineDead = (message) => refuse(500, 'InternalServerError', message);
