/** What the lines of a traceback and those around it look like, as CPython, Ray, torch, concurrent.futures and loguru print them. */

import { isBar } from './speaker.ts';
import { HEAD } from './traceback-head.ts';

/** CPython's sentences between the exceptions of a chain. */
const CAUSE = /^The above exception was the direct cause of\b/;
const CONTEXT = /^During handling of the above exception\b/;
/** What announces a traceback of something that was caught: of finalizers, of logging itself, of hooks at the exit. */
const HARMLESS = /^(?:Exception ignored |--- Logging error ---|Error in (?:atexit\._run_exitfuncs|sys\.excepthook))/;
/** Of a SyntaxError in the very file that was to run: no head stands above it. */
const SYNTAX_FRAME = /^ {2}File "[^"]{1,1000}", line \d+$/;
/** Ray's head of a traceback that another process had. */
const REMOTE = /^ray::\S{1,200} \(pid=\d+, ip=/;

/** What can begin something where no traceback is open. */
export const TRACEBACK_SIGNS: readonly RegExp[] = [
  /Traceback \(most recent call last\):/,
  HARMLESS,
  CAUSE,
  CONTEXT,
  SYNTAX_FRAME,
  REMOTE,
];

/** Python's own classes end like this, as most do; the others have a module before them, or two humps, where a script defines them itself. */
const EXCEPTION =
  /^((?:(?:[A-Za-z_]\w*|<locals>)\.)+[A-Za-z_]\w*|\w*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Group)|[A-Z][a-z\d]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*|Empty|Full|Timeout)(\(\w+\))?(?:: ?(.*))?$/;
/** Behind frames of one logger record nothing else can stand: any name is a class. */
const ANY_NAME = /^([A-Za-z_][\w.<>]*)(\(\w+\))?(?:: ?(.*))?$/;
const FILE_NAME = /^[\w.-]*\.(?:py|sh|so|cc?|cpp|cuh?|h|json|txt|log|ya?ml|toml|safetensors)(?::|$)/;
const SYNTAX_ERROR = /^(?:Syntax|Indentation|Tab)Error: /;

/** Text that is never part of an exception's message: the next thing in an unprefixed stream. */
const FOREIGN = new RegExp(
  `^(?:${[
    'Process \\S+:',
    '\\[[\\w./-]+\\] ',
    '\\++ ',
    '\\S+:\\d+: \\w*Warning',
    '\\S+:\\d+:\\d+ \\[\\d+\\] ',
    'Exception (?:ignored|in thread)',
    'Fatal Python error',
    'Segmentation fault',
    'Aborted\\b',
    'Killed',
    'terminate called',
    '(?:free|malloc|realloc|munmap_chunk)\\(\\): ',
    'double free or corruption',
    'corrupted (?:size|double)',
    '\\*\\*\\* ',
    '!!!!!!! ',
    '==== backtrace',
    "thread '",
    'LLVM ERROR',
    '--- Logging error ---',
    'Error in (?:atexit|sys)\\.',
    'Call stack:',
    'Task exception was never retrieved',
    '(?:\\w+\\.){1,4}_?RemoteTraceback: ?$',
    '(?:"""|\'\'\')$',
    'usage: ',
    'nohup: ',
    'slurmstepd: ',
    'srun: ',
    '(?:[\\w./-]*sh|\\S+\\.sh): (?:line )?\\d+: ',
    'ERROR conda',
    'exit status \\d+$',
    '#{1,6} ',
    '>{1,3} ',
    '[^:]{0,60}\\b(?:exit(?:ed)? (?:code|status|with)|ended with) \\d',
    '[\\w@.-]{1,100}\\.service: ',
    '(?:Start(?:ed|ing)|Stopp(?:ed|ing)|Failed to start) [\\w@.-]{1,100}\\.service\\b',
    '[\\w.-]{1,64}@[\\w.-]{1,64}:[^\\s#$]{0,200}[#$](?: |$)',
    'Loading \\S+ checkpoint',
    '\\d{4}-\\d\\d-\\d\\d',
    '[WEIF]\\d{4} \\d\\d:',
    '={20,}',
    '-{20,}',
  ].join('|')})`,
);
/** The C++ stack of a c10::Error: of the exception above it, unless C++ itself printed something since. */
const NATIVE_STACK = /^(?:Exception raised from \S|frame #\d)/;

export interface Exception {
  readonly type: string;
  readonly message: string;
}

/** `text` as the line that ends a traceback's frames, or null. `isAlone`: nobody else can write between them. */
export function exceptionOf(text: string, isAlone: boolean): Exception | null {
  const match = (isAlone ? ANY_NAME : EXCEPTION).exec(text);
  if (match === null || FILE_NAME.test(text)) return null;
  return { type: `${match[1] ?? ''}${match[2] ?? ''}`, message: match[3] ?? '' };
}

/** True where the line can begin something while no traceback is open. Asked of every line. */
export function isSign(text: string): boolean {
  if (text.endsWith(HEAD) || remoteHeadOf(text) !== null) return true;
  switch (text.charAt(0)) {
    case ' ':
      return SYNTAX_FRAME.test(text);
    case 'E':
    case '-':
      return HARMLESS.test(text);
    default:
      return chainOf(text) !== null;
  }
}

export function isSyntaxError(text: string): boolean {
  return SYNTAX_ERROR.test(text);
}

/** How the exception behind this sentence came from the one before it; null where the line is no such sentence. */
export function chainOf(text: string): 'cause' | 'context' | null {
  if (text.startsWith('T') && CAUSE.test(text)) return 'cause';
  return text.startsWith('D') && CONTEXT.test(text) ? 'context' : null;
}

export function isHarmless(text: string): boolean {
  return HARMLESS.test(text);
}

export function isSyntaxFrame(text: string): boolean {
  return SYNTAX_FRAME.test(text);
}

/** `ray::Worker.run() (pid=7, ip=192.0.2.1, …)` where the line ends in one, or null. */
export function remoteHeadOf(text: string): string | null {
  if (!text.endsWith(')')) return null;
  const at = text.indexOf('ray::');
  const head = at === -1 ? '' : text.slice(at);
  return REMOTE.test(head) ? head : null;
}

/** True for lines of frames: indented ones, and loguru's mark at the frame that caught it. */
export function isFrame(text: string): boolean {
  return text === '' || /^(?:\s|> File ")/.test(text);
}

export function endsMessage(text: string, isPastNative: boolean): boolean {
  if (NATIVE_STACK.test(text)) return isPastNative;
  return chainOf(text) !== null || FOREIGN.test(text) || text.endsWith(HEAD) || isBar(text);
}
