import { lastFlag } from '../../../config/flags.ts';
import type { Checkpoint, SaveLook } from '../../../host/preflight.ts';
import { list } from '../../../list.ts';
import type { Check, Judged, Sample } from '../../check.ts';
import { passed, refused, warning } from '../../judged.ts';
import type { Trainer } from '../../subject.ts';
import { age, code, count, size } from '../../words.ts';
import { isSpeculators } from '../pair.ts';
import { checkpoint, saved, training } from '../samples.ts';

/** Trainers go on from what stands at their save path without being asked; what broke off while it was written ends them at once. */
export const SAVE_PATH: Check = {
  id: 'save-path',
  label: 'Save path',
  needs: ['saves'],
  concerns: ({ trainer }) => trainer !== null,
  judge: ({ saves }, { recipe, trainer }) => {
    if (trainer === null) return [];
    const isResume = recipe.kind === 'train' && recipe.resume;
    if (trainer.newSavePath !== undefined) return [judgeNew(trainer.newSavePath, isResume)];
    const look = trainer.savePath === null ? undefined : saves.get(trainer.savePath);
    return look === undefined ? [] : judgeLook(look, { trainer, path: trainer.savePath ?? '', isResume });
  },
  get samples(): readonly Sample[] {
    const fresh = training();
    const resume = training({}, { recipe: { resume: true } });
    const named = '/w/out-$(date +%s)';
    const other = training({ command: 'torchrun train_dflash.py --output-dir /w/out' });
    const broken = checkpoint('3', { names: ['config.json', 'model.safetensors'], bytes: 3 });
    const none = new Map<string, SaveLook>([['/w/out', { kind: 'missing' }]]);
    const readOnly: SaveLook = { kind: 'folder', checkpoints: [], isWritable: false };
    return [
      { subject: fresh, facts: { saves: none }, verdicts: ['passed'] },
      { subject: fresh, facts: { saves: saved() }, verdicts: ['passed'] },
      { subject: fresh, facts: { saves: saved(checkpoint('0'), checkpoint('1')) }, verdicts: ['refused'] },
      { subject: fresh, facts: { saves: saved(checkpoint('interrupted')) }, verdicts: ['warning'] },
      { subject: fresh, facts: { saves: new Map([['/w/out', { kind: 'file' }]]) }, verdicts: ['refused'] },
      { subject: fresh, facts: { saves: new Map([['/w/out', readOnly]]) }, verdicts: ['refused'] },
      {
        subject: resume,
        facts: { saves: saved(checkpoint('0'), checkpoint('10'), checkpoint('9')) },
        verdicts: ['passed'],
      },
      { subject: resume, facts: { saves: saved(checkpoint('2'), broken) }, verdicts: ['refused'] },
      {
        subject: resume,
        facts: { saves: saved(checkpoint('2'), checkpoint('interrupted')) },
        verdicts: ['passed', 'warning'],
      },
      { subject: resume, facts: { saves: saved(checkpoint('2', { age: 30 })) }, verdicts: ['warning'] },
      { subject: resume, facts: { saves: none }, verdicts: ['warning'] },
      {
        subject: training({ trainer: '--no-resume-from-checkpoint' }),
        facts: { saves: saved(checkpoint('0')) },
        verdicts: ['warning'],
      },
      { subject: other, facts: { saves: saved(checkpoint('epoch_1_step_200')) }, verdicts: ['warning'] },
      { subject: training({ save: named }), facts: { saves: new Map() }, verdicts: ['passed'] },
      {
        subject: training({ save: named }, { recipe: { resume: true } }),
        facts: { saves: new Map() },
        verdicts: ['warning'],
      },
      { subject: training({ save: '$OUT' }), facts: { saves: new Map() }, verdicts: [] },
    ];
  },
};

function judgeNew(path: string, isResume: boolean): Judged {
  if (!isResume) return passed(`a new folder at each start (${code(path)})`);
  const advice = 'Give `--save-path` the folder that it shall go on from, or remove `resume` from the recipe.';
  return warning(`a new folder at each start (${code(path)})`, { needed: 'checkpoints to go on from', advice });
}

interface Saving {
  readonly trainer: Trainer;
  readonly path: string;
  readonly isResume: boolean;
}

