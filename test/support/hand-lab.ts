/** What people start by hand on a host behind a real sshd, and a worker that is asked to watch it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { foundProcesses } from '../../src/flow/found-processes.ts';
import { watchLog } from '../../src/flow/watch-log.ts';
import type { Tools } from '../../src/processor.ts';
import type { ListedProcess, WatchAnswer, WatchOrder } from '../../src/questions.ts';
import { openDesk } from '../../src/queue/desk.ts';
import { openStore } from '../../src/queue/store.ts';
import type { Run } from '../../src/run/run.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import { FakeChat } from './fake-chat.ts';
import { makeFolder } from './folder.ts';
import { endGroup } from './processes.ts';
import { QUICK } from './quick.ts';
import { freshPrefix, redisUrl } from './redis.ts';
import { sampleConfig } from './sample-config.ts';
import { startSshd } from './sshd.ts';

export const NEVER = new AbortController().signal;
export const PATIENT = { timeout: 50_000, interval: 50 };

/** Called like vLLM's own script, it answers /health (over TLS where it is given a certificate) with what $HEALTH says, starts $WORKERS processes and ends them itself. */
const VLLM = `
const { readFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const said = (flag) => process.argv[process.argv.indexOf(flag) + 1];
const port = Number(said('--port'));
const isTls = process.argv.includes('--ssl-certfile');
const { createServer } = require(isTls ? 'node:https' : 'node:http');
const identity = isTls ? { key: readFileSync(said('--ssl-keyfile')), cert: readFileSync(said('--ssl-certfile')) } : {};
const workers = Array.from({ length: Number(process.env.WORKERS ?? 0) }, () => spawn('sleep', ['600'], { stdio: 'inherit' }));
process.on('SIGTERM', () => {
  console.log('asked to end');
  for (const worker of workers) worker.kill();
  process.exit(0);
});
createServer(identity, (request, response) => {
  response.statusCode = request.url === '/health' ? Number(process.env.HEALTH ?? 200) : 401;
  response.end('{}');
}).listen(port, '127.0.0.1', () => console.log('listening'));
`;

export type HandLab = Awaited<ReturnType<typeof openHandLab>>;

export async function openHandLab() {
  const sshd = await startSshd();
  // As the kernel names it: the temporary folder itself may be behind a link.
  const folder = realpathSync(makeFolder('by-hand'));
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'vllm'), VLLM);
  const kpro5 = { ...sshd.host, watchLogs: [`${folder}/logs/*.log`] };
  const config = { ...sampleConfig(), instance: freshPrefix(), hosts: { kpro5 } };
  const clock = { now: () => Date.now() };
  const hosts = openHosts({ ...config, clock });
  const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  await store.journal.markSurveyed('kpro5');
  const chat = new FakeChat();
  chat.people.set('U0ALICE', { kind: 'member', name: 'alice' });
  const tools: Tools = { ...store, hosts, chat, config, clock, timings: QUICK, log: pino({ level: 'silent' }) };
  const desk = openDesk({ ...store, config, clock });
  const children: ChildProcess[] = [];
  let commands = 0;

  /** In a process group of its own, with this log as its output. */
  const start = (argv: readonly string[], log: string, environment: Record<string, string> = {}): ChildProcess => {
    const out = openSync(log, 'a');
    const [program = '', ...words] = argv;
    const env = { PATH: process.env.PATH, ...environment };
    const child = spawn(program, words, { detached: true, cwd: folder, env, stdio: ['ignore', out, out] });
    closeSync(out);
    children.push(child);
    return child;
  };
  return {
    folder,
    config,
    tools,
    desk,
    store,
    logAt: (name: string) => join(folder, 'logs', name),
    start,
    async startServer(log: string, environment: Record<string, string> = {}) {
      const port = await findFreePort();
      const argv = [process.execPath, join(folder, 'vllm'), 'serve', 'm', '--port', String(port)];
      return { child: start(argv, log, environment), port, argv };
    },
    /** Asks for a watch as a new command of Alice's; what is given stands in the order's place. */
    watch(log: string, more: Partial<WatchOrder> = {}, changed: Partial<Tools> = {}): Promise<WatchAnswer> {
      commands += 1;
      const order = { host: 'kpro5', what: 'serve', log, pid: null, by: 'U0ALICE', channel: 'C0OPS' } as const;
      return watchLog({ kind: 'watch', ...order, trigger: `t${commands}`, ...more }, { ...tools, ...changed }, NEVER);
    },
    processes: (run: string): Promise<readonly ListedProcess[]> => foundProcesses({ host: 'kpro5', run }, tools, NEVER),
    async runOf(id: string): Promise<Run> {
      const entry = await store.journal.load(id);
      if (entry === null) throw new Error('the journal does not know this run');
      return entry.run;
    },
    async endAll(): Promise<void> {
      await Promise.all(children.splice(0).map(endGroup));
    },
    async close(): Promise<void> {
      await hosts.close();
      await store.close();
      await sshd.stop();
    },
  };
}
