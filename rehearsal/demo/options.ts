/** The demo's words. Misuse is told in one message, with what is allowed; the process then ends with 2. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** The command to run without a page, or null for the page. */
  readonly headless: string | null;
  readonly scenario: string;
  readonly speed: number;
  /** `exit` null = lives on; undefined = not said, the log decides. */
  readonly replay: { readonly log: string; readonly exit: number | null | undefined } | null;
}

export class Misuse extends Error {
  override readonly name = 'Misuse';
}

export const USAGE = `npm run demo                                            a page with a Slack channel; type /vllm help there
npm run demo -- --headless "/vllm launch kpro5 dflash"  one command, its thread as text; exit 0 ready, 1 failed, 2 misuse
  --scenario NAME    what the server will do: ${scenarios().join(', ')} (default good)
  --speed N          compress the server's time by N (default 1 with the page, 20 without)
  --replay LOG       play this log through the whole path instead of a scenario
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
  if (headless !== null && !headless.trim().startsWith('/')) {
    throw new Misuse(
      `--headless: found ${JSON.stringify(headless)}, expected a slash command such as "/vllm launch kpro5 dflash"`,
    );
  }
  const scenario = values.scenario ?? 'good';
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
  return {
    headless,
    scenario,
    speed: speedOf(values.speed, headless === null ? 1 : 20),
    replay: replayOf(values.replay, values.exit),
  };
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
      args: joinNegativeExit(words),
      options: { headless: text, scenario: text, speed: text, replay: text, exit: text, help: { type: 'boolean' } },
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

function speedOf(found: string | undefined, usual: number): number {
  if (found === undefined) return usual;
  const speed = Number(found);
  if (speed > 0 && speed <= 1000) return speed;
  throw new Misuse(`--speed: found ${JSON.stringify(found)}, expected a number above 0 and up to 1000`);
}

function replayOf(log: string | undefined, exit: string | undefined): DemoOptions['replay'] {
  if (log === undefined) return null;
  const found = JSON.stringify(log);
  if (!existsSync(log)) throw new Misuse(`--replay: found no file at ${found}, expected a log`);
  if (!statSync(log).isFile()) {
    const what = statSync(log).isDirectory() ? 'a folder' : 'no regular file';
    throw new Misuse(`--replay: ${found} is ${what}, expected a log`);
  }
  return { log, exit: exit === undefined ? undefined : exitOf(exit) };
}

function exitOf(found: string): number {
  const signals: number[] = Object.values(constants.signals);
  const code = Number(found);
  const isRight = Number.isInteger(code) && code <= 255 && (code >= 0 || signals.includes(-code));
  if (!isRight) throw new Misuse(`--exit: found ${JSON.stringify(found)}, expected 0 to 255, or a signal as -9`);
  return code;
}
