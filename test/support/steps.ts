/**
 * A shell script with a halt before each of its commands: whatever process comes there first stops itself, or dies. Made from the script's
 * text, so that the script itself knows nothing of it.
 */

import { spawnSync } from 'node:child_process';

export interface Halt {
  readonly signal: 'STOP' | 'KILL';
  /** File that gets the pid of the process that halts; the next ones to come there go on. */
  readonly mark: string;
}

export interface Steps {
  /** The script, which appends to the file the number of each step that it comes to. */
  traced(file: string): string;
  /** What stands at a step, for people. */
  at(step: number): string;
  /** The script, which halts at the step: the first process that comes there. */
  haltedAt(step: number, halt: Halt): string;
}

/** Finds the steps of a script: every place where a command may begin and another can be put before it. */
export function findSteps(text: string): Steps {
  const places = keepSound(text, findPlaces(text));
  const whereOf = (step: number) => places[step] ?? { index: 0, joint: '; ' };
  return {
    at: (step) => text.slice(whereOf(step).index).split('\n', 1).join().trim(),
    traced: (file) =>
      `vigil_step() { set -- $? "$1"; printf '%s\\n' "$2" >>'${file}'; return "$1"; }\n${places.reduceRight(
        (whole, place, step) => insert(whole, place, `vigil_step ${step}`),
        text,
      )}`,
    haltedAt: (step, halt) => renderHalt(halt) + insert(text, whereOf(step), 'vigil_step'),
  };
}

/** Keeps `$?`: the command before it may be the one that decides. */
function renderHalt({ signal, mark }: Halt): string {
  return `
vigil_step() {
  vigil_step_kept=$?
  if [ ! -e '${mark}' ]; then
    read -r vigil_step_pid vigil_step_rest </proc/self/stat
    printf '%s\\n' "$vigil_step_pid" >'${mark}.new' && mv '${mark}.new' '${mark}'
    kill -${signal} "$vigil_step_pid"
  fi
  return $vigil_step_kept
}
`;
}

interface Place {
  readonly index: number;
  /** What joins the inserted command to the one behind it, so that whether that one runs stays as it was. */
  readonly joint: string;
}

function insert(text: string, { index, joint }: Place, command: string): string {
  return `${text.slice(0, index)}${command}${joint}${text.slice(index)}`;
}

/** What breaks the script is none after all: halved until it is found, since each look costs two processes. */
function keepSound(text: string, places: readonly Place[]): Place[] {
  const whole = places.reduceRight((longer, place) => insert(longer, place, 'vigil_step 0'), text);
  const isSound = [['dash'], ['busybox', 'sh']].every(
    ([program = '', ...words]) => spawnSync(program, [...words, '-n'], { input: whole }).status === 0,
  );
  if (isSound) return [...places];
  const half = Math.floor(places.length / 2);
  return half === 0 ? [] : [...keepSound(text, places.slice(0, half)), ...keepSound(text, places.slice(half))];
}

const BEGINNINGS: readonly [before: RegExp, joint: string][] = [
  [/&& $/, ' && '],
  [/\|\| $/, ' || '],
  [/(?:^|\n|; |\b(?:then|do|else) |(?:^|\s)\{ |\$?\(|[^()]\) )$/, '; '],
];
/** A definition runs nothing, and before these stands what is a step already. */
const NO_STEP = /^(?:\w+\(\)|(?:do|then)\b|\{\s)/;

/** Everywhere outside quotes, comments and here-documents; what is none after all breaks the script and is left out later. */
function findPlaces(text: string): Place[] {
  const places: Place[] = [];
  const open: ('"' | '(' | '{')[] = [];
  let index = 0;
  while (index < text.length) {
    const rest = text.slice(index);
    const inside = open.at(-1);
    const isCommand = inside === undefined || inside === '(';
    if (isCommand && /^[^\s#]/.test(rest)) {
      const before = text.slice(Math.max(0, index - 40), index).replace(/(^|\n)[ \t]+$/, '$1');
      const joint = BEGINNINGS.find(([pattern]) => pattern.test(before))?.[1];
      if (joint !== undefined && !NO_STEP.test(rest)) places.push({ index, joint });
    }
    index += skip(rest, open, isCommand, /(^|\s)$/.test(text.slice(0, index)));
  }
  return places;
}

/** How many characters are behind us, and what is open then. */
function skip(rest: string, open: ('"' | '(' | '{')[], isCommand: boolean, isWordStart: boolean): number {
  const inside = open.at(-1);
  if (rest.startsWith('\\')) return 2;
  if (rest.startsWith('$((')) return rest.indexOf('))') + 2;
  if (rest.startsWith('$(')) return opened('(', 2);
  if (rest.startsWith('${')) return opened('{', 2);
  if (inside === '{' && rest.startsWith('}')) return closed();
  if (rest.startsWith('"')) return inside === '"' ? closed() : opened('"', 1);
  if (inside !== '"' && rest.startsWith("'")) return rest.indexOf("'", 1) + 1;
  if (!isCommand) return 1;
  const document = /^<<END\n[\s\S]*?\nEND\n/.exec(rest);
  if (document !== null) return document[0].length - 1;
  if (isWordStart && rest.startsWith('#')) return rest.search(/\n|$/);
  if (rest.startsWith('(')) return opened('(', 1);
  if (inside === '(' && rest.startsWith(')') && !isPattern(rest)) return closed();
  return 1;

  function opened(kind: '"' | '(' | '{', length: number): number {
    open.push(kind);
    return length;
  }
  function closed(): number {
    open.pop();
    return 1;
  }
}

/** The bracket behind a case's pattern closes nothing. */
function isPattern(rest: string): boolean {
  return /^\) .*;;/.test(rest.split('\n', 1).join());
}
