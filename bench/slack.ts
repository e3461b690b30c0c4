/** How soon a command is acknowledged: a bot process as it runs (Bolt, sockets, Redis) and the Slack stand-in, which measures from the envelope to its ack. */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { spawnBound } from '../rehearsal/bound.ts';
import { startPrivateRedis } from '../rehearsal/redis.ts';
import { type SlackStandIn, startSlack } from '../rehearsal/slack/server.ts';
import { loadConfig } from '../src/config/load.ts';
import { openDesk } from '../src/queue/desk.ts';
import { openStore } from '../src/queue/store.ts';
import type { Run } from '../src/run/run.ts';
import { HEALTHY, LIVELY, sampleRun, visits } from '../test/report/sample-run.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const A_SECOND = 50;
/** Each has a run that lives; so many `status` has to list. */
const HOSTS = 40;
const PEOPLE = 25;
const CHANNEL = 'C0OPS';
const COMMANDS = [
  '/vllm help',
  '/vllm status',
  '/vllm stop nosuchrun',
  '/vllm launch kpro1 dflash',
  '/vllm launch kpro2 nosuchrecipe',
  '/vllm logs kpro3-1',
  '/vllm history',
  '/vllm status kpro4-1',
  '/dflash help',
  '/dflash status',
] as const;

interface Row {
  /** Spread over each second, or all at its start. */
  readonly pace: 'even' | 'burst';
  readonly commands: number;
  readonly unanswered: number;
  /** From the envelope to its ack, ms. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** CPU time of the bot for each, ms. */
  readonly cpu: number;
}

interface Figures {
  readonly aSecond: number;
  readonly seconds: number;
  readonly liveRuns: number;
  readonly rows: readonly Row[];
  /** p99 by command, of both paces, ms. */
  readonly commands: Readonly<Record<string, number>>;
}

/** 50 commands a second for so many seconds, evenly and in bursts; the bot has just been started, and knows nobody yet. */
export async function benchSlack(seconds: number): Promise<{ figures: Figures; text: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-bench-'));
  const redis = await startPrivateRedis();
  const slack = await startSlack(workspace());
  const environment = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn' },
    ...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
    ...{ REDIS_URL: redis.url, VIGIL_CONFIG: join(folder, 'vigil.yaml') },
  };
  await writeFile(environment.VIGIL_CONFIG, vigilYaml());
  await seed(redis.url, environment.VIGIL_CONFIG);
  const bot = spawnBound([process.execPath, '--import', 'tsx', 'src/bot.ts'], { cwd: ROOT, env: environment });
  bot.stderr.pipe(process.stderr);
  try {
    await connected(slack);
    const all = [];
    for (const pace of ['even', 'burst'] as const) {
      const before = cpuMs(bot.pid);
      const measured = await measure(slack, pace, seconds);
      all.push({ pace, measured, cpu: (cpuMs(bot.pid) - before) / measured.length });
    }
    const rows = all.map(rowOf);
    const figures = {
      aSecond: A_SECOND,
      seconds,
      liveRuns: HOSTS,
      rows,
      commands: byCommand(all.flatMap(({ measured }) => measured)),
    };
    return { figures, text: tell(figures) };
  } finally {
    bot.kill('SIGTERM');
    await new Promise((resolve) => bot.once('close', resolve));
    await slack.stop();
    await redis.stop();
    await rm(folder, { recursive: true });
  }
}

function workspace() {
  const users = Array.from({ length: PEOPLE }, (_, at) => ({
    id: `U0P${at}`,
    name: `person${at}`,
    kind: 'member' as const,
  }));
  return { page: false, appName: 'vigil', channels: [{ id: CHANNEL, name: 'ops', botIsMember: true }], users };
}

/** What a server's run holds that has been up for a while. */
const READY: Partial<Run> = {
  ...{ phase: 'ready', verification: HEALTHY, vitals: LIVELY },
  visits: visits({ launched: 2, configuring: 20, connecting: 5, loading: 90, compiling: 60, capturing: 20, ready: 1 }),
};

