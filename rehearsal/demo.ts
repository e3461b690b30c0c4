/** `npm run demo`: Vigil at work without Slack and without a GPU. */
import { followRun } from './demo/follow.ts';
import { type DemoOptions, Misuse, parseOptions, USAGE } from './demo/options.ts';
import { shownEnd } from './demo/replay.ts';
import { CHANNEL, openStage, type Stage, type StageOptions, startApp, USER } from './demo/stage.ts';
import { writeTranscript } from './demo/transcript.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  let options: DemoOptions;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    return 2;
  }
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve('interrupted'));
  });
  const { headless, scenario, speed } = options;
  const stageOptions = { scenario, speed, page: headless === null, replay: await replayOf(options) };
  const stage = await openStage(stageOptions);
  try {
    const app = await startApp(stage);
    try {
      if (headless === null) return await showPage(stage, interrupted);
      return await runHeadless(stage, { ...stageOptions, command: headless.trim() }, interrupted);
    } finally {
      await app.stop();
    }
  } finally {
    await stage.stop();
  }
}

async function replayOf({ replay }: DemoOptions): Promise<StageOptions['replay']> {
  if (replay === null) return null;
  if (replay.exit !== undefined) return { log: replay.log, exit: replay.exit };
  const { exit, why } = await shownEnd(replay.log);
  process.stdout.write(`${why}\n`);
  return { log: replay.log, exit };
}

async function showPage(stage: Stage, interrupted: Promise<unknown>): Promise<number> {
  process.stdout.write(`Open ${stage.slack.pageUrl} and type /vllm launch kpro5 dflash (Ctrl-C ends the demo)\n`);
  process.stdout.write(`The app's own log: ${stage.logPath}\n`);
  await interrupted;
  return 0;
}

/** Runs one command and follows its run; the exit code says how it went. */
async function runHeadless(
  stage: Stage,
  options: StageOptions & { command: string },
  interrupted: Promise<'interrupted'>,
): Promise<number> {
  const stop = writeTranscript(stage.slack, (text) => process.stdout.write(text));
  const outcome = await stage.slack.command({ user: USER.id, channel: CHANNEL.id, text: options.command });
  if (!outcome.acked) {
    process.stderr.write(`The app did not answer the command (${outcome.error}). Its log: ${stage.logPath}\n`);
    return 1;
  }
  const followed = await Promise.race([followRun(stage, options), interrupted]);
  stop();
  if (followed === 'interrupted') return 1;
  if (followed.note !== null) process.stdout.write(`${followed.note}\n`);
  return followed.exitCode;
}
