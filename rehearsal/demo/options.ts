/** The demo's words. Misuse is told in one message, with what is allowed; the process then ends with 2. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** The command to run without a page, '' where the scenario starts by itself, or null for the page. */
  readonly headless: string | null;
  readonly scenario: string;
  readonly speed: number;
  /** `exit` null = lives on; undefined = not said, the log decides. */
  readonly replay: {
    readonly log: string;
    readonly exit: number | null | undefined;
    /** Of a training: its target server's log, or null. */
    readonly aux: string | null;
  } | null;
}

/** Somebody on the host trains: what is to be seen needs no command. */
export const BY_HAND = 'train-by-hand';

export class Misuse extends Error {
  override readonly name = 'Misuse';
}

export const USAGE = `npm run demo                                            a page with a Slack channel; type /vllm help there
npm run demo -- --headless "/vllm launch kpro5 dflash"  one command, its thread as text; exit 0 ready, 1 failed, 2 misuse
npm run demo -- --headless "/dflash train trainer drafter"  a training; exit 0 finished, 1 ended otherwise or its target is down
npm run demo -- --headless --scenario ${BY_HAND}  a training that somebody starts on the host: found without a command
  --scenario NAME    what will happen on the host: ${scenarios().join(', ')} (default good)
  --speed N          compress the host's time by N (default 1 with the page, 20 without; ${BY_HAND} 5)
  --replay LOG       play this log through the whole path instead of a scenario
  --aux LOG          with --replay and /dflash train: play this log beside it, as the target server's own
  --exit CODE        with --replay: end with this exit code; a negative one is a signal (default: what the log shows)
  --help             this text`;

/** Throws Misuse. */
export function parseOptions(words: readonly string[]): DemoOptions | 'help' {
  const { values, positionals } = parse(words);
  if (values.help === true) return 'help';
  if (positionals[0] !== undefined) {
    throw new Misuse(
      `found ${JSON.stringify(positionals[0])}, expected options only. npm keeps options for itself unless -- comes first: npm run demo -- --headless "/vllm launch kpro5 dflash"`,
    );
  }
  const headless = values.headless ?? null;
  const scenario = values.scenario ?? 'good';
  if (headless !== null && !isCommand(headless, scenario)) {
    throw new Misuse(
      `--headless: found ${JSON.stringify(headless)}, expected a slash command such as "/vllm launch kpro5 dflash"${headless === '' ? `; only --scenario ${BY_HAND} needs none` : ''}`,
    );
  }
  if (!scenarios().includes(scenario)) {
    throw new Misuse(`--scenario: found ${JSON.stringify(scenario)}, expected one of ${scenarios().join(', ')}`);
  }
  if (values.replay !== undefined && values.scenario !== undefined) {
    throw new Misuse(
      '--replay and --scenario: found both, expected one of the two; a log is played instead of a scenario',
    );
  }
  if (values.exit !== undefined && values.replay === undefined) {
    throw new Misuse('--exit: only goes with --replay LOG; a scenario knows its own end');
  }
  if (values.aux !== undefined && values.replay === undefined) {
    throw new Misuse("--aux: only goes with --replay LOG; it is that training's second log");
  }
  if (values.aux !== undefined && headless !== null && !headless.trim().startsWith('/dflash')) {
    throw new Misuse(`--aux: found beside ${JSON.stringify(headless)}, expected /dflash train; a server has one log`);
  }
  return {
    headless,
    scenario,
    speed: speedOf(values.speed, usualSpeed(headless, scenario)),
    replay: replayOf(values.replay, values.exit, values.aux),
  };
}

/** A text that begins with a slash; nothing at all where the scenario needs no command. */
function isCommand(headless: string, scenario: string): boolean {
  return headless.trim().startsWith('/') || (headless === '' && scenario === BY_HAND);
}

function scenarios(): string[] {
  const folder = fileURLToPath(new URL('../host/scenarios', import.meta.url));
  return readdirSync(folder)
    .map((name) => name.replace(/\.mjs$/, ''))
    .sort();
}

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: fillHeadless(joinNegativeExit(words)),
      options: {
        headless: text,
        scenario: text,
        speed: text,
        replay: text,
        aux: text,
        exit: text,
        help: { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error));
  }
}

/** `--exit -9` as one word: parseArgs would take -9 for a flag. */
function joinNegativeExit(words: readonly string[]): string[] {
  const isNegativeExit = (at: number) => words[at] === '--exit' && words[at + 1]?.startsWith('-') === true;
  return words.flatMap((word, at) => {
    if (isNegativeExit(at)) return [`${word}=${words[at + 1]}`];
    return isNegativeExit(at - 1) ? [] : [word];
  });
}

/** `--headless` without a value of its own is an empty one: parseArgs would ask for one. */
function fillHeadless(words: readonly string[]): string[] {
  return words.map((word, at) => {
    const next = words[at + 1];
    return word === '--headless' && (next === undefined || next.startsWith('--')) ? '--headless=' : word;
  });
}

/** A patrol looks every few seconds: a training that nobody announced must last long enough to be followed. */
function usualSpeed(headless: string | null, scenario: string): number {
  if (headless === null) return 1;
  return scenario === BY_HAND ? 5 : 20;
}

function speedOf(found: string | undefined, usual: number): number {
  if (found === undefined) return usual;
  const speed = Number(found);
  if (speed > 0 && speed <= 1000) return speed;
  throw new Misuse(`--speed: found ${JSON.stringify(found)}, expected a number above 0 and up to 1000`);
}

function replayOf(log?: string, exit?: string, aux?: string): DemoOptions['replay'] {
  if (log === undefined) return null;
  mustBeFile('--replay', log);
  if (aux !== undefined) mustBeFile('--aux', aux);
  return { log, exit: exit === undefined ? undefined : exitOf(exit), aux: aux ?? null };
}

function mustBeFile(option: string, path: string): void {
  const found = JSON.stringify(path);
  if (!existsSync(path)) throw new Misuse(`${option}: found no file at ${found}, expected a log`);
  if (statSync(path).isFile()) return;
  const what = statSync(path).isDirectory() ? 'a folder' : 'no regular file';
  throw new Misuse(`${option}: ${found} is ${what}, expected a log`);
}

function exitOf(found: string): number {
  const signals: number[] = Object.values(constants.signals);
  const code = Number(found);
  const isRight = Number.isInteger(code) && code <= 255 && (code >= 0 || signals.includes(-code));
  if (!isRight) throw new Misuse(`--exit: found ${JSON.stringify(found)}, expected 0 to 255, or a signal as -9`);
  return code;
}
