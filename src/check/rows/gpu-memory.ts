import { lastFlag } from '../../config/flags.ts';
import type { GpuUse } from '../../host/gpu.ts';
import { list } from '../../list.ts';
import { type Device, deviceName } from '../../place/devices.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { devicesOf, gpuNames } from '../gpus.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { gpuProcess, gpuUse, serving } from '../samples.ts';
import { LATER_SHARE, shareOf, usableMib } from '../share.ts';
import type { Server, Subject } from '../subject.ts';
import { isUnread } from '../unread.ts';
import { gib, party, some } from '../words.ts';

/** MiB: the server's own CUDA context and NCCL's buffers, which it takes before it measures what is free (v1/worker/utils.py). */
const OWN_MIB = 600;

/** `Free memory on device cuda:N … is less than desired GPU memory utilization`: the share is of all memory, whoever uses it. */
export const GPU_MEMORY: Check = {
  id: 'gpu-memory',
  label: 'GPU memory',
  needs: ['gpus'],
  concerns: ({ servers }) => servers.length > 0,
  judge: ({ gpus, now }, subject) =>
    gpus === null ? [] : subject.servers.flatMap((server) => judgeServer(server, subject, { gpus, now })),
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', '-tp', '2']);
    const held = { usedMib: 27_400, freeMib: 21_277, processes: [gpuProcess()] };
    return [
      { subject, facts: { gpus: [gpuUse(0), gpuUse(1)] }, verdicts: ['passed'] },
      { subject, facts: { gpus: [gpuUse(0), gpuUse(1), gpuUse(2, held)] }, verdicts: ['passed'] },
      { subject, facts: { gpus: [gpuUse(0), gpuUse(1, held)] }, verdicts: ['refused'] },
      {
        subject: serving(['/models/target', '-tp', '2', '--gpu-memory-utilization', '0.4']),
        facts: { gpus: [gpuUse(0), gpuUse(1, held)] },
        verdicts: ['passed'],
      },
      {
        subject: serving(['/models/target', '--gpu_memory_utilization=0.99']),
        facts: { gpus: [gpuUse(0, { usedMib: 300, freeMib: 48_300 }), gpuUse(1)] },
        verdicts: ['warning'],
      },
      { subject, facts: { gpus: [gpuUse(0), gpuUse(1, { usedMib: 4200, freeMib: 44_400 })] }, verdicts: ['warning'] },
      { subject, facts: { gpus: [gpuUse(0), gpuUse(1, { freeMib: null })] }, verdicts: ['unknown'] },
      {
        subject: serving(['/models/target', '--kv-cache-memory-bytes', '8G']),
        facts: { gpus: [gpuUse(0, held), gpuUse(1)] },
        verdicts: ['passed'],
      },
    ];
  },
};

interface Looking {
  readonly gpus: readonly GpuUse[];
  readonly now: number;
}

function judgeServer(server: Server, subject: Subject, { gpus, now }: Looking): readonly Judged[] {
  const devices = devicesOf(server, subject, gpus);
  if (devices === null || devices.length === 0) return [];
  if (lastFlag(server.argv, '--kv-cache-memory-bytes') !== null) {
    const free = list(devices.map((device) => freeWords(device)));
    return [passed(`${free}; \`--kv-cache-memory-bytes\` says how much it takes`)];
  }
  if (isUnread(server, '--gpu-memory-utilization'))
    return [unknown(`${list(devices.map(freeWords))}; \`--gpu-memory-utilization\` could not be read`)];
  const share = shareOf(server);
  const told = devices.map((device) => judgeDevice(device, share, now));
  const bad = told.filter((judged) => judged !== null);
  if (bad.length > 0) return bad;
  const [least = 0] = devices.map(({ gpu }) => share.value * (usableMib(gpu) ?? 0)).sort((a, b) => b - a);
  const [first] = devices;
  return [passed(list(devices.map(freeWords)), neededWords(least, share.value, first?.gpu))];
}

/** null where all is well. */
function judgeDevice(device: Device, share: ReturnType<typeof shareOf>, now: number): Judged | null {
  const { gpu, mig } = device;
  const name = `GPU ${deviceName(device)}`;
  const total = usableMib(gpu);
  if (mig !== null) return unknown(`memory of the MIG device ${deviceName(device)} is not told by nvidia-smi`);
  if (gpu.freeMib === null || total === null) return unknown(`nvidia-smi doesn't tell how much of ${name} is free`);
  const wanted = share.value * total;
  const found = freeWords(device);
  const needed = neededWords(wanted, share.value, gpu);
  if (gpu.freeMib < wanted) return refused(found, { needed, advice: whatHelps(device, now) });
  if (share.isDefault && gpu.freeMib < LATER_SHARE * total)
    return warning(found, {
      needed: `${neededWords(LATER_SHARE * total, LATER_SHARE, gpu)} from vLLM 0.21 on, ${gib(wanted)} GiB (${share.value}) before`,
      advice: whatHelps(device, now),
    });
  if (gpu.freeMib - OWN_MIB >= wanted) return null;
  const advice = `Lower \`--gpu-memory-utilization\`: the server's own context takes about ${gib(OWN_MIB)} GiB before it measures.`;
  return warning(found, { needed, advice });
}

function freeWords(device: Device): string {
  const { freeMib } = device.gpu;
  return `${freeMib === null ? '?' : gib(freeMib)} GiB free on GPU ${deviceName(device)}`;
}

function neededWords(mib: number, share: number, gpu: GpuUse | undefined): string {
  const total = gpu === undefined ? null : usableMib(gpu);
  return `${gib(mib)} GiB${total === null ? '' : ` (${share} of ${gib(total)})`}`;
}

/** Who holds it; a lower share only where it leaves a model room. */
function whatHelps(device: Device, now: number): string {
  const { processes, usedMib, freeMib } = device.gpu;
  const total = usableMib(device.gpu) ?? 0;
  const name = gpuNames([device]);
  const holders = some(
    processes.map(
      (holder) => `${party(holder, now)}${holder.usedMib === null ? '' : ` with ${gib(holder.usedMib)} GiB`}`,
    ),
  );
  const lower = Math.floor(((freeMib ?? 0) - OWN_MIB) / (total / 100)) / 100;
  const orLower = lower >= 0.3 ? `, or set \`--gpu-memory-utilization ${lower}\` if the model fits into that` : '';
  if (processes.length === 0)
    return `Look as root (\`fuser -v /dev/nvidia*\`) for what holds ${gib(usedMib ?? 0)} GiB of ${name}, which nvidia-smi doesn't name${orLower}.`;
  return `${name} is held by ${holders}: let it end, stop it, or choose another GPU${orLower}.`;
}
