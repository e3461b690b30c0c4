/**
 * How a script reaches a host: one constant command, harmless to any login shell; the script's text and then its data come on stdin.
 * Nothing that a person wrote ever stands in shell text.
 */

/** A script for dash, bash and busybox sh. `name` is what people may see of it; `input` is already encoded by `line`. */
export interface Script {
  readonly name: string;
  readonly text: string;
  readonly input: string;
}

/**
 * Evaluates the next length-prefixed text of stdin, and not a byte beyond: what follows is left to the script. `read` takes one byte at a
 * time; dd fills one block of exactly that size, or takes single bytes where it doesn't know fullblock (it then fails before it reads).
 */
export const EVALUATE_STDIN =
  'IFS= read -r vigil_n; eval "$(dd bs=$vigil_n count=1 iflag=fullblock 2>/dev/null || dd bs=1 count=$vigil_n 2>/dev/null)"';

/** The command of every exec. `exec` keeps a login shell's own end (.bash_logout) out of the output. */
export const EXEC_COMMAND = `exec sh -c '${EVALUATE_STDIN}'`;

/**
 * One value as one line, which `vigil_word` gives back byte for byte. The value may hold anything but NUL. Plain text goes as it is; what
 * `read` or a line can't hold (control characters, a backslash) is written for `printf %b`, and then all but letters and digits is: in some
 * locales a backslash may be the second half of a character.
 */
export function line(value: string | number): string {
  const text = String(value);
  if (!NEEDS_CODE.test(text)) return `${text}\n`;
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += PLAIN.test(character) ? character : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return `${encoded}\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const NEEDS_CODE = /[\u0000-\u001f\u007f\\]/;
const PLAIN = /^[A-Za-z0-9_./:=,+-]$/;

/** Text with its length in bytes before it, as EVALUATE_STDIN reads it. */
export function prefixed(text: string): string {
  return `${Buffer.byteLength(text)}\n${text}`;
}

/** All that is written to stdin for a script: the nonce tells its output from what a login shell printed before. */
export function renderStdin(script: Script, nonce: string): string {
  return prefixed(SAY_NONCE + script.text) + line(nonce) + script.input;
}

/** Index of the first byte after the nonce's line, or -1 while it hasn't come. */
export function findOutput(bytes: Buffer, nonce: string): number {
  const mark = Buffer.from(`${nonce}\n`);
  const at = bytes.indexOf(mark);
  return at < 0 ? -1 : at + mark.length;
}

/**
 * `vigil_word` reads a line of data into $vigil_w; cut-off data (a connection that broke) ends the script before it did anything. A fork a
 * word is spent only where there is something to decode: thousands of words take a fraction of a second.
 */
export const READ_WORD = `
vigil_word() {
  IFS= LC_ALL=C read -r vigil_line || exit 74
  vigil_w=$vigil_line
  case $vigil_line in *\\\\*) vigil_w=$(printf '%b.' "$vigil_line"); vigil_w=\${vigil_w%.} ;; esac
}
`;

/** `vigil_path` reads a path: ~/ and relative paths start in the home folder. */
export const HOME_PATH = `
vigil_path() {
  vigil_word
  case $vigil_w in
    '' | /*) ;;
    '~/'*) vigil_w=$HOME/\${vigil_w#'~/'} ;;
    *) vigil_w=$HOME/$vigil_w ;;
  esac
}
`;

const SAY_NONCE = `${READ_WORD}${HOME_PATH}
vigil_word
printf '%s\\n' "$vigil_w"
`;
