/** Which packages the Python has that would run a launch: by the names of folders, without starting it. */

import type { Packages, PreflightQuestion } from '../../host/preflight.ts';
import { runsPython } from '../../python-program.ts';
import { RESOLVE } from '../find-program.ts';
import { line, type Script } from '../script.ts';
import { allOf, firstOf, readFields, SAY } from './fields.ts';
import { placed } from './place.ts';
import { FIND_PYTHON, whyNone } from './python.ts';
import { SITE_FOLDERS } from './site-folders.ts';

type Question = Pick<PreflightQuestion, 'launch' | 'python' | 'environments'>;

/** Names in one folder that are told, at most. */
const MOST = 2000;
const MOST_NAMES = 200;

export function renderPackages({ launch, python, environments }: Question): Script {
  const ownPath = launch.environment.PATH;
  const input = [
    python === null ? '' : placed(python, launch.directory),
    launch.directory ?? '',
    ownPath === undefined ? 0 : 1,
    ownPath ?? '',
    (launch.environment.PYTHONNOUSERSITE ?? '') === '' ? 0 : 1,
    programOf(launch.argv),
    environments.length,
    ...environments.map((folder) => placed(folder, launch.directory)),
  ];
  return { name: 'packages', text: PACKAGES, input: input.map(line).join('') };
}

/** null when the answer isn't whole. */
export function parsePackages(output: string): Packages | null {
  const fields = readFields(output);
  if (fields === null) return null;
  const python = firstOf(fields, 'python');
  let folder = '';
  const distributions: Packages['distributions'][number][] = [];
  for (const { key, value } of fields) {
    if (key === 'folder') folder = value;
    const named = key === 'info' ? readInfo(value) : null;
    if (named !== null) distributions.push({ ...named, folder });
  }
  return {
    python,
    why: python === null ? whyNone(firstOf(fields, 'why') ?? '') : null,
    folders: allOf(fields, 'folder'),
    distributions,
    flashAttn: firstOf(fields, 'flash') === null ? null : allOf(fields, 'part'),
  };
}

/** `flash_attn-2.8.3.dist-info`; older installs leave `flash_attn-2.8.3-py3.12.egg-info`. A name that pip has set aside (`~orch`) is none. */
function readInfo(folder: string): { readonly name: string; readonly version: string } | null {
  const text = folder.replace(/\.(?:dist|egg)-info$/, '');
  const [, name, version] = /^([A-Za-z0-9][\w.-]{0,120}?)-(\d[^-]{0,100})(?:-py\d.{0,60})?$/.exec(text) ?? [];
  if (name === undefined || version === undefined) return null;
  return { name: name.toLowerCase().replaceAll(/[-_.]{1,8}/g, '-'), version };
}

/** The word that names the program, also behind one that only wraps it (`env A=b`, `nohup`, `numactl -N 0`). */
function programOf(argv: readonly string[]): string {
  const [first = ''] = argv;
  if (!WRAPPER.test(first)) return first;
  return argv.slice(1).find(runsPython) ?? first;
}

const WRAPPER = /^(?:\/usr)?(?:\/bin\/)?(?:env|nohup|setsid|numactl|taskset|nice|ionice|chrt|stdbuf|timeout)$/;

/**
 * Of every folder its *-info names are told by builtins alone. The module flash_attn is looked for as import does: a folder with an __init__.py
 * wins over one without, wherever it stands.
 */
const PACKAGES = `
LC_ALL=C
${RESOLVE}${SAY}${FIND_PYTHON}${SITE_FOLDERS}
vigil_path; vigil_python=$vigil_w
vigil_path; vigil_directory=$vigil_w
vigil_words=$PATH
vigil_word; vigil_own=$vigil_w
vigil_word; [ "$vigil_own" = 0 ] || vigil_words=$vigil_w
vigil_word; vigil_hides_user=$vigil_w
[ -z "\${PYTHONNOUSERSITE-}" ] || vigil_hides_user=1
vigil_word; vigil_first=$vigil_w
vigil_word; vigil_count=$vigil_w
while [ "$vigil_count" -gt 0 ]; do
  vigil_path
  vigil_words=$vigil_w/bin:$vigil_words
  vigil_count=$((vigil_count - 1))
done
cd -- "\${vigil_directory:-$HOME}" 2>/dev/null
vigil_flash=
vigil_tell_folder() {
  vigil_say folder "$1"
  vigil_n=0
  for vigil_file in "$1"/*-info; do
    [ -e "$vigil_file" ] || continue
    vigil_n=$((vigil_n + 1))
    [ $vigil_n -le ${MOST} ] || break
    vigil_say info "\${vigil_file##*/}"
  done
  [ -d "$1/flash_attn" ] || return 0
  if [ -z "$vigil_flash" ]; then vigil_flash=$1/flash_attn
  elif [ ! -f "$vigil_flash/__init__.py" ] && [ -f "$1/flash_attn/__init__.py" ]; then vigil_flash=$1/flash_attn
  fi
}
if vigil_find_python; then
  vigil_say python "$vigil_python"
  vigil_each_site vigil_tell_folder
fi
if [ -n "$vigil_flash" ]; then
  vigil_say flash "$vigil_flash"
  vigil_n=0
  for vigil_file in "$vigil_flash"/*; do
    [ -e "$vigil_file" ] || continue
    vigil_n=$((vigil_n + 1))
    [ $vigil_n -le ${MOST_NAMES} ] || break
    vigil_say part "\${vigil_file##*/}"
  done
fi
vigil_say told
`;
