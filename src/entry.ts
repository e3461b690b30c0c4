/** What both processes do at their start and end: read the configuration, say what is missing, close in reverse order. */

import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { type Environment, readEnvironment } from './config/environment.ts';
import { loadConfig } from './config/load.ts';
import { secretsOf } from './config/secrets.ts';
import type { SlackTokens } from './config/slack-access.ts';
import { ConfigError } from './errors.ts';
import { openLog } from './own-log.ts';
import type { Clock } from './tools.ts';

export interface Entry {
  readonly config: Config;
  readonly environment: Environment;
  readonly slack: SlackTokens;
  readonly log: Logger;
  readonly clock: Clock;
  /** Ends the process with exit code 1 after everything is closed: for faults that only a fresh start mends. */
  readonly fail: (error: Error) => void;
}

/** A role of the process; what it returns closes it again. */
export type Role = (entry: Entry) => Promise<() => Promise<void>>;

/** A close that takes longer than this is not waited for (ms): jobs are safe to be cut off. */
const CLOSE_MS = 10_000;

export async function runEntry(roles: readonly Role[]): Promise<void> {
  const read = readAll();
  if (read === null) return;
  const { config, environment } = read;
  const log = openLog({ level: environment.logLevel, secrets: secretsOf(config, environment) });
  const releasers: (() => Promise<void>)[] = [];
  let isClosing = false;
  const close = (exitCode: number): void => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => process.exit(exitCode), CLOSE_MS).unref();
    void releasers
      .reduceRight((done, release) => done.then(release), Promise.resolve())
      .catch((error: unknown) => log.error({ err: error }, 'could not close cleanly'))
      .finally(() => process.exit(exitCode));
  };
  const fail = (error: Error): void => {
    log.fatal({ err: error }, 'only a fresh start mends this');
    close(1);
  };
  process.once('SIGTERM', () => close(0));
  process.once('SIGINT', () => close(0));
  // A lost connection to Slack ends in a rejection that nobody handles: going on would mean living on deaf.
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    close(1);
  });
  const entry: Entry = { ...read, log, clock: { now: () => Date.now() }, fail };
  try {
    for (const role of roles) releasers.push(await role(entry));
  } catch (error) {
    if (error instanceof ConfigError) say(error.mistakes);
    else log.fatal({ err: error }, 'Vigil could not start');
    return close(1);
  }
  log.info({ instance: read.config.instance, hosts: Object.keys(read.config.hosts) }, 'Vigil is up');
}

/** Configuration and tokens, or null after having said what is missing. */
function readAll(): Pick<Entry, 'config' | 'environment' | 'slack'> | null {
  try {
    const environment = readEnvironment(process.env);
    if (environment.slack.kind === 'incomplete') {
      return say([...environment.slack.problems, 'To see Vigil work without Slack and without a GPU: npm run demo']);
    }
    const config = loadConfig(environment.configPath, process.env);
    return { config, environment, slack: environment.slack };
  } catch (error) {
    if (error instanceof ConfigError) return say(error.mistakes);
    throw error;
  }
}

function say(lines: readonly string[]): null {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
  return null;
}
