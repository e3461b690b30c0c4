/** A stage with the real bot in the test's own process and workers that can be killed; and what to read from the channel. */

import { pino } from 'pino';
import { CHANNEL, openStage, type Stage, USER } from '../../rehearsal/demo/stage.ts';
import { startBot } from '../../src/bot.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import { QUICK } from './quick.ts';
import { startWorkers, type Workers } from './workers.ts';

export interface Theatre {
  readonly stage: Stage;
  readonly workers: Workers;
  say(text: string): Promise<unknown>;
  /** The texts of the threads that stand in the channel, oldest first: the card, then its replies. */
  threads(): { ts: string; card: string; replies: string[] }[];
  stop(): Promise<void>;
}

export async function openTheatre(options: { scenario: string; speed: number }): Promise<Theatre> {
  const stage = await openStage({ ...options, replay: null, page: false });
  const environment = readEnvironment(stage.environment);
  if (environment.slack.kind === 'incomplete') throw new Error('the stage gives no tokens');
  const stopBot = await startBot(
    {
      config: loadConfig(stage.configPath, stage.environment),
      environment,
      slack: environment.slack,
      log: pino({ level: 'silent' }),
      clock: { now: () => Date.now() },
      fail: (error) => {
        throw error;
      },
    },
    QUICK,
  );
  const workers = await startWorkers(stage);
  return {
    stage,
    workers,
    say: (text) => stage.slack.command({ user: USER.id, channel: CHANNEL.id, text }),
    threads() {
      const standing = stage.slack.messages(CHANNEL.id).filter((message) => !message.deleted);
      return standing
        .filter((message) => message.thread === null)
        .map((root) => ({
          ts: root.ts,
          card: root.text,
          replies: standing.filter((message) => message.thread === root.ts).map((message) => message.text),
        }));
    },
    async stop() {
      await workers.stop();
      await stopBot();
      await stage.stop();
    },
  };
}
