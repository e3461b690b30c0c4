import type { Packages } from '../../host/preflight.ts';
import { list } from '../../list.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { pipOf, versionTextOf } from '../installed.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { packages, serving } from '../samples.ts';
import { splitSentence } from '../sentence.ts';
import type { Subject } from '../subject.ts';
import { parseVersion, satisfies, saysNothing } from '../version.ts';
import { code } from '../words.ts';

/** The recipe's `versions`, and that vLLM is there at all. */
export const VERSIONS: Check = {
  id: 'versions',
  label: 'Versions',
  needs: ['packages'],
  concerns: ({ servers, recipe }) => servers.length > 0 || Object.keys(recipe.versions).length > 0,
  judge: ({ packages: installed }, subject) => {
    if (installed.python === null) {
      const { found, advice } = splitSentence(installed.why ?? 'No Python was found');
      return [unknown(found, { advice: advice ?? "Name it in the recipe's `python`." })];
    }
    const told = [...withoutVllm(installed, subject), ...judgeWanted(installed, subject)];
    return told.length > 0 ? told : [passed(foundWords(installed, subject))];
  },
  get samples(): readonly Sample[] {
    const asking = (versions: Readonly<Record<string, string>>) =>
      serving(['/models/target'], { recipe: { versions } });
    const facts = { packages: packages({ vllm: '0.20.1', torch: '2.11.0+cu130' }) };
    return [
      { subject: asking({}), facts, verdicts: ['passed'] },
      { subject: asking({ vllm: '>=0.20,<0.26', 'flash-attn': 'none' }), facts, verdicts: ['passed'] },
      { subject: asking({ vllm: '>=0.22' }), facts, verdicts: ['refused'] },
      { subject: asking({ speculators: '~=0.7.0', vllm: '!=0.20.1' }), facts, verdicts: ['refused', 'refused'] },
      { subject: asking({ torch: 'none' }), facts, verdicts: ['refused'] },
      {
        subject: asking({ vllm: '>=0.20' }),
        facts: { packages: packages({ vllm: 'unknown' }) },
        verdicts: ['unknown'],
      },
      { subject: asking({}), facts: { packages: packages({ torch: '2.11.0' }) }, verdicts: ['warning'] },
      {
        subject: asking({}),
        facts: { packages: packages({}, { python: null, why: 'No Python was found: name it in the recipe.' }) },
        verdicts: ['unknown'],
      },
    ];
  },
};

function withoutVllm(installed: Packages, { servers, recipe }: Subject): readonly Judged[] {
  if (servers.length === 0 || recipe.versions.vllm !== undefined || versionTextOf(installed, 'vllm') !== null)
    return [];
  return [
    warning(`no vLLM among the packages of ${code(installed.python ?? '')}`, {
      advice:
        "Name the Python that runs the server in the recipe's `python`, or activate its environment in the prelude.",
    }),
  ];
}

function judgeWanted(installed: Packages, { recipe, servers }: Subject): readonly Judged[] {
  const hasMore = [recipe, ...servers].some(({ environment }) => (environment.PYTHONPATH ?? '') !== '');
  return Object.entries(recipe.versions).flatMap(([name, wanted]): readonly Judged[] => {
    const text = versionTextOf(installed, name);
    const found = text === null ? `no ${code(name)}` : `${code(name)} ${text}`;
    if (wanted === 'none')
      return text === null
        ? []
        : [
            refused(found, {
              needed: `no ${code(name)}`,
              advice: `Remove it: ${pipOf(installed, `uninstall ${name}`)}.`,
            }),
          ];
    const needed = `${code(name)} ${wanted}`;
    const what = text === null ? 'it' : 'another version';
    const advice = `Install ${what}: ${pipOf(installed, `install '${name}${wanted}'`)}.`;
    if (text === null && hasMore)
      return [unknown(`${found} in ${code(installed.python ?? '')}, and PYTHONPATH may hold it`, { needed })];
    if (text === null) return [refused(`${found} in ${code(installed.python ?? '')}`, { needed, advice })];
    const version = parseVersion(text);
    const isRight = version === null || saysNothing(version) ? null : satisfies(version, wanted);
    if (isRight === null) return [unknown(`${found}, which can't be compared`, { needed })];
    return isRight ? [] : [refused(found, { needed, advice })];
  });
}

function foundWords(installed: Packages, { recipe }: Subject): string {
  const names = [...new Set(['vllm', ...Object.keys(recipe.versions)])];
  const words = names.flatMap((name) => {
    const version = versionTextOf(installed, name);
    return version === null ? [] : [`${code(name)} ${version}`];
  });
  return words.length === 0 ? 'as the recipe wants them' : list(words);
}
