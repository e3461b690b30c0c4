/** The map `versions` of a recipe: which versions of Python packages it needs, as PEP 440 writes them. */

import { bare } from './fields.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';

const MOST = 20;

/** By the name as PEP 503 has it: lower case, `-`. Empty without the key. */
export function readVersions(
  versions: Readonly<Record<string, string>>,
  path: Path,
  mistakes: Mistakes,
): Readonly<Record<string, string>> {
  const names = Object.keys(versions);
  if (names.length > MOST) mistakes.add(path, `found ${names.length} packages, expected at most ${MOST}; remove some`);
  const normal = names.map(normalise);
  const twice = names.find((_, index) => normal.indexOf(normal[index] ?? '') < index);
  if (twice !== undefined) {
    const expected =
      'expected each package once (- and _ and upper and lower case are the same); remove one of the two';
    mistakes.addAboutKey([...path, twice], `found ${twice} twice, ${expected}`);
  }
  for (const name of names) checkOne(name, versions[name] ?? '', { path: [...path, name], mistakes });
  return bare(names.map((name) => [normalise(name), versions[name] ?? ''] as const));
}

/** What a package must not be. */
const NONE = 'none';

function checkOne(name: string, text: string, { path, mistakes }: { path: Path; mistakes: Mistakes }): void {
  if (!/^[a-z\d](?:[a-z\d._-]{0,98}[a-z\d])?$/i.test(name)) {
    const expected = 'expected the name of a Python package; write it as pip does, vllm or flash-attn';
    mistakes.addAboutKey(path, `found the name ${showText(name)}, ${expected}`);
  }
  const wrong = text === NONE ? null : whatIsWrong(text);
  if (wrong !== null) mistakes.add(path, `found ${text === '' ? 'nothing' : showText(text)}, expected ${wrong}`);
}

const FORM = `versions as PEP 440 writes them with commas between, or ${NONE}`;

/** `…; do …`, or null for what is right. */
function whatIsWrong(text: string): string | null {
  const clauses = text.split(',').map((clause) => CLAUSE.exec(clause.trim())?.groups);
  if (clauses.length > MOST_CLAUSES) return `at most ${MOST_CLAUSES} clauses; leave some out`;
  for (const clause of clauses) {
    if (clause === undefined) return `${FORM}; write ">=0.22,<0.26", "==0.20.*" or ${NONE}`;
    const { operator = '', release = '', suffix = '' } = clause;
    if (operator === '') return `an operator before it; write "==${release}${suffix}", or ">=${release}${suffix}"`;
    const isEquality = operator === '==' || operator === '!=';
    if (suffix === '.*' && !isEquality) return `.* behind == or != only; write "${operator}${release}"`;
    if (suffix.includes('+') && !isEquality) return `+… behind == or != only; write "${operator}${release}"`;
    if (operator === '~=' && !release.includes('.')) return `two numbers or more behind ~=; write "~=${release}.0"`;
  }
  return null;
}

const MOST_CLAUSES = 10;

const CLAUSE =
  /^(?<operator>~=|==|!=|<=|>=|<|>|)\s{0,9}(?<release>\d{1,9}(?:\.\d{1,9}){0,9})(?<suffix>\.\*|(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?(?:\+[a-z\d.]{1,60})?)$/;

function normalise(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