function judgeLook(look: SaveLook, saving: Saving): readonly Judged[] {
  const { path, isResume } = saving;
  if (look.kind === 'file') return [refused(`${code(path)} is a file`, { needed: 'a folder', advice: CHANGE })];
  if (look.kind === 'folder' && !look.isWritable)
    return [
      refused(`${code(path)} may not be written by the SSH user`, {
        advice: `Change its owner, or take another \`--save-path\`.`,
      }),
    ];
  const all = look.kind === 'folder' ? look.checkpoints : [];
  const numbered = all.filter(({ name }) => /\d$/.test(name)).toSorted((a, b) => numberIn(b) - numberIn(a));
  const interrupted = all.find(({ name }) => name === 'interrupted');
  const [newest] = numbered;
  if (newest === undefined) return judgeEmpty(interrupted, saving);
  const ignored = interrupted !== undefined && isResume ? [tellInterrupted(interrupted, { newest, path })] : [];
  return isResume ? [...judgeResume(newest, numbered, saving), ...ignored] : [judgeFull(newest, numbered, saving)];
}

const CHANGE = 'Take another `--save-path`.';

/** `epoch_1_step_200`: the last number, since steps go on counting. */
function numberIn({ name }: Checkpoint): number {
  return Number(/\d{1,12}$/.exec(name)?.[0] ?? -1);
}

function judgeEmpty(interrupted: Checkpoint | undefined, { path, isResume }: Saving): readonly Judged[] {
  if (interrupted !== undefined)
    return [
      warning(`only ${code('interrupted')} stands in ${code(path)}, saved ${age(interrupted.age)} ago`, {
        needed: isResume ? 'a checkpoint with a number' : null,
        advice: `A training ignores it and begins anew. To go on from it: ${code(`mv ${path}/interrupted ${path}/0`)}.`,
      }),
    ];
  if (!isResume) return [passed(`${code(path)} holds no checkpoint`)];
  const advice = 'Check `--save-path`: it begins from the start, although the recipe says `resume: true`.';
  return [warning(`${code(path)} holds no checkpoint`, { needed: 'one to go on from', advice })];
}

/** Nobody wanted to go on from them. */
function judgeFull(newest: Checkpoint, all: readonly Checkpoint[], { trainer, path }: Saving): Judged {
  const found = `${count(all.length, 'checkpoint')} in ${code(path)}, the last one (${code(newest.name)}) ${age(newest.age)} old`;
  if (lastFlag(trainer.argv, '--no-resume-from-checkpoint') !== null)
    return warning(`${found}; this training writes over them`, { needed: 'a save path without any', advice: CHANGE });
  if (!isSpeculators(trainer))
    return warning(found, {
      needed: 'a save path without any, or `resume: true` in the recipe',
      advice: 'Take a new one, or set `resume: true` where this trainer shall go on from them.',
    });
  return refused(found, {
    needed: 'a save path without any, or `resume: true` in the recipe',
    advice: 'Take a new `--save-path`, or set `resume: true`: the trainer goes on from them without being asked.',
  });
}

/** What a resume reads first; without one of them it ends right after `Found checkpoint at`. */
const PARTS = ['config.json', 'model.safetensors', 'optimizer_state_dict.pt'] as const;
/** Seconds in which a checkpoint may still be written. */
const YOUNG = 120;

function judgeResume(newest: Checkpoint, [, before]: readonly Checkpoint[], { path }: Saving): readonly Judged[] {
  const { name, names, bytes } = newest;
  const missing = PARTS.filter((part) => !names.some((file) => file === part || file.startsWith(`${part}.`)));
  const isNumber = /^\d+$/.test(name);
  if (isNumber && missing.length > 0) {
    const away = `Put it aside by ${code(`mv ${path}/${name} ${path}/broken-${name}`)}, or remove it by ${code(`rm -r ${path}/${name}`)}`;
    const then =
      before === undefined ? 'the training then begins from the start' : `it then goes on from ${code(before.name)}`;
    return [
      refused(
        `checkpoint ${code(name)} has no ${list(missing.map(code), 'and no')}: it broke off while it was written`,
        {
          needed: list(PARTS.map(code)),
          advice: `${away}: ${then}.`,
        },
      ),
    ];
  }
  if (newest.age < YOUNG)
    return [
      warning(`checkpoint ${code(name)} was written ${age(newest.age)} ago`, {
        needed: 'nobody else who writes there',
        advice: `Make sure that no other training saves to ${code(path)}.`,
      }),
    ];
  return [passed(`goes on from checkpoint ${code(name)} (${size(bytes)}, ${age(newest.age)} old)`)];
}

function tellInterrupted(interrupted: Checkpoint, { newest, path }: { newest: Checkpoint; path: string }): Judged {
  const found = `${code('interrupted')} (saved ${age(interrupted.age)} ago) stands beside checkpoint ${code(newest.name)}`;
  const move = code(`mv ${path}/interrupted ${path}/${numberIn(newest) + 1}`);
  return warning(found, {
    advice: `The trainer ignores it. To go on from it and not from ${code(newest.name)}: ${move}.`,
  });
}
