import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DRIVER, parseDriver } from '../../../src/shell/preflight/driver.ts';
import { makeFolder } from '../../support/folder.ts';
import { writeProgram } from '../../support/program.ts';
import { findShells, runIn, type Shell } from '../../support/shells.ts';

interface Answers {
  readonly capabilities: string;
  readonly versions: string;
  readonly version: string;
  readonly table: string;
}

const NEW: Answers = {
  capabilities: `echo 'GPU-0a, 580.159.04, 8.6'; echo 'GPU-1b, 580.159.04, [N/A]'`,
  versions: 'exit 9',
  version: `echo 'NVIDIA-SMI version  : 580.159.04'; echo 'CUDA Version        : 13.0'`,
  table: 'exit 9',
};

function withSmi(shell: Shell, { capabilities, versions, version, table }: Answers): Shell {
  const folder = makeFolder('smi');
  writeProgram(
    folder,
    'nvidia-smi',
    `case "$*" in
'--query-gpu=uuid,driver_version,compute_cap --format=csv,noheader') ${capabilities} ;;
'--query-gpu=uuid,driver_version --format=csv,noheader') ${versions} ;;
--version) ${version} ;;
'') ${table} ;;
*) exit 2 ;;
esac`,
  );
  return { ...shell, path: `${folder}:${shell.path}` };
}

describe.each(findShells())('in $name', (shell) => {
  const ask = async (changes: Partial<Answers> = {}, script = DRIVER) =>
    parseDriver((await runIn(withSmi(shell, { ...NEW, ...changes }), script)).output);

  test('version, CUDA and what each GPU can compute are told', async () => {
    expect(await ask()).toEqual({
      kind: 'told',
      driver: { version: '580.159.04', cuda: '13.0', capabilities: new Map([['GPU-0a', '8.6']]) },
    });
  });

  test('an old driver is asked for its version alone, and CUDA stands in the head of its table', async () => {
    const table = "echo '| NVIDIA-SMI 450.80.02    Driver Version: 450.80.02    CUDA Version: 11.0     |'";
    const old = { capabilities: `echo 'Field "compute_cap" is not a valid field to query.'; exit 2`, table };
    expect(await ask({ ...old, versions: "echo 'GPU-0a, 450.80.02'", version: 'exit 3' })).toEqual({
      kind: 'told',
      driver: { version: '450.80.02', cuda: '11.0', capabilities: new Map() },
    });
  });

  test('a host that tells no CUDA version has none, and without nvidia-smi or GPUs that is said', async () => {
    expect(await ask({ version: 'exit 3' })).toMatchObject({ kind: 'told', driver: { cuda: null } });
    expect(await ask({ capabilities: "echo 'No devices were found'" })).toEqual({ kind: 'failed' });
    expect(await ask({ capabilities: 'exit 9' })).toEqual({ kind: 'failed' });
    expect(parseDriver((await runIn(shell, DRIVER)).output)).toEqual({ kind: 'missing' });
    expect(parseDriver('gpu GPU-0a, 580.159.04, 8.6\n')).toBeNull();
  });

  test('an nvidia-smi that hangs is ended, and no second one is begun', async () => {
    const mark = join(makeFolder('hanging'), 'pids');
    const limited = { ...DRIVER, text: DRIVER.text.replaceAll('vigil_within 20', 'vigil_within 1') };
    const hanging = `echo $$ >>${mark}; exec sleep 61`;
    expect(await ask({ capabilities: hanging, versions: hanging }, limited)).toEqual({ kind: 'failed' });
    expect(readFileSync(mark, 'utf8').trim().split('\n')).toHaveLength(1);
  });
});
