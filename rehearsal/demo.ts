/** `npm run demo`: Vigil at work without Slack and without a GPU. */
import { Redis } from 'ioredis';
import { openStore } from '../src/queue/store.ts';
import { isEnd } from '../src/run/run.ts';
import { type DemoOptions, Misuse, parseOptions, USAGE } from './demo/options.ts';
import { CHANNEL, openStage, type Stage, startApp, USER } from './demo/stage.ts';
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
  const stage = await openStage({ ...options, page: options.headless === null });
  try {
    const app = await startApp(stage);
    try {
      return options.headless === null
        ? await showPage(stage, interrupted)
        : await runHeadless(stage, { ...options, headless: options.headless }, interrupted);
    } finally {
      await app.stop();
    }
  } finally {
    await stage.stop();
  }
}

async function showPage(stage: Stage, interrupted: Promise<unknown>): Promise<number> {
  process.stdout.write(`Open ${stage.slack.pageUrl} and type /vllm launch kpro5 dflash (Ctrl-C ends the demo)\n`);
  process.stdout.write(`The app's own log: ${stage.logPath}\n`);
  await interrupted;
  return 0;
}

/** Runs one command and follows its run to its end; the exit code says how it went. */
async function runHeadless(
  stage: Stage,
  options: DemoOptions & { headless: string },
  interrupted: Promise<'interrupted'>,
): Promise<number> {
  const stop = writeTranscript(stage.slack, (text) => process.stdout.write(text));
  const outcome = await stage.slack.command({ user: USER.id, channel: CHANNEL.id, text: options.headless });
  if (!outcome.acked) {
    process.stderr.write(`The app did not answer the command (${outcome.error}). Its log: ${stage.logPath}\n`);
    return 1;
  }
  const code = await Promise.race([followed(stage, options), interrupted.then(() => 1)]);
  stop();
  return code;
}

/** 0 = ready (and, where the server's end is part of what is played, stays so), 1 = ended otherwise or never started. */
async function followed(stage: Stage, options: DemoOptions & { headless: string }): Promise<number> {
  const store = openStore(new Redis(stage.redisUrl, { maxRetriesPerRequest: null }), stage.instance);
  const endsByItself =
    options.scenario === 'crash-after-ready' || (options.replay !== null && options.replay.exit !== null);
  try {
    for (;;) {
      const ids = [...(await store.journal.live()), ...(await store.redis.zrange(store.keys.ended, '0', '-1'))];
      const id = ids[0];
      if (id === undefined) return /^\/\S+\s+launch\b/.test(options.headless.trim()) ? 1 : 0;
      const entry = await store.journal.load(id);
      const isSaid = !(await store.journal.dirty()).includes(id);
      const phase = entry?.run.phase ?? 'queued';
      if (isSaid && isEnd(phase)) return 1;
      if (isSaid && phase === 'ready' && !endsByItself) return 0;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await store.close();
  }
}
