import { access, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { shellWord } from '../shell-word.ts';
import { writeDf } from './disk/df.mjs';
import { markChanged, restoreDisk } from './disk/disk.mjs';
import { endLeftovers } from './disk/leftovers.mjs';
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
  /** By default 4 for a training's scenario, else 2; a scenario may say otherwise. */
  readonly gpus?: number;
  /** Real seconds that a scenario's silence lasts at least, whatever the speed is; by default as long as the scenario says. */
  readonly silence?: number;
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

/** What a file in scenarios/ may say of the host itself; the rest is for the stand-ins. */
interface Scenario {
  /** Changes the good disk, or starts what is in a launch's way, before anybody launches anything. */
  readonly prepare?: (site: { folder: string; home: string; trainer: string }) => Promise<void> | void;
  readonly gpus?: number;
}

const here = dirname(fileURLToPath(import.meta.url));
const commands = ['nvidia-smi', 'healthy', 'play'] as const;
/** Scripts of the virtual environment: their first line names its Python, which hands over to the stand-in of that name. */
const scripts = ['vllm', 'torchrun'] as const;
/** The folder below home in which people train: train.sh, logs/run.log, logs/vllm.log, out/. */
export const trainer = 'dflash';

/** Makes the host's folders, the commands on its PATH and its scenario. The servers started in it end with this process. */
export async function layOut(options: LayOutOptions): Promise<Layout> {
  const folder = resolve(options.folder);
  const layout = { folder, bin: join(folder, 'bin'), home: join(folder, 'home'), state: join(folder, 'state') };
  const folders = [layout.bin, layout.home, join(layout.state, 'servers'), join(folder, 'dev'), join(folder, 'lib')];
  for (const path of folders) await mkdir(path, { recursive: true });
  await writeFile(join(folder, 'dev', 'nvidiactl'), '');
  for (const command of [...commands, ...scripts])
    await place(programOf(layout, command), join(here, 'bin', `${command}.mjs`));
  for (const command of commands) {
    const words = [process.execPath, programOf(layout, command)].map(shellWord).join(' ');
    const script = `#!/bin/sh\nexport REHEARSAL_HOST=${shellWord(folder)}\nexec ${words} "$@"\n`;
    await writeFile(join(layout.bin, command), script, { mode: 0o755 });
  }
  writeDf(layout.bin);
  await writePython(layout);
  for (const script of scripts) await place(join(layout.bin, script), join(layout.home, 'venv', 'bin', script));
  await mkdir(join(layout.home, trainer, 'logs'), { recursive: true });
  // Whatever another host of this process left in a folder of the same name.
  markChanged(layout.home);
  await writeScenario(layout, options);
  writeOwner(folder);
  return layout;
}

/** A link of the command's own name: a process list then shows `node …/vllm serve …`, as Python's of the real one. */
function programOf({ folder }: Layout, command: string): string {
  return join(folder, 'lib', command);
}

async function place(path: string, target: string): Promise<void> {
  await rm(path, { force: true });
  await symlink(target, path);
}

/** What the virtual environment's scripts are run by; it knows these scripts and nothing else. */
async function writePython(layout: Layout): Promise<void> {
  const lib = shellWord(join(layout.folder, 'lib'));
  const known = `case \${1##*/} in\n${scripts.join(' | ')}) ;;\n*) echo "python: the rehearsal host has none" >&2; exit 127 ;;\nesac\n`;
  const run = `program=\${1##*/}\nshift\nexec ${shellWord(process.execPath)} ${lib}/"$program" "$@"\n`;
  const text = `#!/bin/sh\n${known}export REHEARSAL_HOST=${shellWord(layout.folder)}\n${run}`;
  await writeFile(programOf(layout, 'python3.12'), text, { mode: 0o755 });
}

/**
 * Says what the next starts will do, and makes the disk so that they find what the scenario wants. Throws for a scenario that does not
 * exist or a log that can't be read.
 */
export async function writeScenario(layout: Layout, behaviour: Behaviour): Promise<void> {
  const { scenario, speed, replay, gpus, silence = null } = behaviour;
  const names = (await readdir(join(here, 'scenarios'))).map((name) => name.replace(/\.mjs$/, ''));
  if (!names.includes(scenario)) {
    throw new Error(`There is no scenario "${scenario}"; there are ${names.join(', ')}. Choose one of them.`);
  }
  if (!(speed > 0)) throw new Error(`The speed is ${speed}; it must be a number above 0, such as 1 or 20.`);
  const own: Scenario = await import(`./scenarios/${scenario}.mjs`);
  const cards = own.gpus ?? gpus ?? (scenario.startsWith('train-') ? 4 : 2);
  const content = { scenario, speed, replay: replay ? await readReplay(layout, replay) : null, gpus: cards, silence };
  await writeTrainScript(layout, replay !== undefined);
  await endLeftovers(layout.folder);
  restoreDisk({ home: layout.home, python: programOf(layout, 'python3.12'), trainer });
  if (own.prepare !== undefined) {
    markChanged(layout.home);
    await own.prepare({ folder: layout.folder, home: layout.home, trainer });
  }
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
  const script = isReplay ? '#!/usr/bin/env bash\nexec play\n' : own.replaceAll('/workspace/', `${home}/`);
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
