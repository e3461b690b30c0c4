/** Stops of real processes behind a real sshd: programs are launched as Vigil launches them, and the stop job ends them. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect } from 'vitest';
import { stop } from '../../jobs/stop.ts';
import { findFreePort } from '../../rehearsal/free-port.ts';
import { folderOf } from '../../src/flow/folder.ts';
import { observedNow } from '../../src/flow/now.ts';
import { observe } from '../../src/flow/write.ts';
import type { LaunchSpec, Started } from '../../src/host/launch.ts';
import type { Pid } from '../../src/host/process.ts';
import type { Tools } from '../../src/processor.ts';
import { openStore } from '../../src/queue/store.ts';
import type { Request } from '../../src/run/request.ts';
import type { Run } from '../../src/run/run.ts';
import { newRun, stepAll } from '../../src/run/step.ts';
import { openHosts } from '../../src/ssh/hosts.ts';
import { FakeChat } from './fake-chat.ts';
import { makeFolder } from './folder.ts';
import { specAt } from './launch-spec.ts';
import { lineIn, startOf } from './processes.ts';
import { QUICK } from './quick.ts';
import { freshPrefix, redisUrl } from './redis.ts';
import { sampleConfig } from './sample-config.ts';
import type { Shell } from './shells.ts';
import { startSshd } from './sshd.ts';

export const NEVER = new AbortController().signal;
export const PATIENT = { timeout: 20_000, interval: 10 };
const OURS = 'U0ALICE';

export interface Subject {
  readonly id: string;
  readonly spec: LaunchSpec;
  readonly started: Started;
  readonly port: number;
}

interface Program {
  /** Text of a shell script; $1 is its folder, $2 a free port. */
  readonly text: string;
  /** Other scripts of its folder, by name. */
  readonly others?: Record<string, string>;
  readonly kind?: Request['kind'];
  /** Where it would serve; without it a port that is free. */
  readonly port?: number;
  /** Seconds. */
  readonly stopGrace?: number;
  /** What the journal knows of it instead. */
  change?(run: Run): Run;
}

/** A host whose `sh` and tools are this shell's. */
export async function openStopLab(shell: Shell) {
  const sshd = await startSshd({ config: [`SetEnv PATH=${shell.path}`] });
  const clock = { now: () => Date.now() };
  const config = { ...sampleConfig(), instance: freshPrefix(), hosts: { kpro5: sshd.host } };
  const hosts = openHosts({ ...config, clock });
  const store = openStore(new Redis(redisUrl(), { maxRetriesPerRequest: null }), config.instance);
  const chat = new FakeChat();
  chat.people.set(OURS, { kind: 'member', name: 'alice' });
  const timings = { ...QUICK, stopLook: 300, stopTerm: 1_000, stopKill: 1_500 };
  const log = pino({ level: 'silent' });
  const tools: Tools = { ...store, hosts, chat, config, clock, timings, log };
  const host = hosts.get('kpro5');
  const subjects: Subject[] = [];
  let count = 0;

  const prepare = async ({ text, others = {}, kind = 'serve', stopGrace = 20, ...program }: Program) => {
    const number = ++count;
    const folder = makeFolder('program');
    for (const [name, lines] of Object.entries({ ...others, main: text }))
      writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    const address = { kind: 'tcp', host: '127.0.0.1', port: program.port ?? (await findFreePort()) } as const;
    const argv = [join(folder, 'main'), folder, String(address.port)];
    const names = {
      id: `${config.instance}-kpro5-${number}`,
      name: `kpro5-${number}`,
      host: 'kpro5',
      recipe: 'dflash',
    };
    const asked = {
      ...names,
      argv,
      log: null,
      gpus: [],
      by: OURS,
      stopGrace,
      channel: 'C0OPS',
      at: clock.now(),
      found: null,
    };
    const request: Request =
      kind === 'serve' ? { ...asked, kind, address } : { ...asked, kind, address: null, targetLog: null };
    const { run } = stepAll(newRun(request), [observedNow(clock, { kind: 'attempting' })]);
    return { run, spec: specAt(folderOf(config, request), { argv }), port: address.port };
  };

  const write = async (run: Run): Promise<void> => {
    if (!(await store.journal.adopt(run, 'C0OPS', null))) throw new Error('the journal knows it already');
  };

  const start = async (program: Program): Promise<Subject> => {
    const { run, spec, port } = await prepare(program);
    const outcome = await host.launch(spec, NEVER);
    if (outcome.kind !== 'started') throw new Error(JSON.stringify(outcome));
    const { started } = outcome;
    const launched = stepAll(run, [observedNow(clock, { kind: 'launched', started })]).run;
    await write(program.change?.(launched) ?? launched);
    const subject = { id: run.request.id, spec, started, port };
    subjects.push(subject);
    return subject;
  };

  const ask = async (id: string): Promise<void> => {
    await observe(store.journal, id, () => [observedNow(clock, { kind: 'stop_asked', by: OURS, confirmed: null })]);
  };

  const runOf = async (id: string): Promise<Run> => {
    const entry = await store.journal.load(id);
    if (entry === null) throw new Error('the run is gone from the journal');
    return entry.run;
  };

  return {
    ...{ sshd, host, store, tools, start, ask, runOf },
    /** A run whose launch was tried and did not reach the host. */
    async attempt(): Promise<{ id: string }> {
      const { run } = await prepare({ text: 'exit 0' });
      await write(run);
      return run.request;
    },
    /** The stop from the command to its end; returns what proves it, below whether it is proved. Numbers are left out. */
    async stop({ id }: Pick<Subject, 'id'>): Promise<string[]> {
      await ask(id);
      expect(await stop(id, tools, NEVER)).toBe('done');
      const { phase, stop: proof } = await runOf(id);
      if (phase !== 'stopped' || proof === null) throw new Error(`the run is ${phase}`);
      const verdict = proof.proven ? 'proved' : proof.isGone ? 'not proved' : 'not gone';
      return [verdict, ...proof.evidence.map(withoutNumbers)];
    },
    /** All of them. */
    runs: async (pids: readonly Pid[]): Promise<boolean> => (await host.running(pids, NEVER)).length === pids.length,
    async close() {
      for (const { spec, started } of subjects) {
        await host.kill(await host.tree({ ...spec, started }, NEVER), 'KILL', NEVER);
      }
      await hosts.close();
      await store.close();
      await sshd.stop();
    },
  };
}

/** The process whose number a program wrote into a file of its folder. */
export async function noted({ spec }: Subject, name: string): Promise<Pid> {
  const pid = Number(await lineIn(join(spec.argv[1] ?? '', name)));
  return { pid, start: startOf(pid) };
}

function withoutNumbers(sentence: string): string {
  return sentence
    .replace(/\b(pid|Port|kill|kill -9|All) \d+( \d+)*/g, '$1 N')
    .replace(/\d+ of them were/, 'N of them were')
    .replace(/\/tmp\/[\w./-]+/g, 'PATH')
    .replace(/(VIGIL_RUN=)[\w-]+/, '$1ID');
}

export function logOf({ started }: Subject): string {
  return readFileSync(started.log, 'utf8');
}

export function hasExited({ spec }: Subject): boolean {
  return existsSync(join(spec.path, 'exit'));
}
