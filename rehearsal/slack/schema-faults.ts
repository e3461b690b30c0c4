/** What is wrong with an argument, in Slack's words: a sentence and a JSON pointer. */
import type { z } from 'zod';

/** `root`: where the judged value stands among the arguments. */
export function describe(issue: z.core.$ZodIssue, root: readonly string[]): string {
  const path = [...root, ...issue.path.map(String)];
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return `missing required field: ${path.at(-1)} ${pointer(path.slice(0, -1))}`;
  }
  return `${sentence(issue)} ${pointer(path)}`;
}

export function pointer(path: readonly (string | number)[]): string {
  return `[json-pointer:/${path.join('/')}]`;
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `must be less than ${Number(issue.maximum) + 1} characters`;
  if (issue.code === 'too_big') return `no more than ${issue.maximum} items allowed`;
  if (issue.code === 'too_small' && issue.origin === 'string')
    return `must be more than ${Number(issue.minimum) - 1} characters`;
  if (issue.code === 'too_small') return `no less than ${issue.minimum} items allowed`;
  if (issue.code === 'unrecognized_keys') return `invalid additional property: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return 'unsupported type';
  return issue.message;
}
