/** What is to be launched, from recipe and placement alone. */

import type { Recipe } from '../config/config.ts';
import { lastFlag } from '../config/flags.ts';
import { below } from './model-ref.ts';
import { readPrelude } from './prelude.ts';
import { readServer, runsElsewhere } from './server.ts';
import type { Subject } from './subject.ts';
import { readTraining } from './training/read-training.ts';
import { code } from './words.ts';

interface Launching {
  readonly host: string;
  readonly recipe: Recipe;
  /** The GPUs that it gets, as CUDA_VISIBLE_DEVICES takes them; null where they are not chosen. */
  readonly devices: readonly string[] | null;
  /** Texts of the shell scripts that a training's argv runs, by their paths there. */
  readonly scripts: ReadonlyMap<string, string>;
}

export function readSubject({ host, recipe, devices, scripts }: Launching): Subject {
  const { address } = recipe;
  return { host, recipe, address, devices, ...partsOf(recipe, scripts) };
}

type Parts = Pick<Subject, 'servers' | 'trainer' | 'unread'>;

function partsOf(recipe: Recipe, scripts: ReadonlyMap<string, string>): Parts {
  const { kind, argv, environment, directory, prelude } = recipe;
  if (kind === 'train') return readTraining({ argv, environment, directory, scripts, prelude });
  const after = readPrelude(recipe);
  const server = readServer(argv, after.environment);
  if (server === null) return { servers: [], trainer: null, unread: [whyNoServer(argv)] };
  const { model, drafter } = server;
  const read = {
    ...server,
    model: model === null ? null : below(model, after.folder),
    drafter: drafter === null ? null : below(drafter, after.folder),
    ...(after.unread.length === 0 ? {} : { unread: after.unread }),
  };
  const file = lastFlag(server.argv, '--config')?.value;
  const isLost = (model !== null && read.model === null) || (drafter !== null && read.drafter === null);
  const unread = [
    ...(file == null ? [] : [`Flags that stand in ${code(file)} are not read: no check sees them.`]),
    ...(isLost ? [NO_FOLDER] : []),
    ...(model === null && file == null ? [NO_MODEL] : []),
  ];
  return { servers: [read], trainer: null, unread };
}

const NO_FOLDER = 'Only the shell knows to which folder the prelude goes: models below it are not looked into.';
const NO_MODEL = 'The model is no folder and no plain hub id, so its files are not looked into.';

function whyNoServer(argv: readonly string[]): string {
  const where = runsElsewhere(argv);
  return where === null
    ? `No ${code('vllm serve')} was found in the command: only program, log, port and disk are checked.`
    : `The command runs behind ${code(where)}, where no check looks: only program, log, port and disk are checked.`;
}
