import { isSpread } from '../../config/sizes.ts';
import type { GpuUse } from '../../host/gpu.ts';
import { type Device, deviceName, findDevices } from '../../place/devices.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { formula, gpuNames, missingWords, NOBODY_KNOWS, takenBy, visibleTo } from '../gpus.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { gpuUse, serving } from '../samples.ts';
import { ownWords } from '../server.ts';
import type { Server, Subject } from '../subject.ts';
import { fileOfFlags, isUnread } from '../unread.ts';
import { code, count } from '../words.ts';

/** `DP adjusted local rank 3 is out of bounds`, minutes later and far up in a worker's log (v1/worker/gpu_worker.py). */
export const GPU_COUNT: Check = {
  id: 'gpu-count',
  label: 'GPUs',
  needs: ['gpus'],
  concerns: ({ servers }) => servers.length > 0,
  judge: ({ gpus }, subject) => subject.servers.map((server) => judgeServer(server, subject, gpus)),
  get samples(): readonly Sample[] {
    const four = [0, 1, 2, 3].map((index) => gpuUse(index));
    const two = ['/models/target', '-tp', '2', '-dp', '2'];
    return [
      { subject: serving(['/models/target', '-tp', '2']), facts: { gpus: four }, verdicts: ['passed'] },
      { subject: serving(two, { devices: ['0', '1', '2', '3'] }), facts: { gpus: four }, verdicts: ['passed'] },
      { subject: serving(two), facts: { gpus: four }, verdicts: ['refused'] },
      {
        subject: serving(two, {
          recipe: { environment: { CUDA_VISIBLE_DEVICES: '0,1' } },
          devices: ['0', '1', '2', '3'],
        }),
        facts: { gpus: four },
        verdicts: ['refused'],
      },
      { subject: serving(['/models/target'], { devices: ['7'] }), facts: { gpus: four }, verdicts: ['refused'] },
      {
        subject: serving(['/models/target'], {
          recipe: { environment: { CUDA_VISIBLE_DEVICES: '0,1,2' } },
          devices: ['2'],
        }),
        facts: { gpus: four },
        verdicts: ['warning'],
      },
      {
        subject: serving(['/models/target', '-tp', '2', '--config', 'a.yaml']),
        facts: { gpus: four },
        verdicts: ['unknown'],
      },
      { subject: serving(two, { devices: null, recipe: { gpus: 2 } }), facts: { gpus: four }, verdicts: ['refused'] },
      { subject: serving(['/models/target', '-tp', '2']), facts: { gpus: null }, verdicts: ['unknown'] },
      { subject: serving([...two, '--nnodes', '2']), facts: { gpus: four }, verdicts: ['unknown'] },
      {
        subject: serving([], { recipe: { argv: ['conda', 'run', '-n', 'vllm', 'vllm', 'serve', ...two] } }),
        facts: { gpus: four },
        verdicts: ['refused'],
      },
    ];
  },
};

function judgeServer(server: Server, subject: Subject, gpus: readonly GpuUse[] | null): Judged {
  if (isUnread(server, 'CUDA_VISIBLE_DEVICES'))
    return unknown('CUDA_VISIBLE_DEVICES of the server has a value that only the shell knows', {
      needed: formula(server),
    });
  const taken = takenBy(server);
  if (taken === null)
    return unknown(
      isSpread(ownWords(server))
        ? 'the command spreads over several nodes or Ray, and the sizes say nothing of this one alone'
        : `a parallel size of the server ${sizeUnread(server)}`,
    );
  const visible = visibleTo(server, subject);
  const needed = formula(server);
  const seen = typeof visible === 'number' ? visible : visible.length;
  const names = typeof visible === 'number' ? '' : visible.join(', ');
  const found = `${count(seen, 'GPU')}${names === '' ? '' : ` (${names})`}`;
  if (seen < taken) return refused(found, { needed, advice: whatToChange(server, taken) });
  if (gpus === null) return unknown(`${found} named; ${NOBODY_KNOWS}`, { needed });
  if (typeof visible === 'number')
    return gpus.length < visible
      ? refused(count(gpus.length, 'GPU'), {
          needed: `${visible}, as the recipe's \`gpus\` says`,
          advice: whatToChange(server, taken),
        })
      : passed(found, needed);
  const devices = findDevices(visible, subject.host, gpus);
  if (typeof devices === 'string')
    return refused(missingWords(visible, subject.host, gpus) ?? devices, { needed, advice: CORRECT });
  const outside = devices.slice(0, taken).filter((device) => !isReserved(device, subject, gpus));
  if (outside.length > 0)
    return warning(`it takes ${gpuNames(outside)}, which the recipe doesn't reserve`, {
      needed: `GPUs of the recipe's \`gpus\` (${(subject.devices ?? []).join(', ')})`,
      advice: "List them in the recipe's `gpus`, or change CUDA_VISIBLE_DEVICES: else another run may get them, too.",
    });
  return passed(`${count(devices.length, 'GPU')} (${devices.map(deviceName).join(', ')})`, needed);
}

/** Of a training another row says it, for its trainer as well. */
function isReserved(device: Device, { devices, host, recipe }: Subject, gpus: readonly GpuUse[]): boolean {
  const reserved = devices === null || recipe.kind === 'train' ? null : findDevices(devices, host, gpus);
  if (reserved === null || typeof reserved === 'string') return true;
  return reserved.some((one) => deviceName(one) === deviceName(device));
}

function sizeUnread(server: Server): string {
  const file = fileOfFlags(server);
  return file === null ? 'has a value that only the shell knows' : `may stand in ${code(file)}, which is not read`;
}

const CORRECT = "Correct the recipe's `gpus`, or its CUDA_VISIBLE_DEVICES.";

function whatToChange({ sizes, devices }: Server, taken: number): string {
  const where = devices === null ? 'the recipe' : `CUDA_VISIBLE_DEVICES (now ${code(devices.join(','))})`;
  const flags = sizes.map(({ flag }) => code(flag)).join(' or ');
  return `Give ${where} ${count(taken, 'GPU')}${flags === '' ? '' : `, or lower ${flags}`}.`;
}
