import { lastFlag } from '../../config/flags.ts';
import type { ModelLook } from '../../host/preflight.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { modelsOf } from '../looks.ts';
import { DRAFTER, draftFolder, drafting, folder, serving, TARGET, weight } from '../samples.ts';
import type { Server } from '../subject.ts';
import { hasOnlyOthers, holesIn, wholeWords } from '../weights.ts';
import { code } from '../words.ts';

/** Folders of target and drafter: a shard that is missing or cut shows itself late, or never (safetensors maps files). */
export const MODEL: Check = {
  id: 'model',
  label: 'Model files',
  needs: ['models'],
  concerns: ({ servers }) => servers.some((server) => foldersOf(server).length > 0),
  judge: ({ models }, { servers, recipe }) =>
    servers.flatMap((server) =>
      foldersOf(server).flatMap((one) =>
        judgeFolder(models.get(one.path), { ...one, server, hasShell: recipe.kind === 'train' }),
      ),
    ),
  get samples(): readonly Sample[] {
    const whole = folder(TARGET);
    const drafter = draftFolder(DRAFTER);
    const one = (look: ModelLook): Sample['facts'] => ({ models: new Map([['/models/target', look]]) });
    const subject = serving(['/models/target', '-tp', '2']);
    const [first, second] = whole.weights;
    const damaged = (changes: Partial<typeof first>) =>
      one({ ...whole, weights: [weight('model-1.safetensors'), { ...weight('model-2.safetensors'), ...changes }] });
    const pointer = {
      size: 135,
      first: 'version https://git-lfs.github.com/spec/v1\n',
      headerLength: null,
      header: '',
    };
    return [
      { subject, facts: one(whole), verdicts: ['passed'] },
      {
        subject: serving(['/models/target', ...drafting()]),
        facts: {
          models: new Map([
            ['/models/target', whole],
            ['/models/drafter', drafter],
          ]),
        },
        verdicts: ['passed', 'passed'],
      },
      { subject, facts: one({ ...whole, weights: first === undefined ? [] : [first] }), verdicts: ['refused'] },
      { subject, facts: damaged({ size: 9_000_000_000 }), verdicts: ['refused'] },
      { subject, facts: damaged({ size: (second?.size ?? 0) + 5 }), verdicts: ['refused'] },
      { subject, facts: damaged(pointer), verdicts: ['refused'] },
      { subject, facts: damaged({ ...pointer, first: '<!DOCTYPE html><html>' }), verdicts: ['refused'] },
      { subject, facts: damaged({ size: null }), verdicts: ['refused'] },
      { subject, facts: damaged({ headerLength: 900, header: '[0,4]}}' }), verdicts: ['passed'] },
      { subject, facts: damaged({ first: '', headerLength: null, header: '' }), verdicts: ['warning'] },
      { subject, facts: one({ ...whole, index: 'broken' }), verdicts: ['refused'] },
      { subject, facts: one({ ...whole, index: null }), verdicts: ['passed'] },
      {
        subject,
        facts: one({ ...whole, weights: [], names: Array(500).fill('tokenizer.json') }),
        verdicts: ['warning', 'warning'],
      },
      { subject, facts: one({ ...whole, index: null, weights: [] }), verdicts: ['refused'] },
      { subject, facts: one({ ...whole, config: null }), verdicts: ['warning'] },
      { subject, facts: one({ ...whole, config: null, names: ['tokenizer.json'] }), verdicts: ['refused'] },
      { subject, facts: one({ ...whole, names: ['config.json'] }), verdicts: ['warning'] },
      {
        subject,
        facts: one({ ...whole, partial: [{ name: 'ab12.incomplete', size: 4_000_000_000, age: 7200 }] }),
        verdicts: ['warning'],
      },
      {
        subject,
        facts: one({ ...whole, partial: [{ name: 'ab12.incomplete', size: 4_000_000_000, age: 3 }] }),
        verdicts: ['warning'],
      },
      { subject, facts: one({ kind: 'missing' }), verdicts: ['refused'] },
      { subject, facts: one({ kind: 'unreadable' }), verdicts: ['unknown'] },
      { subject, facts: one({ kind: 'file' }), verdicts: ['refused'] },
      {
        subject,
        facts: one({ ...whole, weights: [], index: null, names: ['model-Q4_K_M.gguf', 'config.json'] }),
        verdicts: ['unknown'],
      },
      {
        subject,
        facts: one({
          ...whole,
          index: null,
          weights: [weight('model-00001-of-00003.safetensors'), weight('model-00002-of-00003.safetensors')],
        }),
        verdicts: ['warning'],
      },
      {
        subject: serving(['~/models/target']),
        facts: { models: new Map([['~/models/target', whole]]) },
        verdicts: ['warning'],
      },
      {
        subject: serving(['/models/target', '--load-format', 'dummy']),
        facts: one({ ...whole, weights: [], index: null }),
        verdicts: ['passed'],
      },
    ];
  },
};

interface Folder {
  readonly path: string;
  readonly isDrafter: boolean;
}

function foldersOf(server: Server): readonly Folder[] {
  return modelsOf(server).flatMap(({ ref, isDrafter }) =>
    ref.kind === 'folder' ? [{ path: ref.path, isDrafter }] : [],
  );
}

interface Judging extends Folder {
  readonly server: Server;
  /** A script's shell replaces ~. */
  readonly hasShell: boolean;
}

function judgeFolder(look: ModelLook | undefined, { path, isDrafter, server, hasShell }: Judging): Judged[] {
  const what = `${isDrafter ? 'drafter' : 'model'} ${code(path)}`;
  if (look === undefined) return [unknown(`the host told nothing of the ${what}`)];
  if (look.kind !== 'model') return [judgeOther(look.kind, what, path)];
  const home =
    path.startsWith('~') && !hasShell
      ? [
          warning(`the ${what} begins with \`~\`, which no shell replaces in argv`, {
            needed: `the path from \`/\` on`,
            advice: `Write ${code(look.path)}.`,
          }),
        ]
      : [];
  const isDummy = lastFlag(server.argv, '--load-format')?.value === 'dummy';
  const holes = isDummy ? [] : holesIn(look, { isDrafter, server });
  if (holes.length === 0 && !isDummy && hasOnlyOthers(look))
    return [...home, unknown(`${what}: its weights are of a form that is not looked into`)];
  if (holes.length === 0)
    return home.length > 0 ? home : [passed(`${what}: ${isDummy ? 'its weights are not loaded' : wholeWords(look)}`)];
  const told = holes.map(({ isCertain, found, needed, advice }) =>
    (isCertain ? refused : warning)(`${what}: ${found}`, { needed, advice }),
  );
  return [...home, ...told];
}

function judgeOther(kind: 'missing' | 'unreadable' | 'file', what: string, path: string): Judged {
  if (kind === 'missing')
    return refused(`no ${what}`, {
      advice: 'Correct the path, or download the model there: vLLM takes what is no folder for a model of the hub.',
    });
  if (kind === 'unreadable')
    return unknown(`the ${what} can't be read by this SSH user`, {
      advice: 'Let that user read there, or look into the folder by hand.',
    });
  if (/\.gguf$/i.test(path)) return unknown(`the ${what} is one GGUF file, which is not looked into`);
  return refused(`the ${what} is a file`, { needed: 'a folder', advice: 'Name the folder that holds `config.json`.' });
}