/** Hosts that nobody is to reach: no worker runs. Everybody may see all and launch nowhere. */
function vigilYaml(): string {
  const host = (at: number) => `
  kpro${at}:
    address: 192.0.2.${at}
    user: root
    key: ~/.ssh/none
    channel: ${CHANNEL}
    rights: {see: anyone, launch: [U0NOBODY], stop: anyone}`;
  const hosts = Array.from({ length: HOSTS }, (_, at) => host(at + 1)).join('');
  return `instance: bench
hosts:${hosts}
recipes:
  dflash:
    argv: [vllm, serve, /models/target, --port, "8000"]
    gpus: 2
`;
}

async function seed(url: string, configPath: string): Promise<void> {
  const config = loadConfig(configPath, {});
  const store = openStore(new Redis(url.replace(/^unix:(?:\/\/)?/, '')), config.instance);
  const desk = openDesk({ ...store, config, clock: Date });
  for (const host of Object.keys(config.hosts)) {
    const order = { trigger: `bench ${host}`, host, recipe: 'dflash', by: 'U0P0', channel: CHANNEL };
    const answer = await desk.launch({ ...order, mode: { kind: 'now' } }, 'unknown');
    if (answer.kind !== 'accepted') throw new Error(`the run on ${host} was not accepted`);
    const run: Run = { ...sampleRun(READY), request: answer.request };
    await store.redis.hset(store.keys.run(run.request.id), 'run', JSON.stringify(run));
    await desk.decideHome(run.request.id, CHANNEL);
  }
  await store.close();
}

async function connected(slack: SlackStandIn): Promise<void> {
  while (slack.connections.open === 0) await sleep(50);
}

interface Measured {
  readonly command: string;
  /** null = none came within 3 s. */
  readonly ackMs: number | null;
}

async function measure(slack: SlackStandIn, pace: Row['pace'], seconds: number): Promise<readonly Measured[]> {
  const begun = performance.now();
  const typed = Array.from({ length: A_SECOND * seconds }, async (_, at): Promise<Measured> => {
    const second = Math.floor(at / A_SECOND);
    const within = pace === 'even' ? (at % A_SECOND) / A_SECOND : 0;
    await sleep(begun + (second + within) * 1000 - performance.now());
    const command = COMMANDS[at % COMMANDS.length] ?? COMMANDS[0];
    const { acked, afterMs } = await slack.command({ user: `U0P${at % PEOPLE}`, channel: CHANNEL, text: command });
    return { command, ackMs: acked ? afterMs : null };
  });
  return Promise.all(typed);
}

function rowOf({ pace, measured, cpu }: { pace: Row['pace']; measured: readonly Measured[]; cpu: number }): Row {
  const acks = sorted(measured);
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((part) => percentile(acks, part)) as [
    number,
    number,
    number,
    number,
  ];
  return { pace, commands: measured.length, unanswered: measured.length - acks.length, p50, p95, p99, max, cpu };
}

/** User and system time so far, of the threads that live and lived (proc(5)); a tick is 10 ms. */
function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function byCommand(measured: readonly Measured[]): Record<string, number> {
  return Object.fromEntries(
    COMMANDS.map((command) => [command, percentile(sorted(measured.filter((one) => one.command === command)), 0.99)]),
  );
}

function sorted(measured: readonly Measured[]): readonly number[] {
  return measured.flatMap(({ ackMs }) => ackMs ?? []).toSorted((a, b) => a - b);
}

function percentile(acks: readonly number[], part: number): number {
  return acks[Math.min(acks.length - 1, Math.floor(acks.length * part))] ?? Number.NaN;
}

function tell({ aSecond, seconds, liveRuns, rows, commands }: Figures): string {
  const lines = rows.map(
    ({ pace, commands: count, unanswered, p50, p95, p99, max, cpu }) =>
      `${pace.padEnd(6)} ${String(count).padStart(5)} commands: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms, ${unanswered} unanswered; CPU ${cpu.toFixed(1)} ms each`,
  );
  const each = Object.entries(commands).map(([command, p99]) => `  ${command.padEnd(34)} ${p99} ms`);
  return `Acks of ${aSecond} commands a second over ${seconds} s, beside ${liveRuns} live runs
${lines.join('\n')}
p99 by command:
${each.join('\n')}
`;
}
