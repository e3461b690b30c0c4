import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GPUS, parseGpus } from '../../src/shell/gpus.ts';
import { makeFolder } from '../support/folder.ts';
import { begin, isOver, lineIn } from '../support/processes.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';
import { type SmiAnswers, writeSmi } from '../support/smi.ts';

/** The shell on a host whose nvidia-smi answers so. */
function withGpus(shell: Shell, answers: SmiAnswers): Shell {
  const folder = makeFolder('smi');
  writeSmi(folder, answers);
  return { ...shell, path: `${folder}:${shell.path}` };
}

const rows = (...lines: string[]) => lines.map((line) => `echo '${line}'`).join('; ');
const ONE = rows('0, GPU-0a, 143771, 615, 143156, 100, Disabled, NVIDIA H200');
/** A pid that no process of this machine has. */
const NOBODY = 2 ** 22 - 3;
const UNKNOWN = { user: null, since: null, run: null };

describe.each(findShells())('in $name', (shell) => {
  const ask = async (answers: SmiAnswers) => parseGpus((await runIn(withGpus(shell, answers), GPUS)).output);
  const told = async (answers: SmiAnswers) => {
    const answer = await ask(answers);
    if (answer?.kind !== 'told') throw new Error(JSON.stringify(answer));
    return answer.gpus;
  };

  test('each GPU has its name, its memory and its processes', async () => {
    const gpus = `${ONE}; ${rows('1, GPU-1b, 143771, 1024, 142132, 0, Disabled, NVIDIA H200')}`;
    const apps = rows(`GPU-1b, ${NOBODY}, 812, /opt/venv/bin/python3, -c x`, `GPU-1b, ${NOBODY + 1}, [N/A], app 7`);
    expect(await told({ gpus, apps })).toEqual([
      {
        index: '0',
        uuid: 'GPU-0a',
        name: 'NVIDIA H200',
        totalMib: 143771,
        usedMib: 615,
        freeMib: 143156,
        utilization: 100,
        isMig: false,
        migs: [],
        processes: [],
      },
      expect.objectContaining({
        index: '1',
        processes: [
          { pid: NOBODY, command: '/opt/venv/bin/python3, -c x', usedMib: 812, ...UNKNOWN },
          { pid: NOBODY + 1, command: 'app 7', usedMib: null, ...UNKNOWN },
        ],
      }),
    ]);
  });

  test('what nvidia-smi will not tell is null, and a process without a pid is left out', async () => {
    const gpus = rows(
      '0, GPU-0a, [N/A], [Not Supported], [Insufficient Permissions], [Not Supported], [N/A], Tesla K80',
    );
    expect(await told({ gpus, apps: rows('GPU-0a, [N/A], 5, python') })).toMatchObject([
      { totalMib: null, usedMib: null, freeMib: null, utilization: null, isMig: false, processes: [] },
    ]);
  });

  test('a driver that knows no MIG is asked without it', async () => {
    const gpus = rows('0, GPU-0a, 16280, 1, 16279, 0, 0, Tesla P100');
    expect(await told({ gpus, apps: 'true', isOld: true })).toMatchObject([
      { name: 'Tesla P100', freeMib: 16279, isMig: false, migs: [] },
    ]);
  });

  test('the MIG devices of a GPU and who computes on them are its own', async () => {
    const gpus = `${rows('0, GPU-0a, 81920, 20, [N/A], [N/A], Enabled, NVIDIA A100')}; ${rows('1, GPU-1b, 81920, 0, 81000, [N/A], Enabled, NVIDIA A100')}`;
    const list = rows(
      'GPU 0: NVIDIA A100 (UUID: GPU-0a)',
      '  MIG 3g.40gb     Device  0: (UUID: MIG-7c)',
      '  MIG 1c.2g.20gb  Device  1: (UUID: MIG-GPU-0a/2/0)',
      '  MIG 1g.10gb+me  Device  2: (UUID: MIG-8d)',
      'GPU 1: NVIDIA A100 (UUID: GPU-1b)',
    );
    expect(await told({ gpus, apps: rows(`MIG-7c, ${NOBODY}, 7, python`), list })).toMatchObject([
      {
        isMig: true,
        migs: [
          { uuid: 'MIG-7c', name: '3g.40gb' },
          { uuid: 'MIG-GPU-0a/2/0', name: '1c.2g.20gb' },
          { uuid: 'MIG-8d', name: '1g.10gb+me' },
        ],
        processes: [{ pid: NOBODY, usedMib: 7 }],
      },
      { isMig: true, migs: [], processes: [] },
    ]);
  });

  test('a process has its owner, its start and its run, which a child with a wiped environment has from its parent', async () => {
    const folder = makeFolder('worker');
    mkdirSync(join(folder, 'dev'));
    writeFileSync(join(folder, 'dev', 'nvidia0'), '');
    const now = Date.now();
    const worker = `exec env -i sh -c 'echo $$ >${folder}/pid; exec sleep 60' 4<${folder}/dev/nvidia0`;
    begin(`(${worker}) & wait`, { ...process.env, VIGIL_RUN: 'lab-kpro5-1a' });
    const pid = Number(await lineIn(join(folder, 'pid')));
    const [gpu] = await told({ gpus: ONE, apps: rows(`GPU-0a, ${pid}, 9, VLLM::Worker_TP0`) });
    const [worked] = gpu?.processes ?? [];
    expect(worked).toMatchObject({ pid, run: 'lab-kpro5-1a', user: userInfo().username });
    expect(Math.abs((worked?.since ?? 0) - now)).toBeLessThan(120_000);
  });

  test('in a container only a process with a GPU device open is believed, and memory of nobody is said to be hidden', async () => {
    const folder = makeFolder('container');
    mkdirSync(join(folder, 'dev'));
    writeFileSync(join(folder, 'dev', 'nvidia0'), '');
    const stranger = begin('exec sleep 60').pid;
    const own = begin(`exec 4<${folder}/dev/nvidia0; echo $$ >${folder}/pid; exec sleep 60`).pid;
    await lineIn(join(folder, 'pid'));
    const contained = { ...GPUS, text: GPUS.text.replace('4026531836', '1') };
    const look = async (used: number, pid: number) => {
      const gpus = rows(`0, GPU-0a, 143771, ${used}, 143156, 100, Disabled, NVIDIA H200`);
      const there = withGpus(shell, { gpus, apps: rows(`GPU-0a, ${pid}, 9, python`) });
      return parseGpus((await runIn(there, contained)).output);
    };
    const processes = [{ pid: stranger, command: 'python', usedMib: 9, ...UNKNOWN }];
    expect(await look(5000, stranger)).toMatchObject({ gpus: [{ processes }], hidesProcesses: true });
    expect(await look(615, stranger)).toMatchObject({ hidesProcesses: false });
    const known = [{ pid: own, user: userInfo().username }];
    expect(await look(5000, own)).toMatchObject({ gpus: [{ processes: known }], hidesProcesses: false });
  });

  test('nvidia-smi is also looked for where containers, WSL and CUDA have it, in this order', async () => {
    const root = makeFolder('root');
    const moved = { ...GPUS, text: GPUS.text.replaceAll('/usr/', `${root}/usr/`) };
    const found = [];
    for (const place of ['usr/local/cuda/bin', 'usr/lib/wsl/lib', 'usr/local/nvidia/bin']) {
      mkdirSync(join(root, place), { recursive: true });
      writeSmi(join(root, place), { gpus: rows(`0, GPU-0a, 9, 1, 8, 0, Disabled, found in ${place}`), apps: 'true' });
      const answer = parseGpus((await runIn(shell, moved)).output);
      found.push(answer?.kind === 'told' ? answer.gpus[0]?.name : answer);
    }
    expect(found).toEqual(['found in usr/local/cuda/bin', 'found in usr/lib/wsl/lib', 'found in usr/local/nvidia/bin']);
    const onPath = withGpus(shell, { gpus: rows('0, GPU-0a, 9, 1, 8, 0, Disabled, on the PATH'), apps: 'true' });
    expect((await runIn(onPath, moved)).output).toContain('on the PATH');
  });

  test('no second nvidia-smi is started beside one that the driver has held for 20 s', async () => {
    const proc = makeFolder('proc');
    const add = (pid: number, comm: string, state: string, start: number) => {
      mkdirSync(join(proc, String(pid)));
      writeFileSync(join(proc, String(pid), 'comm'), `${comm}\n`);
      const fields = Array.from({ length: 18 }, () => '0').join(' ');
      writeFileSync(join(proc, String(pid), 'stat'), `${pid} (${comm}) ${state} ${fields} ${start} 0 0 0 0 0\n`);
    };
    writeFileSync(join(proc, 'uptime'), '1000.00 1.00\n');
    const elsewhere = { ...GPUS, text: GPUS.text.replaceAll('/proc/', `${proc}/`) };
    const there = withGpus(shell, { gpus: ONE, apps: 'true' });
    const look = async () => parseGpus((await runIn(there, elsewhere)).output)?.kind;
    add(11, 'nvidia-smi', 'S', 100);
    add(12, 'nvidia-smi', 'D', 98_500);
    add(13, 'python', 'D', 100);
    expect(await look()).toBe('told');
    add(14, 'nvidia-smi', 'D', 97_000);
    expect(await look()).toBe('hanging');
  });

  test('an nvidia-smi that hangs is ended by force, and no second one is begun', async () => {
    const mark = join(makeFolder('hanging'), 'pids');
    const hanging = `echo $$ >>${mark}; trap "" TERM; exec sleep 61`;
    const limited = { ...GPUS, text: GPUS.text.replaceAll('vigil_within 20', 'vigil_within 1') };
    const { output } = await runIn(withGpus(shell, { gpus: hanging, apps: 'true' }), limited);
    expect(parseGpus(output)).toEqual({ kind: 'failed' });
    const pids = readFileSync(mark, 'utf8').trim().split('\n');
    expect(pids).toHaveLength(1);
    await expect.poll(() => isOver(Number(pids[0]))).toBe(true);
  });

  test('where nvidia-smi is missing, fails or names no GPU, it says so', async () => {
    expect(parseGpus((await runIn(shell, GPUS)).output)).toEqual({ kind: 'missing' });
    const failure = "echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver'; exit 9";
    expect(await ask({ gpus: failure, apps: 'true' })).toEqual({ kind: 'failed' });
    expect(await ask({ gpus: ONE, apps: 'exit 9' })).toEqual({ kind: 'failed' });
    expect(await ask({ gpus: rows('No devices were found'), apps: 'true' })).toEqual({ kind: 'failed' });
    expect(parseGpus('gpu 0, GPU-0a, 1, 1, 1, Disabled, H200\n')).toBeNull();
  });
});
