/** Secrets in URLs: the user part, and what a query signs or identifies with. */

import { hideValue } from './harmless-values.ts';

const MASKED = '[masked]';

/** `user:password@` of any scheme. Slashes may be escaped, as in JSON; behind a colon a port may stand as well. */
const URL_PASSWORD =
  /(\b[a-z][a-z0-9+.-]{1,20}:(?:\\{0,4}\/){2}[^\s/:@'"[\]\\]{0,200}:)(?!\d{1,5}(?![\w.~%!$&*+=-]))([^\s'"/@][^\s'"/]*|[^\s'"@]{1,200})(?=@)/gi;
/** Of http all before the @, since a token may stand there alone. */
const URL_USER = /(\b(?:git\+)?(?:https?|wss?):(?:\\{0,4}\/){2})([^\s/:@'"[\]\\]+)(?=@)/gi;
/** A URL within a query. */
const URL_ENCODED = /(%3A%2F%2F)((?:(?!%2F|%40)[\w.~%+!$*-]){1,400})(?=%40)/gi;
const QUERY =
  /([?&;](?:amp;)?(?:[\w-]{1,40}[_-])?(?:api[_-]?key|auth|code|credential|hmac|jwt|key|passwd|password|policy|pwd|secret|sig|signature|ticket|token)=)((?:[^\s&"'<>#|\\):]|:(?=\S))+)/gi;

/** A text without these holds nothing that is hidden here. */
export const URL_SIGNS: readonly string[] = [
  ...['@', '%40', 'auth=', 'code=', 'credential=', 'hmac=', 'jwt=', 'key=', 'passwd=', 'password='],
  ...['policy=', 'pwd=', 'secret=', 'sig=', 'signature=', 'ticket=', 'token='],
];

/** The text of one line without secrets in URLs. */
export function hideInUrls(text: string): string {
  return text
    .replace(URL_PASSWORD, `$1${MASKED}`)
    .replace(URL_USER, `$1${MASKED}`)
    .replace(URL_ENCODED, hideEncoded)
    .replace(QUERY, hideValue);
}

/** The user's name may stay where a password follows it. */
function hideEncoded(_: string, before: string, user: string): string {
  const [name = ''] = user.split(/%3A/i, 1);
  return name === user ? `${before}${MASKED}` : `${before}${name}%3A${MASKED}`;
}
