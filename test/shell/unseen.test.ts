import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pid } from '../../src/host/process.ts';
import type { SampleTarget } from '../../src/host/sample.ts';
import { parseClean, renderClean } from '../../src/shell/clean.ts';
import { FACTS, parseFacts } from '../../src/shell/facts.ts';
import { GPUS, parseGpus } from '../../src/shell/gpus.ts';
import { parseListener, renderListener } from '../../src/shell/listener.ts';
import { parseTree, renderTree } from '../../src/shell/tree.ts';
import { parseWriters, renderWriters } from '../../src/shell/writers.ts';
import { asNobody, makeNobodysFolder } from '../support/plain-user.ts';
import { begin, lineIn } from '../support/processes.ts';
import { sampleUntil } from '../support/sampling.ts';
import { findShells, runIn } from '../support/shells.ts';
import { writeSmi } from '../support/smi.ts';

/** Another user, and a /proc of one's own, need rights that root of a container may lack. */
const canHide =
  userInfo().uid === 0 && spawnSync('sh', ['-c', 'unshare -m mount -t proc -o hidepid=2 proc /proc']).status === 0;
const NOBODY = 'setpriv --reuid 65534 --regid 65534 --clear-groups';

const users = canHide
  ? findShells().flatMap((shell) =>
      [false, true].map((hides) => ({ hides, shell: asNobody(shell, { hidepid: hides }) })),
    )
  : [];

function targetOf(path: string, main: Pid, session = 0): SampleTarget {
  const about = { bootId: 'b', init: 1, log: join(path, 'log'), movedLog: null, preludeShell: null, at: 0 };
  return { path, run: 'unseen', started: { main, session, ...about, warnings: [] } };
}

/** A run folder as its launcher left it. */
function makeRun(launcher: Pid): string {
  const path = makeNobodysFolder('run');
  mkdirSync(join(path, 'started'));
  writeFileSync(join(path, 'started', 'name'), 'c1\n');
  writeFileSync(join(path, 'launcher.c1'), `${launcher.pid} ${launcher.start}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.runIf(canHide).each(users)('in $shell.name', ({ hides, shell }) => {
  test('a tree is what can be seen of it, and the unreadable of another user costs nothing else', async () => {
    const folder = makeNobodysFolder('tree');
    const main = begin(`${NOBODY} sh -c 'echo $$ >${folder}/own; exec sleep 61' & wait`);
    const own = Number(await lineIn(join(folder, 'own')));
    const { output, stderr } = await runIn(shell, renderTree(targetOf('', main)));
    expect(stderr).toBe('');
    const told = parseTree(output)?.map(({ pid, readBytes, writeBytes }) => ({ pid, readBytes, writeBytes }));
    const account = { readBytes: expect.any(Number), writeBytes: expect.any(Number) };
    const ofRoot = { pid: main.pid, readBytes: null, writeBytes: null };
    expect(told).toHaveLength(hides ? 0 : 2);
    expect(told).toEqual(expect.arrayContaining(hides ? [] : [ofRoot, { pid: own, ...account }]));
  });

  test("a main process of another user's lives while its launcher waits for it", async () => {
    const launcher = begin(`exec ${NOBODY} sleep 61`);
    const main = begin('exec sleep 61');
    const waited = targetOf(makeRun(launcher), main, launcher.pid);
    const lost = targetOf(makeRun({ ...launcher, start: 7 }), main, launcher.pid);
    const samples = await sampleUntil(shell, [waited, lost], (all) => all.length >= 2);
    expect(samples.slice(0, 2).map(({ sample }) => sample.alive)).toEqual([true, !hides]);
  });

  test('who listens, who writes and who computes is not known of another user', async () => {
    const folder = makeNobodysFolder('log');
    const log = join(folder, 'x.log');
    writeFileSync(log, '');
    chmodSync(log, 0o666);
    begin(`exec >>${log}; echo $$ >${folder}/theirs; exec sleep 61`);
    begin(`exec ${NOBODY} sh -c 'exec >>${log}; echo $$ >${folder}/own; exec sleep 61'`);
    const [theirs, own] = [Number(await lineIn(join(folder, 'theirs'))), Number(await lineIn(join(folder, 'own')))];
    const writers = parseWriters((await runIn(shell, renderWriters(log))).output);
    expect(writers.map(({ pid }) => pid)).toEqual([own]);

    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
    const address = { kind: 'tcp', host: '127.0.0.1', port } as const;
    const { output } = await runIn(shell, renderListener(address));
    server.close();
    expect(parseListener(output, address)).toEqual({ kind: 'unknown' });

    const gpus = 'echo "0, GPU-0a, 9, 1, 8, 0, Disabled, H200"';
    const smi = makeNobodysFolder('smi');
    writeSmi(smi, { gpus, apps: `echo "GPU-0a, ${theirs}, 5, python"; echo "GPU-0a, ${own}, 5, python"` });
    const here = readlinkSync('/proc/self/ns/pid');
    const moved = { ...GPUS, text: GPUS.text.replace('/usr/local/nvidia/bin', smi).replace('pid:[4026531836]', here) };
    const answer = parseGpus((await runIn(shell, moved)).output);
    const users = answer?.kind === 'told' ? answer.gpus[0]?.processes.map(({ user }) => user) : answer;
    expect(users).toEqual([hides ? null : 'root', 'nobody']);
  });

  test('the folder of a run that may live unseen is not removed', async () => {
    const runs = makeNobodysFolder('runs');
    const old = join(runs, 'old');
    const started = join(old, 'started');
    const record = join(old, 'pid.c1');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    mkdirSync(started, { recursive: true });
    writeFileSync(record, `pid 4194301 7 4194301\nboot ${boot}`);
    for (const path of [record, started, old]) {
      chownSync(path, 65_534, 65_534);
      utimesSync(path, 1, 1);
    }
    const { output } = await runIn(shell, renderClean({ folder: runs, days: 30, keep: [] }));
    expect([parseClean(output), existsSync(old)]).toEqual(hides ? [0, true] : [1, false]);
  });

  test("PID 1's start is unknown where it is hidden", async () => {
    const facts = parseFacts((await runIn(shell, FACTS)).output);
    expect(facts?.init === 0).toBe(hides);
  });
});
