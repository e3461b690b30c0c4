/** Versions of Python packages, compared as PEP 440 has it. */

export interface Version {
  readonly epoch: number;
  readonly release: readonly number[];
  /** Phase and number: `['rc', 1]`. */
  readonly pre: readonly ['a' | 'b' | 'rc', number] | null;
  readonly post: number | null;
  readonly dev: number | null;
  /** What stands behind `+`: a build of somebody's own. */
  readonly local: string | null;
}

/** null for what is no version. */
export function parseVersion(text: string): Version | null {
  const groups = VERSION.exec(text.trim().toLowerCase())?.groups;
  if (groups === undefined) return null;
  const { epoch, release = '', phase, pre, post, revision, dev, local } = groups;
  const hasPost = post !== undefined || revision !== undefined;
  return {
    epoch: Number(epoch ?? 0),
    release: release.split('.').map(Number),
    pre: phase === undefined ? null : [PHASES[phase] ?? 'rc', Number(pre || 0)],
    post: hasPost ? Number(revision ?? (post || 0)) : null,
    dev: dev === undefined ? null : Number(dev || 0),
    local: local?.replaceAll(/[-_]/g, '.') ?? null,
  };
}

/** Below 0 where `a` is older, above 0 where it is newer. */
export function compareVersions(a: Version, b: Version): number {
  return comparePublic(a, b) || compareLocal(a.local, b.local);
}

/** Whether a version is one that `>=0.22,<0.26` allows, pre-releases included. null for what is no such text. */
export function satisfies(version: Version, specifiers: string): boolean | null {
  const clauses = specifiers.split(',').map((text) => parseClause(text.trim()));
  if (clauses.includes(null)) return null;
  return clauses.every((clause) => clause !== null && fits(version, clause));
}

/** Whether its release is `from` or later, whatever builds and pre-releases of it: `0.22.0rc1` is a 0.22. */
export function isFrom(version: Version, from: string): boolean {
  const asked = parseVersion(from);
  return asked !== null && (version.epoch - asked.epoch || compareRelease(version.release, asked.release)) >= 0;
}

/** A pre-release, or a build of somebody's own: what is known of the release may not hold for it. */
export function isOwnBuild({ pre, dev, local }: Version): boolean {
  return pre !== null || dev !== null || (local !== null && !/^(?:cu|cpu|rocm|xpu)[\d.]{0,8}$/.test(local));
}

/** What setuptools-scm calls a build without tags (`0.1.dev1+g3f2c`), or a fork: it says nothing of its age. */
export function saysNothing({ release, dev }: Version): boolean {
  return release.every((number) => number === 0) || (dev !== null && release[0] === 0 && (release[1] ?? 0) <= 1);
}

const PHASES: Readonly<Record<string, 'a' | 'b' | 'rc'>> = { a: 'a', alpha: 'a', b: 'b', beta: 'b' };

const VERSION =
  /^v?(?:(?<epoch>\d{1,9})!)?(?<release>\d{1,9}(?:\.\d{1,9}){0,9})(?:[-_.]?(?<phase>a|b|c|rc|alpha|beta|pre|preview)[-_.]?(?<pre>\d{0,9}))?(?:-(?<revision>\d{1,9})|[-_.]?(?:post|rev|r)[-_.]?(?<post>\d{0,9}))?(?:[-_.]?dev[-_.]?(?<dev>\d{0,9}))?(?:\+(?<local>[a-z\d]{1,60}(?:[-_.][a-z\d]{1,60}){0,9}))?$/;

interface Clause {
  readonly operator: string;
  readonly version: Version;
  /** `.*` stands behind it. */
  readonly isPrefix: boolean;
}

function parseClause(text: string): Clause | null {
  const { operator, rest = '' } =
    /^(?<operator>~=|===?|!=|<=|>=|<|>)\s{0,9}(?<rest>\S{1,120})$/.exec(text)?.groups ?? {};
  const isPrefix = rest.endsWith('.*');
  const version = parseVersion(isPrefix ? rest.slice(0, -2) : rest);
  if (operator === undefined || version === null) return null;
  if (isPrefix && operator !== '==' && operator !== '!=') return null;
  if (operator === '~=' && version.release.length < 2) return null;
  return { operator, version, isPrefix };
}

function fits(found: Version, { operator, version, isPrefix }: Clause): boolean {
  const order = comparePublic(found, version);
  switch (operator) {
    case '==':
    case '===':
      return isPrefix ? hasPrefix(found, version) : isSame(found, version);
    case '!=':
      return !(isPrefix ? hasPrefix(found, version) : isSame(found, version));
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      // A post-release or a build of the very version is not above it.
      return order > 0 && (version.post !== null || found.post === null || !isSameRelease(found, version));
    case '<':
      return order < 0 && (version.pre !== null || version.dev !== null || !isBeforeOf(found, version));
    default:
      return order >= 0 && hasPrefix(found, { ...version, release: version.release.slice(0, -1) });
  }
}

/** A build's own suffix counts only where one is asked for. */
function isSame(found: Version, version: Version): boolean {
  return version.local === null ? comparePublic(found, version) === 0 : compareVersions(found, version) === 0;
}

function hasPrefix(found: Version, { epoch, release }: Version): boolean {
  return found.epoch === epoch && release.every((number, index) => (found.release[index] ?? 0) === number);
}

function isSameRelease(a: Version, b: Version): boolean {
  return a.epoch === b.epoch && compareRelease(a.release, b.release) === 0;
}

/** A pre-release of the version that is asked for. */
function isBeforeOf(found: Version, version: Version): boolean {
  return (found.pre !== null || found.dev !== null) && isSameRelease(found, version);
}

function comparePublic(a: Version, b: Version): number {
  return (
    a.epoch - b.epoch ||
    compareRelease(a.release, b.release) ||
    comparePre(a, b) ||
    (a.post ?? -1) - (b.post ?? -1) ||
    compareNumbers(a.dev ?? Number.POSITIVE_INFINITY, b.dev ?? Number.POSITIVE_INFINITY)
  );
}

function compareRelease(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = (a[index] ?? 0) - (b[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** dev < a < b < rc < the release itself. */
function comparePre(a: Version, b: Version): number {
  const [phaseA, numberA] = preRank(a);
  const [phaseB, numberB] = preRank(b);
  return phaseA - phaseB || numberA - numberB;
}

function preRank({ pre, post, dev }: Version): readonly [number, number] {
  if (pre !== null) return [['a', 'b', 'rc'].indexOf(pre[0]) + 1, pre[1]];
  return [post === null && dev !== null ? 0 : 4, 0];
}

function compareNumbers(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Numbers above words, more parts above fewer. */
function compareLocal(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  const [partsA, partsB] = [a.split('.'), b.split('.')];
  for (const [index, part] of partsA.entries()) {
    const other = partsB[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return partsA.length - partsB.length;
}

function compareParts(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? 1 : -1;
  return a < b ? -1 : Number(a > b);
}
