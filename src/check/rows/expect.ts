import { isDeepStrictEqual } from 'node:util';
import type { Expectation } from '../../config/config.ts';
import { showJsonPath } from '../../config/json-path.ts';
import type { FileLook } from '../../host/preflight.ts';
import { list } from '../../list.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { parseJson, valueAt } from '../json.ts';
import { passed, refused, unknown } from '../judged.ts';
import { DRAFTER, file, serving } from '../samples.ts';
import { code, count, value } from '../words.ts';

/** The recipe's `expect`: a drafter's corrected config that never reached the disk costs two restarts and an acceptance of 1.1 %. */
export const EXPECT: Check = {
  id: 'expect',
  label: 'Expected values',
  needs: ['files'],
  concerns: ({ recipe }) => recipe.expect.length > 0,
  judge: ({ files }, { recipe }) => {
    const names = [...new Set(recipe.expect.map((expectation) => expectation.file))];
    const bad = names.flatMap((name) =>
      judgeFile(
        name,
        recipe.expect.filter((expectation) => expectation.file === name),
        files.get(name),
      ),
    );
    if (bad.length > 0) return bad;
    return [passed(`${count(recipe.expect.length, 'value')} in ${count(names.length, 'file')} as expected`)];
  },
  get samples(): readonly Sample[] {
    const path = '/models/drafter/config.json';
    const ids = { file: path, path: ['dflash_config', 'target_layer_ids'], value: '[1,16,31,46,61]' };
    const window = { file: path, path: ['sliding_window'], value: '2048' };
    const kind = { file: path, path: ['layer_types', 4], value: '"full_attention"' };
    const subject = serving(['/models/target'], { recipe: { expect: [ids, window, kind] } });
    const at = (look: FileLook): Sample['facts'] => ({ files: new Map([[path, look]]) });
    const guessed = { ...DRAFTER, dflash_config: { target_layer_ids: [1, 17, 33, 49, 63] }, sliding_window: null };
    return [
      { subject, facts: at(file(JSON.stringify(DRAFTER))), verdicts: ['passed'] },
      { subject, facts: at(file(JSON.stringify(guessed))), verdicts: ['refused', 'refused'] },
      { subject, facts: at(file('{"layer_types": []}')), verdicts: ['refused', 'refused', 'refused'] },
      { subject, facts: at(file('{')), verdicts: ['refused'] },
      { subject, facts: at({ kind: 'missing' }), verdicts: ['refused'] },
      { subject, facts: at({ kind: 'unreadable' }), verdicts: ['unknown'] },
    ];
  },
};

/** What differs, or why nobody can tell. */
function judgeFile(name: string, wanted: readonly Expectation[], look: FileLook | undefined): readonly Judged[] {
  const where = code(name);
  const needed = `${list(wanted.slice(0, 3).map(wantedWords))}${wanted.length > 3 ? ` and ${wanted.length - 3} more` : ''}`;
  if (look === undefined) return [unknown(`the host told nothing of ${where}`, { needed })];
  if (look.kind === 'missing')
    return [refused(`no file ${where}`, { needed, advice: 'Put the file there, or correct its path in the recipe.' })];
  if (look.kind !== 'file')
    return [
      unknown(`${where} ${look.kind === 'folder' ? 'is a folder' : "can't be read by this SSH user"}`, { needed }),
    ];
  if (look.text === null) return [unknown(`${where} is longer than the 1 MiB that is read`, { needed })];
  const content = parseJson(look.text);
  if (content === undefined)
    return [refused(`${where} is no JSON`, { needed, advice: `Correct ${where} on the host.` })];
  return wanted.flatMap((one) => judgeValue(one, content));
}

function judgeValue({ file: name, path, value: text }: Expectation, content: unknown): readonly Judged[] {
  const found = valueAt(content, path);
  const expected = parseJson(text);
  if (isDeepStrictEqual(found, expected) || (found === undefined && expected === null)) return [];
  const what = code(showJsonPath(path));
  const has = found === undefined ? `no ${what}` : `${what} is ${value(found)}`;
  const advice = `Correct ${code(name)} on the host, or \`expect\` in the recipe if the file is right.`;
  return [refused(`${has} in ${code(shortName(name))}`, { needed: value(expected), advice })];
}

/** Folder and file: the whole path stands in what to do, once for all values of a file. */
function shortName(path: string): string {
  return path.split('/').slice(-2).join('/');
}

function wantedWords({ path, value: text }: Expectation): string {
  return `${code(showJsonPath(path))} ${value(parseJson(text))}`;
}
