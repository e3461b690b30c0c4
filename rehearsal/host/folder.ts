import { access, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { shellWord } from '../shell-word.ts';
import { writeOwner } from './stand-in/owner.mjs';

export interface Layout {
  readonly folder: string;
  readonly bin: string;
  readonly home: string;
  readonly state: string;
}

export interface Behaviour {
  /** The name of a file in scenarios/. */
  readonly scenario: string;
  /** Divides all of the stand-in's waits. */
  readonly speed: number;
  /** Plays this log instead of the scenario; exit: a code, a negative signal number, or null to live on. */
  readonly replay?: Replay;
  /** By default 4 for a training's scenario, else 2. */
  readonly gpus?: number;
}

export interface Replay {
  readonly log: string;
  readonly exit: number | null;
  /** Of a training: the target server's log, played beside it. */
  readonly aux?: string;
}

export interface LayOutOptions extends Behaviour {
  /** Everything of this host lives here. */
  readonly folder: string;
}

const Start = z.object({
  command: z.enum(['vllm', 'torchrun']),
  pid: z.number(),
  at: z.number(),
  argv: z.array(z.string()),
  /** What the ledger keeps of the environment: COLUMNS, CUDA_VISIBLE_DEVICES, PYTHONUNBUFFERED. */
  environment: z.record(z.string(), z.string()),
});
export type Start = z.infer<typeof Start>;

const here = dirname(fileURLToPath(import.meta.url));
const commands = ['vllm', 'nvidia-smi', 'torchrun', 'healthy', 'play'] as const;
/** The folder below home in which people train: train.sh, logs/run.log, logs/vllm.log, out/. */
export const trainer = 'dflash';

/** Makes the host's folders, the commands on its PATH and its scenario. The servers started in it end with this process. */
export async function layOut(options: LayOutOptions): Promise<Layout> {
  const folder = resolve(options.folder);
  const layout = { folder, bin: join(folder, 'bin'), home: join(folder, 'home'), state: join(folder, 'state') };
  const folders = [layout.bin, layout.home, join(layout.state, 'servers'), join(folder, 'dev'), join(folder, 'lib')];
  for (const path of folders) await mkdir(path, { recursive: true });
  await writeFile(join(folder, 'dev', 'nvidiactl'), '');
  for (const command of commands) {
    // By a link of the command's own name: a process list then shows \`node …/vllm serve …\`, as Python's of the real one.
    const program = join(layout.folder, 'lib', command);
    await rm(program, { force: true });
    await symlink(join(here, 'bin', `${command}.mjs`), program);
    const words = [process.execPath, program].map(shellWord).join(' ');
    const script = `#!/bin/sh\nexport REHEARSAL_HOST=${shellWord(folder)}\nexec ${words} "$@"\n`;
    await writeFile(join(layout.bin, command), script, { mode: 0o755 });
  }
  await mkdir(join(layout.home, trainer, 'logs'), { recursive: true });
  await writeScenario(layout, options);
  writeOwner(folder);
  return layout;
}

/** Says what the next starts will do. Throws for a scenario that does not exist or a log that can't be read. */
export async function writeScenario(layout: Layout, { scenario, speed, replay, gpus }: Behaviour): Promise<void> {
  const names = (await readdir(join(here, 'scenarios'))).map((name) => name.replace(/\.mjs$/, ''));
  if (!names.includes(scenario)) {
    throw new Error(`There is no scenario "${scenario}"; there are ${names.join(', ')}. Choose one of them.`);
  }
  if (!(speed > 0)) throw new Error(`The speed is ${speed}; it must be a number above 0, such as 1 or 20.`);
  const cards = gpus ?? (scenario.startsWith('train-') ? 4 : 2);
  const content = { scenario, speed, replay: replay ? await readReplay(layout, replay) : null, gpus: cards };
  await writeTrainScript(layout, replay !== undefined);
  // By rename, so that a stand-in never reads half a file.
  const path = join(layout.state, 'scenario.json');
  await writeFile(`${path}.new`, JSON.stringify(content));
  await rename(`${path}.new`, path);
}

async function readReplay({ home }: Layout, { log, exit, aux }: Replay): Promise<unknown> {
  for (const given of [log, ...(aux === undefined ? [] : [aux])]) await access(given);
  const beside = aux === undefined ? null : { log: resolve(aux), to: join(home, trainer, 'logs', 'vllm.log') };
  return { log: resolve(log), exit, aux: beside };
}

/** The users' own script, or one that plays the given logs instead. */
async function writeTrainScript({ home }: Layout, isReplay: boolean): Promise<void> {
  const own = await readFile(join(here, 'trainer', 'train.sh'), 'utf8');
  const script = isReplay ? '#!/usr/bin/env bash\nexec play\n' : own;
  // By rename: a shell reads its script while it runs.
  const path = join(home, trainer, 'train.sh');
  await writeFile(`${path}.new`, script, { mode: 0o755 });
  await rename(`${path}.new`, path);
}

/** The stand-in's ledger, oldest start first. */
export async function readStarts(layout: Layout): Promise<Start[]> {
  const text = await readFile(join(layout.state, 'ledger.jsonl'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Start.parse(JSON.parse(line)));
}
