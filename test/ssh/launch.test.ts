import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HostUnreachable } from '../../src/errors.ts';
import type { LaunchSpec, Started } from '../../src/host/launch.ts';
import type { Sample } from '../../src/host/sample.ts';
import { differenceIn, sampleLists, specOf } from '../support/argument-lists.ts';
import { makeFolder } from '../support/folder.ts';
import { openLab } from '../support/lab.ts';
import { specAt } from '../support/launch-spec.ts';

const NEVER = new AbortController().signal;
/** Random lists; a soak takes more. */
const LISTS = Number(process.env.LAUNCH_LISTS_OVER_SSH ?? 10);
const { sshd, host } = await openLab();
let count = 0;

function makeSpec(more: Partial<LaunchSpec> = {}): LaunchSpec {
  count += 1;
  const run = `lab-kpro5-${process.pid}-${count}`;
  return specAt({ path: `${sshd.host.stateDir}/lab/kpro5/${run}`, run }, more);
}

async function start(spec: LaunchSpec): Promise<Started> {
  const outcome = await host.launch(spec, NEVER);
  if (outcome.kind !== 'started') throw new Error(JSON.stringify(outcome));
  return outcome.started;
}

async function hasExited(spec: LaunchSpec): Promise<void> {
  await expect.poll(() => existsSync(join(spec.path, 'exit')), { timeout: 20_000, interval: 10 }).toBe(true);
}

/** Samples until one says what is looked for. */
async function sampleUntil(spec: LaunchSpec, started: Started, isWanted: (sample: Sample) => boolean): Promise<Sample> {
  const stop = new AbortController();
  for await (const sample of host.samples({ ...spec, started }, stop.signal)) {
    if (isWanted(sample)) return sample;
  }
  throw new Error('the samples ended');
}

