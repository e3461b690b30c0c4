/** `npm run demo`: Vigil at work without Slack and without a GPU. */
import { setTimeout as pause } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';
import { followRun, type Played } from './demo/follow.ts';
import { interruption } from './demo/interruption.ts';
import { BY_HAND, type DemoOptions, Misuse, parseOptions, USAGE } from './demo/options.ts';
import { shownEnd } from './demo/replay.ts';
import { CHANNEL, openStage, type Stage, type StageOptions, startApp, USER } from './demo/stage.ts';
import { writeTranscript } from './demo/transcript.ts';
import { findFreePort } from './free-port.ts';

const BY_HAND_MS = 2_000;

/** As a shell tells of a command that Ctrl-C ended. */
const INTERRUPTED = 130;

process.exitCode = await main();

async function main(): Promise<number> {
  let options: DemoOptions | 'help';
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    return 2;
  }
  if (options === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const interrupted = hearInterrupts();
  try {
    return await perform(options, interrupted);
  } catch (error) {
    if (interrupted.aborted) return INTERRUPTED;
    if (!(error instanceof CannotStart)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function hearInterrupts(): AbortSignal {
  const interrupt = new AbortController();
  // A second Ctrl-C ends at once; a closed terminal may tell more than once, and is no reason to hurry.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  process.on('SIGHUP', () => interrupt.abort());
  // Writing to a terminal or pipe that is gone must not keep us from ending what we started.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => interrupt.abort());
  return interrupt.signal;
}

async function perform(options: DemoOptions, interrupted: AbortSignal): Promise<number> {
  const { headless, scenario, speed } = options;
  if (headless !== null) {
    const redis = process.env.REDIS_URL ? '' : 'a private Redis, ';
    process.stdout.write(`Starting ${redis}a Slack stand-in and a rehearsal host …\n`);
  }
  const replay = await replayOf(options);
  const stage = await openStage({ scenario, speed, replay, page: headless === null, anyPort: headless !== null });
  try {
    const app = await startApp(stage, { signal: interrupted });
    try {
      const byHand = scenario === BY_HAND ? trainByHand(stage, interrupted) : null;
      if (headless === null) return await showPage(stage, interrupted);
      return await runHeadless(stage, { scenario, replay, command: headless.trim(), byHand }, interrupted);
    } finally {
      await app.stop();
    }
  } finally {
    await stage.stop();
  }
}

async function replayOf({ replay, headless }: DemoOptions): Promise<StageOptions['replay']> {
  if (replay === null) return null;
  const aux = replay.aux === null ? {} : { aux: replay.aux };
  if (replay.exit !== undefined) return { log: replay.log, exit: replay.exit, ...aux };
  // With the page the command is not known yet; only a training has a second log.
  const isTraining = headless === null ? replay.aux !== null : headless.trim().startsWith('/dflash');
  const { exit, why } = await shownEnd(replay.log, isTraining ? 'train' : 'serve');
  process.stdout.write(`${why}\n`);
  return { log: replay.log, exit, ...aux };
}

/** A moment after the app is up: its first look at the host has then been taken. */
async function trainByHand({ host }: Stage, interrupted: AbortSignal): Promise<void> {
  const port = await findFreePort();
  await Promise.race([pause(BY_HAND_MS), interruption(interrupted)]);
  if (!interrupted.aborted) await host.trainByHand(port);
}

async function showPage(stage: Stage, interrupted: AbortSignal): Promise<number> {
  process.stdout.write(
    `Open ${stage.slack.pageUrl} and type /vllm launch kpro5 dflash or /dflash train trainer drafter (Ctrl-C ends the demo)\n`,
  );
  process.stdout.write(`The app's own log: ${stage.logPath}\n`);
  await interruption(interrupted);
  return 0;
}

/** Runs one command (none where the scenario starts by itself) and follows its run; the exit code says how it went. */
async function runHeadless(stage: Stage, options: Played, interrupted: AbortSignal): Promise<number> {
  const stop = writeTranscript(stage.slack, (text) => process.stdout.write(text));
  const { command: text } = options;
  const outcome = text === '' ? null : await stage.slack.command({ user: USER.id, channel: CHANNEL.id, text });
  if (outcome?.acked === false) {
    process.stderr.write(`The app did not answer the command (${outcome.error}). Its log: ${stage.logPath}\n`);
    return 1;
  }
  const followed = await followRun(stage, options, interrupted);
  stop();
  if (followed === 'interrupted') return INTERRUPTED;
  if (followed.note !== null) process.stdout.write(`${followed.note}\n`);
  return followed.exitCode;
}
