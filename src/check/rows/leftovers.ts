import type { LeftBehind } from '../../host/preflight.ts';
import { list } from '../../list.ts';
import { IDLE_MIB } from '../../place/others.ts';
import type { Check, Known, Sample } from '../check.ts';
import { devicesOf } from '../gpus.ts';
import { passed, refused, warning } from '../judged.ts';
import { gpuProcess, gpuUse, NOW, serving } from '../samples.ts';
import type { Subject } from '../subject.ts';
import { count, gib, party, some } from '../words.ts';

/** After a SIGKILL of the API server the port is free, and EngineCore and workers keep all GPU memory (vllm-project/vllm#55510). */
export const LEFTOVERS: Check = {
  id: 'leftovers',
  label: 'Left-over processes',
  needs: ['leftovers'],
  uses: ['gpus'],
  concerns: () => true,
  judge: ({ leftovers: all, gpus, now }, subject) => {
    if (all.length === 0) return [passed('no server or trainer whose parent has ended')];
    const leftovers = all.filter((one) => mayHoldGpu(one, gpus));
    // Of a server that is just ending some outlive their parent for a moment.
    if (leftovers.length === 0)
      return [passed(`${count(all.length, 'process', 'processes')} without a parent, on no GPU`)];
    const held = heldBy(leftovers, { gpus, subject });
    const found = `${count(leftovers.length, 'process', 'processes')} without a parent: ${some(leftovers.map((one) => party(one, now)))}`;
    const advice = endThem(leftovers);
    if (held.length === 0) return [warning(found, { advice })];
    return [
      refused(`${found}; ${held.length === 1 ? 'it holds' : 'they hold'} ${list(held)}`, {
        needed: 'none on these GPUs',
        advice,
      }),
    ];
  },
  get samples(): readonly Sample[] {
    const subject = serving(['/models/target', '-tp', '2']);
    const core = { pid: 4101, command: 'VLLM::EngineCore', user: 'root', since: NOW - 7_200_000, run: null };
    const marked = { ...core, run: 'vigil-kpro5-2' };
    const on = (process: Parameters<typeof gpuProcess>[0]) => [
      gpuUse(0),
      gpuUse(1, { processes: [gpuProcess(process)] }),
    ];
    return [
      { subject, facts: { leftovers: [], gpus: [gpuUse(0), gpuUse(1)] }, verdicts: ['passed'] },
      { subject, facts: { leftovers: [core], gpus: [gpuUse(0), gpuUse(1)] }, verdicts: ['passed'] },
      {
        subject,
        facts: { leftovers: [core], gpus: [gpuUse(0), gpuUse(1, { usedMib: 20_000 })] },
        verdicts: ['warning'],
      },
      { subject, facts: { leftovers: [core], gpus: on({ pid: 4101 }) }, verdicts: ['refused'] },
      { subject, facts: { leftovers: [marked], gpus: on({ pid: 4177, run: 'vigil-kpro5-2' }) }, verdicts: ['refused'] },
      {
        subject: serving(['/models/target']),
        facts: { leftovers: [core], gpus: on({ pid: 4101 }) },
        verdicts: ['warning'],
      },
      { subject, facts: { leftovers: [core, { ...core, pid: 4102 }], gpus: null }, verdicts: ['warning'] },
    ];
  },
};

/** Where nvidia-smi names who is on each GPU, whoever it doesn't name is on none. */
function mayHoldGpu({ pid, run }: LeftBehind, gpus: Known['gpus']): boolean {
  if (gpus === null) return true;
  const hides = gpus.some(
    ({ usedMib, processes, isMig }) => isMig || (processes.length === 0 && (usedMib ?? IDLE_MIB + 1) > IDLE_MIB),
  );
  const isTheirs = (one: { readonly pid: number; readonly run: string | null }): boolean =>
    one.pid === pid || (run !== null && one.run === run);
  return hides || gpus.some(({ processes }) => processes.some(isTheirs));
}

/** `21.0 GiB of GPU 1`: what they, or processes of the same run, hold of the GPUs that are wanted. */
function heldBy(
  leftovers: readonly LeftBehind[],
  { gpus, subject }: Pick<Known, 'gpus'> & { readonly subject: Subject },
): readonly string[] {
  const pids = new Set(leftovers.map(({ pid }) => pid));
  const runs = new Set(leftovers.flatMap(({ run }) => (run === null ? [] : [run])));
  const wanted = subject.servers.flatMap((server) => (gpus === null ? [] : (devicesOf(server, subject, gpus) ?? [])));
  const names = new Set(wanted.map(({ gpu }) => gpu));
  return [...names].flatMap(({ index, processes }) => {
    const theirs = processes.filter(({ pid, run }) => pids.has(pid) || (run !== null && runs.has(run)));
    const mib = theirs.reduce((sum, { usedMib }) => sum + (usedMib ?? 0), 0);
    return theirs.length === 0 ? [] : [mib === 0 ? `GPU ${index}` : `${gib(mib)} GiB of GPU ${index}`];
  });
}

function endThem(leftovers: readonly LeftBehind[]): string {
  const pids = leftovers.slice(0, 20).map(({ pid }) => pid);
  const one = leftovers.length === 1;
  return `If nobody needs ${one ? 'it' : 'them'}: \`kill ${pids.join(' ')}\`, then \`kill -9\` for what stays after some seconds.`;
}