describe('launching over SSH', () => {
  test('argument lists, environments and preludes arrive byte for byte', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    for (const meant of sampleLists(LISTS, seed)) {
      const spec = makeSpec(specOf(meant));
      await start(spec);
      await hasExited(spec);
      expect(differenceIn(meant, join(spec.path, 'log')), `seed ${seed}`).toBeNull();
    }
  }, 3_600_000);

  test('a look before a launch says what would run where, and what stands in its way', async () => {
    const spec = makeSpec({ argv: ['no-such-program'], directory: '/usr' });
    const outlook = await host.find(spec, NEVER);
    expect(outlook).toMatchObject({ program: null, directory: '/usr', olderLog: null, warnings: [] });
    expect(outlook.obstacles).toEqual([expect.stringContaining('The program "no-such-program" was not found')]);
    expect(outlook.path.split(':')).toContain('/usr/bin');
    const found = await host.find({ ...spec, argv: ['env'], environment: { PATH: '/usr/bin' } }, NEVER);
    expect(found).toMatchObject({ program: '/usr/bin/env', path: '/usr/bin', obstacles: [] });
    const impossible = await host.find({ ...spec, argv: ['env', 'x'.repeat(200_000)] }, NEVER);
    expect(impossible.obstacles).toEqual([expect.stringContaining('Word 2 of argv is 200000 bytes long')]);
    expect(existsSync(spec.path)).toBe(false);
  });

  test('two launches at once, and one later, are one start', async () => {
    const ledger = join(makeFolder('ledger'), 'ledger');
    const spec = makeSpec({ argv: ['/bin/sh', '-c', `echo start >>${ledger}; exec sleep 60`] });
    const outcomes = await Promise.all([host.launch(spec, NEVER), host.launch(spec, NEVER)]);
    const later = await host.launch(spec, NEVER);
    expect([...outcomes, later].map(({ kind }) => kind).sort()).toEqual(['already', 'already', 'started']);
    if (later.kind !== 'already') throw new Error(later.kind);
    await host.kill([later.started.main], 'KILL', NEVER);
    await hasExited(spec);
    expect(readFileSync(ledger, 'utf8')).toBe('start\n');
  });

  test('a stop that comes first makes every launch void, one that comes later names the process', async () => {
    const early = makeSpec();
    expect(await host.voidClaim(early, NEVER)).toEqual({ kind: 'void' });
    expect(await host.launch(early, NEVER)).toEqual({ kind: 'void' });
    const late = makeSpec();
    const started = await start(late);
    expect(await host.voidClaim(late, NEVER)).toEqual({ kind: 'started', started });
  });

  test('a run outlives its connection, and how it ended is known after', async () => {
    const spec = makeSpec({ argv: ['/bin/sh', '-c', 'trap "exit 5" USR1; while :; do sleep 0.05; done'] });
    const started = await start(spec);
    await sshd.cutConnections();
    const alive = await sampleUntil(spec, started, () => true).catch(() => sampleUntil(spec, started, () => true));
    expect(alive).toMatchObject({ alive: true, exit: null, bootId: started.bootId, init: started.init, logSize: 0 });
    const main = alive.tree?.find(({ pid }) => pid === started.main.pid);
    expect(main?.minorFaults).toBeGreaterThan(0);
    expect(main?.readBytes).not.toBeNull();
    process.kill(started.main.pid, 'SIGUSR1');
    const dead = await sampleUntil(spec, started, (sample) => !sample.alive);
    expect(dead.exit).toMatchObject({ code: 5, signal: null });
  });

  test('one sampler serves runs that come and go', async () => {
    const specs = [makeSpec({ argv: ['sleep', '60'] }), makeSpec({ argv: ['sleep', '60'] })];
    const [first, second] = await Promise.all(specs.map(start));
    if (!first || !second || !specs[0] || !specs[1]) throw new Error('two runs');
    const [one, two] = await Promise.all([
      sampleUntil(specs[0], first, () => true),
      sampleUntil(specs[1], second, ({ tree }) => tree !== null),
    ]);
    expect([one.alive, two.alive]).toEqual([true, true]);
    expect(two.tree).toMatchObject([second.main]);
    await host.kill([first.main, second.main], 'TERM', NEVER);
    const end = await sampleUntil(specs[1], second, ({ alive }) => !alive);
    expect(end.exit).toMatchObject({ code: null, signal: 15 });
    expect(await host.tree({ ...specs[1], started: second }, NEVER)).toEqual([]);
  });

  test('a secret is neither in ps nor in a file of the run folder', async () => {
    const spec = makeSpec({ argv: ['sleep', '60'], environment: { VLLM_API_KEY: 'sk-vigiltest-1' } });
    const started = await start(spec);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sk-vigiltest-1');
    for (const file of readdirSync(spec.path, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain('sk-vigiltest-1');
    const launcher = readFileSync(`/proc/${started.session}/environ`, 'utf8');
    expect(launcher).not.toContain('sk-vigiltest-1');
    // The start is told right before exec gives the process its environment.
    const environ = () => readFileSync(`/proc/${started.main.pid}/environ`, 'utf8');
    await expect.poll(environ).toContain('VLLM_API_KEY=sk-vigiltest-1');
    await host.kill([started.main], 'KILL', NEVER);
  });

  test('kill spares a process that has got the pid since', async () => {
    const spec = makeSpec({ argv: ['sleep', '60'] });
    const { main } = await start(spec);
    await host.kill([{ pid: main.pid, start: main.start - 1 }], 'KILL', NEVER);
    const view = await host.stopView(
      { ...spec, started: await start({ ...makeSpec(), argv: ['true'] }) },
      { pids: [main, { pid: main.pid, start: 7 }], address: { kind: 'tcp', host: '127.0.0.1', port: 1 } },
      NEVER,
    );
    expect(view).toMatchObject({ running: [main], listener: { kind: 'closed' } });
    await host.kill([main], 'KILL', NEVER);
  });

  test('run folders are listed', async () => {
    const spec = makeSpec();
    await start(spec);
    expect(await host.runs(NEVER)).toContain(spec.run);
  });

  test('a call whose connection breaks is unreachable, and the next one works', async () => {
    const spec = makeSpec();
    const log = join(sshd.folder, 'slow.log');
    await appendFile(log, 'x');
    const following = (async () => {
      for await (const _ of host.follow(
        { ...spec, log, real: null, role: 'main', from: { generation: null, offset: 0 } },
        NEVER,
      ))
        await sshd.cutConnections();
    })();
    await expect(following).rejects.toThrow(HostUnreachable);
    expect((await host.facts(NEVER)).hasBash).toBe(true);
  });

  test('more sessions than one connection allows are served', async () => {
    const logs = Array.from({ length: 14 }, (_, index) => join(sshd.folder, `many-${index}.log`));
    const opened = await Promise.all(
      logs.map(async (log, index) => {
        await appendFile(log, `${index}\n`);
        const spec = makeSpec();
        const stop = new AbortController();
        for await (const chunk of host.follow(
          { ...spec, log, real: null, role: 'main', from: { generation: null, offset: 0 } },
          stop.signal,
        ))
          return chunk.kind;
        return null;
      }),
    );
    expect(opened).toEqual(logs.map(() => 'opened'));
  });

  test('a call ends with its signal and the connection stays', async () => {
    const stop = new AbortController();
    const spec = makeSpec({ argv: ['sleep', '60'] });
    const started = await start(spec);
    const sampling = (async () => {
      for await (const _ of host.samples({ ...spec, started }, stop.signal)) stop.abort(new Error('enough'));
    })();
    await expect(sampling).rejects.toThrow('enough');
    await host.kill([started.main], 'KILL', NEVER);
  });
});
