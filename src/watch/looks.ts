/** One look at a run beyond its samples: what nvidia-smi, the host's counters and NCCL's RAS say at about one moment. */

import type { WorkQuestion, WorkView } from '../host/sample.ts';
import type { GpuView } from '../host/stop.ts';
import type { Evidence } from '../pulse/evidence.ts';
import type { RasView } from '../pulse/look.ts';
import type { Run } from '../run/run.ts';
import { askRas } from './ask-ras.ts';
import { type Asker, openAsker } from './asker.ts';
import { NO_COMMANDS } from './commands.ts';
import { gpusOf } from './gpu-look.ts';
import { rasAddress } from './ras-address.ts';
import { openRests } from './rests.ts';
import type { Watch } from './watch.ts';
import { type Commands, folderLooks, workQuestion } from './work-question.ts';

/** ms: NCCL waits for ranks that don't answer it, and to know which is worth the time. */
const RAS_MS = 20_000;

/** null where nobody answers. What one of the three doesn't say is left out: none of them holds up the others. */
export function openLooks(watch: Watch): () => Promise<Evidence | null> {
  const { host, inbox, clock, hostTime, trees, readCommands, timings, signal, logger } = watch;
  const asker = <Answer>(what: string, ms = timings.look): Asker<Answer> => {
    const onFailure = (error: unknown) => logger.warn({ err: error }, `a silent run: ${what} could not be asked`);
    return openAsker({ ms, signal, onFailure });
  };
  const [askCommands, askGpus, askWork, askNccl] = [
    asker<Commands>("a training's script"),
    asker<GpuView>('nvidia-smi'),
    asker<WorkView>('the host'),
    asker<RasView | null>('NCCL', RAS_MS),
  ];
  const rests = openRests();
  const work = async (question: WorkQuestion): Promise<WorkView> => {
    const began = clock.now();
    const view = await host.work(question, signal);
    rests.see(view, clock.now() - began);
    return view;
  };
  let read: Commands | null = null;
  return async () => {
    const run = inbox.run();
    read ??= await askCommands(readCommands);
    const commands = read ?? NO_COMMANDS;
    const address = rasAddress(commands.environment);
    const asked = workQuestion(run, commands, rests.next());
    const [smi, view, ras] = await Promise.all([
      askGpus(() => host.gpuView(signal)),
      askWork(() => work(asked.question)),
      address === null || isAlone(run) ? null : askNccl(() => askRas(() => host.ras(address, signal), run.tree)),
    ]);
    const gpus = smi?.gpus ?? null;
    if (gpus === null && view === null && ras === null) return null;
    const at = view?.at ?? hostTime.read().now;
    return {
      at,
      tree: view === null ? trees.newest() : seen(view.tree),
      look: {
        at,
        gpus: gpus === null ? null : gpusOf(run, host.name, gpus),
        isSmiSilent: view !== null && (smi === null || smi.doubt === 'silent' || smi.doubt === 'hanging'),
        folders: view === null ? [] : folderLooks(asked, view),
        received: view?.received ?? null,
        states: view?.states ?? [],
        ras,
      },
    };
  };
}

/** With one GPU there is no other rank to wait for. */
function isAlone({ placement }: Run): boolean {
  return placement?.devices.length === 1;
}

function seen(tree: WorkView['tree']): Evidence['tree'] {
  return tree.length === 0 ? null : tree;
}
