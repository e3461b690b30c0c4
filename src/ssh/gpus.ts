/** What nvidia-smi says on a host, asked so that a GPU which has fallen off the bus holds nobody up. */

import { CommandFailed } from '../errors.ts';
import type { GpuUse } from '../host/gpu.ts';
import type { GpuView } from '../host/stop.ts';
import { GPUS, type GpuAnswer, parseGpus } from '../shell/gpus.ts';
import { within } from '../within.ts';
import { run } from './exec.ts';
import type { Sessions } from './sessions.ts';

/** ms that anybody waits for nvidia-smi, which hangs for ever on a fallen GPU. */
const GPU_LIMIT = 10_000;

export class Gpus {
  readonly #sessions: Sessions;
  #open: Promise<GpuAnswer> | null = null;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Whatever keeps nvidia-smi from answering, a stop goes on without it and says so. */
  async view(signal: AbortSignal): Promise<GpuView> {
    const answer = await this.#ask().catch(() => 'silent' as const);
    signal.throwIfAborted();
    if (answer === 'silent') return { gpus: null, doubt: 'silent' };
    if (answer.kind !== 'told') return { gpus: null, doubt: DOUBTS[answer.kind] };
    return { gpus: answer.gpus, doubt: answer.hidesProcesses ? 'hidden' : null };
  }

  /** null where nvidia-smi can't be asked; throws HostUnreachable or HostRefused where the host can't. */
  async use(signal: AbortSignal): Promise<readonly GpuUse[] | null> {
    signal.throwIfAborted();
    try {
      const answer = await this.#ask();
      return answer !== 'silent' && answer.kind === 'told' ? answer.gpus : null;
    } catch (error) {
      if (error instanceof CommandFailed) return null;
      throw error;
    } finally {
      signal.throwIfAborted();
    }
  }

  /** All who ask while a question is open wait for its answer; one that hangs costs each of them the limit, and no second is asked. */
  async #ask(): Promise<GpuAnswer | 'silent'> {
    const answer = await within(GPU_LIMIT, this.#open ?? this.#begin());
    return answer === 'late' ? 'silent' : answer;
  }

  #begin(): Promise<GpuAnswer> {
    const question = run({ sessions: this.#sessions, script: GPUS, signal: new AbortController().signal })
      .then((output) => parseGpus(output) ?? ({ kind: 'failed' } as const))
      .finally(() => {
        this.#open = null;
      });
    this.#open = question;
    return question;
  }
}

const DOUBTS = { missing: 'missing', failed: 'silent', hanging: 'hanging' } as const;
