import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GPUS, parseGpus } from '../../src/shell/gpus.ts';
import { makeFolder } from '../support/folder.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

/** The shell on a host whose nvidia-smi answers so. */
function withGpus(shell: Shell, gpus: string, apps: string): Shell {
  const folder = makeFolder('smi');
  const path = join(folder, 'nvidia-smi');
  const text = `#!/bin/sh\ncase $1 in\n--query-gpu=index,uuid,memory.used) ${gpus} ;;\n--query-compute-apps=gpu_uuid,pid,process_name) ${apps} ;;\n*) exit 2 ;;\nesac\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return { ...shell, path: `${folder}:${shell.path}` };
}

const TWO = "printf '0, GPU-0a, 1024\\n1, GPU-1b, 0\\n'";

describe.each(findShells())('in $name', (shell) => {
  const ask = async (gpus: string, apps: string) => parseGpus((await runIn(withGpus(shell, gpus, apps), GPUS)).output);

  test('each GPU has its memory and its processes', async () => {
    const apps = "printf 'GPU-0a, 812, /opt/venv/bin/python3, -c x\\nGPU-0a, 813, VLLM::Worker_TP1\\n'";
    expect(await ask(TWO, apps)).toEqual([
      {
        index: '0',
        uuid: 'GPU-0a',
        usedMib: 1024,
        processes: [
          { pid: 812, command: '/opt/venv/bin/python3, -c x' },
          { pid: 813, command: 'VLLM::Worker_TP1' },
        ],
      },
      { index: '1', uuid: 'GPU-1b', usedMib: 0, processes: [] },
    ]);
  });

  test('what nvidia-smi will not tell is left out', async () => {
    expect(await ask("echo '0, GPU-0a, [N/A]'", "echo 'GPU-0a, [N/A], python'")).toEqual([
      { index: '0', uuid: 'GPU-0a', usedMib: 0, processes: [] },
    ]);
  });

  test('where nvidia-smi is missing, fails or names no GPU, nothing is known', async () => {
    expect(parseGpus((await runIn(shell, GPUS)).output)).toBeNull();
    const failure = "echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver'; exit 9";
    expect(await ask(failure, 'true')).toBeNull();
    expect(await ask(TWO, 'exit 9')).toBeNull();
    expect(await ask("echo 'No devices were found'", 'true')).toBeNull();
  });
});
