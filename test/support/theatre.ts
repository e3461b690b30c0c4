/** A stage with the real bot and a worker in the test's own process, or with workers that can be killed; and what to read from the channel. */

import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { CHANNEL, openStage, type Stage, type StageOptions, USER } from '../../rehearsal/demo/stage.ts';
import { toPlainText } from '../../rehearsal/slack/text.ts';
import { startBot } from '../../src/bot.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Entry } from '../../src/entry.ts';
import { startWorker } from '../../src/worker.ts';
import { QUICK, SHARED } from './quick.ts';
import { startWorkers, type Workers, workerHere } from './workers.ts';

const PATIENCE = { timeout: 50_000, interval: 50 };

export interface Theatre {
  readonly stage: Stage;
  readonly workers: Workers;
  /** Types a command as a member, in the bot's channel unless another is given; returns the private answer as text. */
  say(text: string, channel?: string): Promise<string>;
  /** Sets what the host will do, types the command, and waits until its thread stands. */
  begin(scenario: string, command: string): Promise<void>;
  /** Waits until the newest thread's card and last reply are so. */
  until(card: RegExp, reply: RegExp): Promise<void>;
  /** Private answers so far, as text. */
  whispers(): string[];
  /** Clicks the button of this name in the newest private answer that has it, `times` times at once; returns what stands in its place then. */
  press(actionId: string, times?: number): Promise<string>;
  /** The texts of the threads that stand in the channel, oldest first: the card, then its replies. */
  threads(): { card: string; replies: string[] }[];
  /** The newest thread, or that of the run of this name, as a person reads it, card and replies, without what differs from run to run, and from training to training. */
  reading(name?: string): string;
  /** The newest private answer that still stands, the same way. */
  whisper(): string;
  stop(): Promise<void>;
}

type TheatreOptions = Pick<StageOptions, 'speed'> & Partial<StageOptions> & Staffing;

interface Staffing {
  /**
   * Processes that can be killed, of which so many are replaced at once. By default the worker shares the test's process, as `npm start` has
   * both in one: no start-up.
   */
  readonly workers?: { readonly standBys: number };
}

export async function openTheatre(options: TheatreOptions): Promise<Theatre> {
  const stage = await openStage({ scenario: 'good', replay: null, page: false, anyPort: true, ...options });
  const environment = readEnvironment(stage.environment);
  if (environment.slack.kind === 'incomplete') throw new Error('the stage gives no tokens');
  const entry: Entry = {
    config: loadConfig(stage.configPath, stage.environment),
    environment,
    slack: environment.slack,
    log: pino({ level: 'silent' }),
    clock: { now: () => Date.now() },
    fail: (error) => {
      throw error;
    },
  };
  const stopBot = await startBot(entry, QUICK);
  const workers =
    options.workers === undefined
      ? workerHere(await startWorker(entry, SHARED))
      : await startWorkers(stage, options.workers);
  const whispers = (): string[] => stage.slack.ephemerals().map(toPlainText);
  const say = async (text: string, channel: string = CHANNEL.id): Promise<string> => {
    const before = whispers().length;
    await stage.slack.command({ user: USER.id, channel, text });
    return whispers()[before] ?? '';
  };
  const threads = (): { card: string; replies: string[] }[] => {
    const standing = stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
    return standing
      .filter((message) => message.thread === null)
      .map((root) => ({
        card: root.text,
        replies: standing.filter((message) => message.thread === root.ts).map((message) => message.text),
      }));
  };
  return {
    stage,
    workers,
    say,
    threads,
    async begin(scenario, command) {
      const before = threads().length;
      await stage.host.setScenario(scenario);
      await say(command);
      await vi.waitFor(() => expect(threads()).toHaveLength(before + 1), PATIENCE);
    },
    until: (card, reply) =>
      vi.waitFor(() => {
        const thread = threads().at(-1);
        expect(thread?.card).toMatch(card);
        expect(thread?.replies.at(-1)).toMatch(reply);
      }, PATIENCE),
    whispers,
    async press(actionId, times = 1) {
      const shown = stage.slack
        .ephemerals()
        .findLast(({ deleted, blocks }) => !deleted && JSON.stringify(blocks).includes(actionId));
      if (shown === undefined) throw new Error(`no private answer has a button ${actionId}`);
      const click = { user: USER.id, channel: CHANNEL.id, ts: shown.ts, actionId };
      const edits = shown.edits;
      await Promise.all(Array.from({ length: times }, () => stage.slack.click(click)));
      const now = () => stage.slack.ephemerals().find(({ ts }) => ts === shown.ts);
      await vi.waitFor(() => expect(now()?.edits).toBeGreaterThanOrEqual(edits + times), PATIENCE);
      return steady(toPlainText(now() ?? shown), stage);
    },
    whisper() {
      const shown = stage.slack.ephemerals().findLast(({ deleted }) => !deleted);
      return shown === undefined ? '' : steady(toPlainText(shown), stage);
    },
    reading(name = '') {
      const standing = stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
      const root = standing.findLast((message) => message.thread === null && message.text.includes(name));
      const thread = standing.filter((message) => message === root || message.thread === root?.ts);
      return steady(thread.map(toPlainText).join('\n\n'), stage);
    },
    async stop() {
      await workers.stop();
      await stopBot();
      await stage.stop();
    },
  };
}

/** Without what was measured of a server: beside an earlier run of its recipe that depends on how busy the machine is. */
export function unmeasured(text: string): string {
  return text
    .replace(/^⚠️ Ready with warnings: [^:\n]*:/gm, '✅ Ready:')
    .replace(/is ready with warnings: [^.\n]*\./g, 'is ready.')
    .split('\n')
    .filter((line) => !MEASURED.test(line))
    .join('\n');
}

const MEASURED =
  /^(?:Verified|Measured|Acceptance rate|A new record|✅ Passed|❔ Not judged|⚠️ (?:Speed|First token)|Expected: about|What to do: .*--accept|Likely cause)/;

/**
 * The text without pids, times, ports, speeds, folders and line numbers, which differ from run to run (every poll of /health adds a line to a log), and
 * without a server's load, which comes some looks after it is ready.
 */
function steady(text: string, stage: Stage): string {
  return text
    .replaceAll(stage.host.home, 'HOME')
    .replace(/-p \d+/g, '-p PORT')
    .replace(/\b([Pp])ort \d+/g, '$1ort N')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:N')
    .replace(/\.log\.\d{8}T\d{6}Z/g, '.log.TIME')
    .replace(/process \d+/g, 'process PID')
    .replace(/line \d+ of the log/g, 'line N of the log')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/g, 'TIME')
    .replace(/\b\d+(\.\d+)? (s|min)\b( \d+ s)?/g, 'TIME')
    .replace(/out\/\d{4}-\d{6}/g, 'out/RUN')
    .replace(/\b\d+(\.\d+)? tokens\/s/g, 'N tokens/s')
    .replace(/\b\d+ ms\b/g, 'N ms')
    .replace(/(?<=\[file \S+), \d+ KB\]/g, ', N KB]')
    .replace(/^(?:Idle|\d+ running).*as of TIME\.\n/gm, '');
}
