/** What stands before a line's words: times, levels and names of loggers, ranks, marks of scripts. */

const LEVEL = '(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)';
const CLOCK = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?';
const DAY = '(?:[A-Z][a-z]{2} [ \\d]\\d |\\d{4}-\\d\\d-\\d\\d[T ]|\\d\\d\\/\\d\\d\\/\\d{4} )?';
/** A logger's own: nobody writes it by hand. */
const LOGGER = new RegExp(
  `^ {0,8}(?:${[
    `${LEVEL}:[\\w.]{1,80}: ?`,
    `\\[${LEVEL}\\|[^\\]]{1,60}\\][^>]{0,80}>> ?`,
    `\\[${LEVEL}(?::[\\w.-]{1,80})?\\] ?(?:- )?`,
    `(?:- )?(?:[\\w.]{1,80} - )?${LEVEL} (?:- |\\| )(?:[\\w.]{1,80}(?::[\\w<>]{1,60}:\\d{1,6} - | - | \\| ))?`,
    '\\| ',
    '(?:__main__|root) - ',
    '[\\w.]{1,80}:[\\w<>]{1,60}:\\d{1,6} - ',
    '\\[[\\w.]{1,60}\\.py:\\d{1,6}:\\w{1,60}\\] ',
    '\\[axolotl\\.[\\w.:]{1,80}\\] ',
    '\\[(?:PID|RANK):\\d{1,9}\\] ',
  ].join('|')})`,
);
/** A script's: a time, the rank, a mark or two, a name in brackets. An evaluation's name says what its numbers are. */
const MARK = new RegExp(
  `^ {0,8}(?:${[
    `\\[?${DAY}${CLOCK}\\]?:?(?: +-? ?|(?=\\[))`,
    '\\[[Rr]ank[ :=]?\\d{1,5}\\]:? *',
    '(?:[=>•-]{1,40}|#{2,40}|\\*{1,2}) +',
    '(?:[\\u2190-\\u2bff\\ufe0f]|[\\ud83c-\\ud83e][\\udc00-\\udfff]){1,40} *',
    '\\[(?!eval|val|valid|validation|test\\b)[a-z][\\w.:/-]{0,60}\\](?: +(?:- )?|:(?! ?\\d) ?|(?=\\[))',
    '\\[\\d{1,2}(?:\\/\\d{1,2})?\\] {1,8}(?! {0,8}\\[ {0,8}\\d{1,9}\\/)',
    '#\\d{1,2}[:.)]? +',
    '\\((?:[a-z]|\\d{1,2})\\) +',
    '# +(?=.{0,200}(?:\\b\\d{1,6} ?(?:s|sec|min)\\b|\\b[Pp][Ii][Dd][ :=]{1,3}\\d))',
    '\\[[a-z]{1,20}\\d{1,5}\\]: ?',
  ].join('|')})`,
);
const MOST = 8;

/** A logger's name as simple formats print it. */
const NAME =
  /^(?!(?:wandb|mlflow|tensorboard|ray|srun|slurmstepd|curl|bash)\b)(?!\w{0,60}(?:Error|Exception|Warning|Interrupt)\b)[A-Za-z_][\w.-]{0,60}(?:\[\d{1,9}\])?(?::| -| \|) +(?=\S)/;
/** What a bar is wiped out with. */
const WIPED = /^ {9,}(?=\S)/;

export interface Headless {
  readonly text: string;
  /** A logger wrote the line. */
  readonly isLogged: boolean;
}

/** The line's own words. */
export function withoutHead(line: string): Headless {
  let text = line.replace(WIPED, '');
  let isLogged = false;
  for (let count = 0; count < MOST; count += 1) {
    const logger = LOGGER.exec(text)?.[0];
    const head = logger ?? MARK.exec(text)?.[0];
    if (head === undefined) break;
    isLogged ||= logger !== undefined;
    text = text.slice(head.length);
  }
  return { text, isLogged };
}

/** The words behind a logger's name; null where no name stands there. */
export function withoutName(text: string): string | null {
  const name = NAME.exec(text)?.[0];
  return name === undefined ? null : text.slice(name.length);
}

const SET_UP =
  /\b(?:initiali[sz]\w*|instantiat\w*|building|built|distributed|world[ _]size|device mesh|process group|optimi[sz]er|scheduler|tokeni[sz]er|datasets?|dataloaders?|vocab\w*|parameters|params|checkpoint\w*|loading|loaded|process rank|seed)\b/i;
const SERVER = /\b(?:vllm|sglang|server|endpoint)\b/i;

/** What a trainer logs before its first step, if it is of this, is its set-up. */
export function isSetUp(text: string): boolean {
  return SET_UP.test(text) && !SERVER.test(text);
}

/** Somebody's own line, none of an exception's message. */
export function isTimed(text: string): boolean {
  return /^\[?\d\d:\d\d:\d\d\]? /.test(text);
}
