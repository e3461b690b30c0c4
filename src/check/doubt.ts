/** Whether the Python whose packages were looked at is the one that will run. */

import { posix } from 'node:path';
import { runsPython } from '../python-program.ts';
import { activatedBy } from './activated.ts';
import { pythonOf } from './python-of.ts';
import type { Subject } from './subject.ts';
import { code } from './words.ts';

/** Why it may be another one, as a sentence; null where that is sure. `found`: the Python that was looked at. */
export function doubtOfPython(subject: Pick<Subject, 'recipe' | 'servers'>, found: string | null): string | null {
  const { argv, prelude } = subject.recipe;
  const [first = ''] = argv;
  if (pythonOf(subject) !== null) return null;
  const name = posix.basename(first);
  if (CHOOSERS.includes(name)) return `${code(name)} chooses the Python, so its packages are not known: ${NAME_IT}`;
  // Also behind `env` and its like.
  const program = argv.find(runsPython) ?? first;
  if (program.includes('/')) return null;
  const environment = activatedBy(prelude).at(-1);
  const step = pathChangeIn(prelude ?? '');
  // A named environment of conda may stand elsewhere than beside its program.
  const isFound = environment === undefined || !CONDA.test(environment) || isIn(found, environment);
  if (step === null && isFound) return null;
  return `The prelude may choose another Python (${code(step ?? environment ?? '')}), so its packages are not known: ${NAME_IT}`;
}

const NAME_IT = "name it as `python` in the recipe, or give the program's full path in argv.";

/** They are written in Python themselves: their own first line says nothing of what they run. */
const CHOOSERS: readonly string[] = ['conda', 'mamba', 'poetry', 'pipx', 'pdm', 'hatch', 'pipenv'];

const CONDA = /\/envs\/[^/]{1,100}$/;

function isIn(found: string | null, environment: string): boolean {
  return found?.includes(`${environment.replace(/^~/, '')}/`) === true;
}

/** The last step that may set another PATH than the host was asked about; null where an environment is activated behind it. */
function pathChangeIn(prelude: string): string | null {
  const steps = [...prelude.matchAll(STEP)].map(({ groups }) => groups?.step?.trim() ?? '');
  const last = steps.at(-1);
  return last === undefined || ACTIVATE.test(last) ? null : last;
}

const STEP =
  /(?:^|[\n;&|{(])[ \t]{0,40}(?<step>(?:(?:conda|mamba|micromamba|pyenv)[ \t]{1,40}(?:activate|shell)|(?:module|ml)[ \t]|(?:export[ \t]{1,40})?PATH=|eval[ \t]|(?:source|\.)[ \t](?![^\n;&|]{0,300}\/(?:conda|mamba)\.sh(?:[\s"';&|]|$)))[^\n;&|]{0,200})/g;
const ACTIVATE = /^(?:source|\.)[ \t][^$`]{1,300}\/bin\/activate(?:["'\s]|$)/;
