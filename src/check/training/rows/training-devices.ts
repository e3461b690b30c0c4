import type { GpuUse } from '../../../host/gpu.ts';
import { type Device, deviceName, findDevices } from '../../../place/devices.ts';
import type { Check, Judged, Sample } from '../../check.ts';
import { devicesOf, gpuNames } from '../../gpus.ts';
import { impossible, passed, refused, warning } from '../../judged.ts';
import type { Subject } from '../../subject.ts';
import { code } from '../../words.ts';
import { type Pair, pairOf } from '../pair.ts';
import { FOUR, training } from '../samples.ts';

/** What target and trainer take must be theirs alone, and reserved. */
export const TRAINING_DEVICES: Check = {
  id: 'training-devices',
  label: 'GPUs of target and trainer',
  needs: ['gpus'],
  concerns: (subject) => pairOf(subject) !== null,
  judge: ({ gpus }, subject) => {
    const pair = pairOf(subject);
    return pair === null || gpus === null ? [] : judgePair(pair, subject, gpus);
  },
  get samples(): readonly Sample[] {
    const facts = { gpus: FOUR };
    const stopped = { trainerGpus: '0,1', between: 'kill $!' };
    return [
      { subject: training(), facts, verdicts: ['passed'] },
      { subject: training({ trainerGpus: '1,2' }), facts, verdicts: ['warning'] },
      { subject: training({ targetGpus: '', trainerGpus: '' }), facts, verdicts: ['warning'] },
      { subject: training(stopped), facts, verdicts: ['passed'] },
      { subject: training({}, { devices: ['0', '1', '2'] }), facts, verdicts: ['refused'] },
      { subject: training({ trainerGpus: '8,9' }), facts, verdicts: [] },
    ];
  },
};

function judgePair({ trainer, target }: Pair, subject: Subject, gpus: readonly GpuUse[]): readonly Judged[] {
  const theirs = target === null || isOpen(target.unread) ? null : devicesOf(target, subject, gpus);
  const own = isOpen(trainer.unread) ? null : ranksOf(trainer.devices ?? subject.devices, trainer.ranks);
  const its = own === null ? null : found(own, subject, gpus);
  if (its === null) return [];
  const reserved = subject.devices === null ? null : found(subject.devices, subject, gpus);
  const outside = reserved === null ? [] : [...(theirs ?? []), ...its].filter((one) => !isIn(one, reserved));
  if (outside.length > 0)
    return [
      (isHeld(outside) ? impossible : refused)(
        `the script uses ${gpuNames(distinct(outside))}, which the recipe doesn't reserve`,
        {
          needed: `GPUs of the recipe's \`gpus\` (${(subject.devices ?? []).join(', ')})`,
          advice: "List all of them in the recipe's `gpus`, or change CUDA_VISIBLE_DEVICES in the script.",
        },
      ),
    ];
  const both = (theirs ?? []).filter((one) => isIn(one, its));
  if (theirs === null) return [passed(`the trainer takes ${gpuNames(its)}`)];
  if (both.length === 0 || trainer.isOffline === true)
    return [passed(`target ${gpuNames(theirs)}, trainer ${gpuNames(its)}${both.length === 0 ? '' : ' after it'}`)];
  const free = (reserved ?? []).filter((one) => !isIn(one, theirs));
  const other = free.length === 0 ? '' : `, to ${code(free.map(deviceName).join(','))} for example`;
  return [
    warning(`both target and trainer use ${gpuNames(both)}`, {
      needed: 'GPUs of their own',
      advice: `Set CUDA_VISIBLE_DEVICES of the trainer${other}: what the target keeps (\`--gpu-memory-utilization\`) is missing there.`,
    }),
  ];
}

/** Whoever computes there would be harmed. */
function isHeld(devices: readonly Device[]): boolean {
  return devices.some(({ gpu }) => gpu.processes.length > 0);
}

function isOpen(unread: readonly string[] = []): boolean {
  return unread.includes('CUDA_VISIBLE_DEVICES');
}

/** Each rank takes the GPU of its number. */
function ranksOf(visible: readonly string[] | null, ranks: number | null): readonly string[] | null {
  return visible === null ? null : visible.slice(0, ranks ?? visible.length);
}

/** null where one of them isn't there, which another row says. */
function found(names: readonly string[], { host }: Subject, gpus: readonly GpuUse[]): readonly Device[] | null {
  const devices = findDevices(names, host, gpus);
  return typeof devices === 'string' ? null : devices;
}

function isIn(device: Device, devices: readonly Device[]): boolean {
  return devices.some((one) => deviceName(one) === deviceName(device));
}

function distinct(devices: readonly Device[]): readonly Device[] {
  return devices.filter(
    (device, index) => devices.findIndex((one) => deviceName(one) === deviceName(device)) === index,
  );
}
