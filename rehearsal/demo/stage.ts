/** Everything that the demo and the end-to-end tests stand on: a private Redis, the Slack stand-in, the rehearsal host, the real app. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from 'yaml';
import { spawnBound } from '../bound.ts';
import { CannotStart } from '../cannot-start.ts';
import type { Replay } from '../host/folder.ts';
import { type RehearsalHost, startHost } from '../host/server.ts';
import { forget, mustAnswer } from '../redis/given.ts';
import { startRedis } from '../redis.ts';
import { type SlackOptions, type SlackStandIn, startSlack } from '../slack/server.ts';
import { writeConfig } from './config.ts';
import { interruption } from './interruption.ts';
import type { DemoOptions } from './options.ts';

export interface Stage {
  readonly slack: SlackStandIn;
  readonly host: RehearsalHost;
  /** As ioredis takes it. */
  readonly redisUrl: string;
  /** Made for this stage: a Redis that is given by REDIS_URL may hold others. */
  readonly instance: string;
  readonly configPath: string;
  /** What the app logs. */
  readonly logPath: string;
  /** The folder of all this, gone after `stop`. */
  readonly folder: string;
  /** Environment for the app's processes. */
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export interface StageOptions extends Pick<DemoOptions, 'scenario' | 'speed'> {
  readonly replay: Replay | null;
  readonly page: boolean;
  /** See writeConfig. */
  readonly anyPort?: boolean;
  /** Changes vigil.yaml, where a test wants it otherwise. */
  readonly adjust?: (document: Document, host: RehearsalHost) => void;
  /** More variables for the app: a recipe's secrets. */
  readonly variables?: Readonly<Record<string, string>>;
}

export const CHANNEL = { id: 'C0GPUOPS', name: 'gpu-ops' } as const;
export const USER = { id: 'U0YOU', name: 'you' } as const;
/** The one rehearsal host stands for all of the example's: enough for the one where people train. */
const GPUS = 4;
/** An app that takes longer than this to end (ms) is killed. */
const STOP_MS = 5_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Opens the stage without the app. What was opened is closed again if a later part fails. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const releasers: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const release of releasers.splice(0).reverse()) await release();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'vigil-demo-'));
    releasers.push(() => rm(folder, { recursive: true, force: true }));
    const redis = await startRedis();
    releasers.push(() => redis.stop());
    const redisUrl = redis.url.replace(/^unix:(\/\/)?/, '');
    if (process.env.REDIS_URL) await mustAnswer(redisUrl);
    const instance = `demo-${randomBytes(4).toString('hex')}`;
    releasers.push(() => forget(redisUrl, instance));
    const slack = await startSlack(workspaceWith(options.page));
    releasers.push(() => slack.stop());
    const { scenario, speed, replay } = options;
    const host = await startHost({
      folder: join(folder, 'host'),
      scenario,
      speed,
      gpus: GPUS,
      ...(replay === null ? {} : { replay }),
    });
    releasers.push(() => host.stop());
    const configPath = join(folder, 'vigil.yaml');
    await writeConfig({
      path: configPath,
      instance,
      host,
      scenario,
      speed,
      folder: host.home,
      channel: CHANNEL.id,
      anyPort: options.anyPort ?? false,
      adjust: (document) => options.adjust?.(document, host),
    });
    const environment = { ...environmentOf({ slack, redisUrl, configPath }), ...options.variables };
    const logPath = join(folder, 'app.log');
    return { slack, host, redisUrl, instance, configPath, logPath, folder, environment, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A channel with the bot and one without, a member and a guest. */
function workspaceWith(page: boolean): SlackOptions {
  return {
    page,
    appName: 'vigil',
    channels: [
      { ...CHANNEL, botIsMember: true },
      { id: 'C0RANDOM', name: 'random', botIsMember: false },
    ],
    users: [
      { ...USER, kind: 'member' },
      { id: 'U0GUEST', name: 'guest', kind: 'guest' },
    ],
    suggestions: [
      '/vllm help',
      '/vllm check kpro5 dflash',
      '/vllm launch kpro5 dflash',
      '/vllm status',
      '/dflash train trainer drafter',
      '/dflash help',
    ],
  };
}

function environmentOf({ slack, redisUrl, configPath }: Pick<Stage, 'slack' | 'redisUrl' | 'configPath'>) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    REDIS_URL: redisUrl.startsWith('/') ? `unix:${redisUrl}` : redisUrl,
    VIGIL_CONFIG: configPath,
    LOG_LEVEL: 'info',
  };
}

/**
 * Starts the app as its users do, unmodified, and waits until it hears Slack. Rejects with CannotStart, holding the end
 * of its log, if it ends first or the signal comes first; then it has ended.
 */
export async function startApp(
  stage: Stage,
  { entry = 'src/start.ts', signal = null }: { entry?: string; signal?: AbortSignal | null } = {},
): Promise<{ child: ChildProcess; stop(): Promise<void> }> {
  const child = spawnBound([process.execPath, '--import', 'tsx', entry], { cwd: ROOT, env: stage.environment });
  const log = createWriteStream(stage.logPath, { flags: 'a' });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    stream.on('data', (bytes: Buffer) => {
      words = (words + bytes.toString()).slice(-4000);
    });
  }
  // Not `exit`: its last words may come after that.
  const ended = new Promise<'ended'>((resolve) => child.once('close', () => resolve('ended')));
  const stop = async (): Promise<void> => {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(late);
    log.end();
  };
  const first = await Promise.race([connected(stage.slack), ended, interruption(signal)]);
  if (first === 'connected') return { child, stop };
  await stop();
  if (first === 'interrupted') throw new CannotStart('The start was interrupted.');
  throw new CannotStart(`The app ended before it was connected. Its last words:\n${words.trimEnd()}`);
}

function connected(slack: SlackStandIn): Promise<'connected'> {
  return new Promise((resolve) => {
    if (slack.connections.open > 0) return resolve('connected');
    const off = slack.on((change) => {
      if (change.kind !== 'connections' || change.open === 0) return;
      off();
      resolve('connected');
    });
  });
}
