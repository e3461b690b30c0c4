/** Private keys go over several lines: the mask of the reader, which sees one line at a time, can't know that the next one is a part of it. */

const BREAK = '(?:\\s|\\\\n|\\\\r){1,20}';
const BASE64 = '[A-Za-z0-9+/=]';
const LABEL = '[A-Z ]{0,40}PRIVATE KEY-----';
const KEY = new RegExp(
  `(-----BEGIN ${LABEL})(?:${BREAK}${BASE64}{40,})*(?:${BREAK}${BASE64}{1,80})?(${BREAK}-----END ${LABEL})?`,
  'g',
);

/** A line that is base64 alone, such as one of a key whose first line is further above; not a container's or a file's hash. */
const LINE = /^[ \t]{0,20}(?=\S{0,80}[A-Z])(?=\S{0,80}[a-z])[A-Za-z0-9+/]{60,76}={0,2}$/gm;

/** The last line of a key is shorter. */
const LAST = new RegExp(`^[ \\t]{0,20}${BASE64}{1,80}(?=\\n[ \\t]{0,20}-----END ${LABEL})`, 'gm');

const MASKED = '[masked]';

/** `text` with what may be of a private key hidden. */
export function withoutKeys(text: string): string {
  return text.replace(KEY, `$1 ${MASKED}$2`).replace(LINE, MASKED).replace(LAST, MASKED);
}

export function linesWithoutKeys(lines: readonly string[]): readonly string[] {
  return withoutKeys(lines.join('\n')).split('\n');
}
