/** What nvidia-smi says on a host, asked so that a GPU which has fallen off the bus holds nobody up. */

import { CommandFailed } from '../errors.ts';
import { GPUS, parseGpus } from '../shell/gpus.ts';
import type { Script } from '../shell/script.ts';
import { GPU_VIEW, parseGpuView } from '../shell/stop-view.ts';
import type { GpuUse } from '../tools.ts';
import { within } from '../within.ts';
import { run } from './exec.ts';
import type { Sessions } from './sessions.ts';

type GpuView = ReturnType<typeof parseGpuView>;

const NO_GPU_VIEW: GpuView = { pids: null, usedMib: null };
/** ms that anybody waits for nvidia-smi, which hangs for ever on a fallen GPU. */
const GPU_LIMIT = 10_000;

export class Gpus {
  readonly #sessions: Sessions;
  readonly #open = new Map<string, Promise<string>>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Whatever keeps nvidia-smi from answering, a stop goes on without it and says so. */
  async view(): Promise<GpuView> {
    try {
      const answer = await this.#ask(GPU_VIEW);
      return answer === null ? NO_GPU_VIEW : parseGpuView(answer);
    } catch {
      return NO_GPU_VIEW;
    }
  }

  /** null where nvidia-smi can't be asked; throws HostUnreachable or HostRefused where the host can't. */
  async use(signal: AbortSignal): Promise<readonly GpuUse[] | null> {
    signal.throwIfAborted();
    try {
      const answer = await this.#ask(GPUS);
      return answer === null ? null : parseGpus(answer);
    } catch (error) {
      if (error instanceof CommandFailed) return null;
      throw error;
    } finally {
      signal.throwIfAborted();
    }
  }

  /** All who ask while a question is open wait for its answer; one that hangs costs each of them the limit, and no second is asked. */
  async #ask(script: Script): Promise<string | null> {
    const question = this.#open.get(script.name) ?? this.#begin(script);
    const answer = await within(
      GPU_LIMIT,
      question.then((output) => ({ output })),
    );
    return answer === 'late' ? null : answer.output;
  }

  #begin(script: Script): Promise<string> {
    const question = run({ sessions: this.#sessions, script, signal: new AbortController().signal }).finally(() => {
      this.#open.delete(script.name);
    });
    this.#open.set(script.name, question);
    return question;
  }
}
