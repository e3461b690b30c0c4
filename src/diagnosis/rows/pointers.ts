/**
 * What says only that something else failed: hidden by every failure of its own. Where nothing else is there, a pointer to nothing means
 * a process that ended without a word. The more exact ones come first.
 */

import { PAGES } from '../pages.ts';
import type { FollowUpRow, Words } from '../row.ts';

const KILLED: Words = {
  category: 'host_oom_killed',
  title: 'A process was killed without a word',
  why: "A worker or the engine vanished without a traceback, which is what the kernel's OOM killer leaves.",
  remedy: () =>
    "See `dmesg -T | grep -i oom` and the container's memory limit; give it more memory, or load with fewer workers at once (--tensor-parallel-size, MAX_JOBS).",
};
/** Once it served, nobody can say more. */
const DEAD: Partial<Words> = {
  category: 'engine_dead',
  title: 'The engine died without saying why',
  why: 'No process logged a reason; the server only noticed that its engine is gone.',
  remedy: () => 'See `dmesg -T` on the host for the OOM killer and for Xid lines of the GPU, then launch again.',
};
/** The trainer is not what died. */
const TARGET: Partial<Words> = {
  category: 'engine_dead',
  title: 'The target server died',
  remedy: () =>
    'Restart the target server and resume from the last checkpoint. No process logged a reason: see `dmesg -T` on the host for the OOM killer and for Xid lines of the GPU.',
};
const POINTER = { role: 'pointer', retry: 'may help', link: PAGES.troubleshooting } as const;

export const POINTER_ROWS: readonly FollowUpRow[] = [
  {
    ...POINTER,
    id: 'command-failed',
    category: 'unknown',
    title: 'A program that it ran failed',
    why: 'What the program printed is the cause; its status says only that there is one.',
    pattern: /^(?:subprocess\.)?CalledProcessError: /,
    shape: 'exception',
    samples: [
      "subprocess.CalledProcessError: Command '['/venv/bin/python', '-m', 'vllm.model_executor.models.registry']' returned non-zero exit status 1.",
    ],
    remedy: () => 'Read the lines above it (`/vllm logs`), or run that command by hand as the user who logs in.',
  },
  {
    ...POINTER,
    id: 'subprocess-failed',
    category: 'unknown',
    title: 'A process that it started for a look failed',
    why: "Models are inspected in a process of their own, whose exception is quoted in this one's message.",
    pattern: /^RuntimeError: Error raised in subprocess:/,
    shape: 'exception',
    samples: ['RuntimeError: Error raised in subprocess:\n<frozen runpy>:128: RuntimeWarning: x'],
    remedy: () => 'Read the traceback that its message quotes (`/vllm logs`): the last line there is the cause.',
  },
  {
    ...KILLED,
    ...POINTER,
    inTarget: TARGET,
    id: 'ray-actor-died',
    pattern: /ActorDiedError|RayActorError/i,
    samples: [
      'ray.exceptions.ActorDiedError: The actor died because of an error raised in its creation task, ray::x()',
    ],
    onceReady: DEAD,
    link: PAGES.distributed,
  },
  {
    ...KILLED,
    ...POINTER,
    inTarget: TARGET,
    id: 'engine-is-dead',
    pattern:
      /EngineDeadError|EngineCore encountered|Worker failed with error|^RuntimeError: Executor failed\.?$|engine (?:is dead|loop (?:has died|is not running))|Background loop (?:has errored|is stopped)|EngineCore hit an exception|Got fatal signal from worker processes/i,
    samples: [
      'Got fatal signal from worker processes, shutting down. See stack trace above for root cause issue.',
      'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.',
      'vllm.engine.async_llm_engine.AsyncEngineDeadError: Background loop has errored already.',
      'vllm.engine.multiprocessing.MQEngineDeadError: Engine loop is not running. Inspect the stacktrace to find the original error',
    ],
    onceReady: DEAD,
  },
  {
    ...KILLED,
    ...POINTER,
    inTarget: TARGET,
    id: 'worker-vanished',
    hides: ['nccl-timeout', 'store-timeout', 'engine-hung'],
    pattern: /\b(?:Worker|Vllm|RayWorker)\w{0,20}(?: proc)?(?: \S{1,40})? died unexpectedly/,
    samples: [
      'Worker proc VllmWorker-1 died unexpectedly, shutting down executor.',
      'Worker proc VllmWorker-1 died unexpectedly (exit code: None), shutting down executor.',
    ],
  },
  {
    ...KILLED,
    ...POINTER,
    inTarget: TARGET,
    id: 'engine-vanished',
    pattern: /died unexpectedly|exited unexpectedly|died with exit code/i,
    samples: [
      'Engine core proc EngineCore_DP0 died unexpectedly, shutting down client.',
      '[shutdown] MPClient: engine core exited unexpectedly',
      'Process ApiServer_0 (PID: 4711) died with exit code 1',
    ],
    onceReady: DEAD,
  },
  {
    ...KILLED,
    ...POINTER,
    inTarget: TARGET,
    id: 'start-failed-elsewhere',
    pattern:
      /See (?:the )?(?:root cause|stack trace)|(?:check|see) the\s{1,2}stack trace above|WorkerProc initialization failed|Engine core initialization failed|Engine process failed to start|Failed core proc|see the error messages above/i,
    samples: [
      'RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}',
      'Exception: WorkerProc initialization failed due to an exception in a background process. See stack trace for root cause.',
      'RuntimeError: Initialization failed. Please see the error messages above.',
      'RuntimeError: Engine process failed to start. See stack trace for the root cause.',
    ],
    onceReady: DEAD,
  },
  {
    ...KILLED,
    ...POINTER,
    inTarget: TARGET,
    id: 'child-signalled',
    pattern: /Received sigquit from a child/i,
    samples: ['Received sigquit from a child process. It usually means the child failed.'],
    onceReady: DEAD,
  },
  {
    ...POINTER,
    id: 'child-failed',
    category: 'unknown',
    title: 'A rank failed without saying why',
    why: 'torchrun only tells that one of its processes ended with an error.',
    remedy: () =>
      'Look at the first lines of that rank in the log (`[rankN]:`), and at `dmesg -T` on the host; run it once with PYTHONFAULTHANDLER=1.',
    pattern: /ChildFailedError/,
    samples: ['torch.distributed.elastic.multiprocessing.errors.ChildFailedError: '],
    link: PAGES.elastic,
  },
  {
    ...POINTER,
    id: 'raised-in-data-worker',
    category: 'unknown',
    title: 'A data worker failed',
    why: 'The exception was raised in a process that loads data, and is told a second time where its batch was waited for.',
    remedy: () =>
      'Look at the "Original Traceback" below it: its last line is the cause; --num-workers 0 shows it without the worker.',
    pattern: /Caught \w{1,60} in (?:DataLoader worker|pin memory thread|replica)/,
    samples: ['ValueError: Caught ValueError in DataLoader worker process 0.'],
    link: PAGES.data,
  },
  {
    role: 'pointer',
    id: 'target-circuit-breaker',
    only: 'train',
    category: 'engine_dead',
    title: 'The target server gave no hidden states for too many samples in a row',
    why: 'Generating gives up when sample after sample fails, which is what a dead target looks like.',
    pattern: /consecutive\s{1,4}samples\s{1,4}errored|generation\s{1,4}circuit\s{1,4}breaker\s{1,4}tripped/,
    isOfTarget: true,
    samples: ['RuntimeError: Aborting: 32 consecutive samples errored out. The vLLM server may be unreachable.'],
    remedy: () =>
      'See whether the target server still answers and what it says to one request (`curl URL/models`), then run the same command again: it goes on where it stopped.',
    link: PAGES.hiddenStates,
    retry: 'may help',
  },
];
