/** Who saw a process end by force says so: the shell's job lines, systemd, the kernel, containers, Slurm, launchers, Ray, vLLM itself. */

import { type FailureRule, plain } from './failure-rule.ts';

/** A job's end as shells word it: alone, with script and line, with a job's number, zsh's in lower case. */
function job(word: string, alone: string): RegExp {
  const lower = word.toLowerCase();
  return new RegExp(
    `^(?:${word}(?:${alone})|\\S+: line \\d+: +\\d+ ${word}\\b|\\S+\\[\\d+\\]: \\d+ ${word}\\b|\\[\\d+\\] {0,2}[-+]? +(?:\\d+ +)?(?:${word}|${lower})\\b|\\S*sh: ${lower}\\b)`,
  );
}
const BARE = '$|: \\d+$| +\\(core dumped\\)';

export const ENDING_FAILURES: readonly FailureRule[] = [
  {
    sample: 'Worker proc VllmWorker-1 died unexpectedly, shutting down executor.',
    pattern: /^(?:Worker proc|Engine core proc|Engine core process|Worker|Process) ?\S* .*died unexpectedly/,
  },
  {
    sample: '[shutdown] MPClient: engine core exited unexpectedly',
    pattern: /^\[shutdown\] .{0,400}exited unexpectedly/,
    isMild: true,
  },
  {
    sample: 'MPClient: engine core exited unexpectedly',
    pattern: /engine core exited unexpectedly/,
  },
  {
    sample: 'Worker VllmWorkerProcess pid 418 died, exit code: -9',
    pattern: /^Worker \S+ pid \d+ died, exit code: -(?:9|11|7|6)\b/,
  },
  {
    sample: 'Process EngineCore_DP0 (PID: 4411) died with exit code -9',
    pattern: /^Process \S+ \(PID: \d+\) died with exit code -?[1-9]/,
  },
  plain('./serve.sh: line 12:  4411 Killed                  vllm serve /models/m', job('Killed', BARE)),
  plain('Segmentation fault (core dumped)', job('Segmentation fault', BARE)),
  plain('Bus error (core dumped)', job('Bus error', BARE)),
  plain('Aborted (core dumped)', job('Aborted', BARE)),
  plain('zsh: abort (core dumped)  vllm serve /models/m', /^\S*sh: abort(?: |$)/),
  plain('Illegal instruction (core dumped)', job('Illegal instruction', BARE)),
  plain('Floating point exception (core dumped)', job('Floating point exception', BARE)),
  plain(
    "fish: Job 1, 'vllm serve /models/m' terminated by signal SIGKILL (Forced quit)",
    /^fish: .{0,400} terminated by signal SIG(?:KILL|SEGV|ABRT|BUS|ILL|FPE)/,
  ),
  plain(
    'vllm.service: Main process exited, code=killed, status=9/KILL',
    /\.service: Main process exited, code=(?:(?:killed|dumped), status=(?:9|11|6|7|4|8)\/|exited, status=2\d\d\/)/,
  ),
  plain("vllm.service: Failed with result 'oom-kill'.", /\.service: Failed with result 'oom-kill'/),
  plain(
    'vllm.service: A process of this unit has been killed by the OOM killer.',
    /\.service: A process of this unit has been killed by the OOM killer/,
  ),
  plain(
    'Main processes terminated with: code=killed, status=9/KILL',
    /^Main processes terminated with: code=(?:killed|dumped)(?:\/status=|, status=\d+\/)(?:KILL|SEGV|ABRT|BUS)/,
  ),
  plain('Finished with result: oom-kill', /^Finished with result: oom-kill/),
  plain(
    'vllm.service: Failed at step EXEC spawning /opt/vllm/bin/vllm: No such file or directory',
    /\.service: Failed at step [A-Z_]+ spawning /,
  ),
  plain(
    'Memory cgroup out of memory: Killed process 4411 (python3) total-vm:90000000kB',
    /^(?:\[ *[\d.]+\] )?(?:Memory cgroup out|Out) of memory: Killed process \d+/,
  ),
  plain('vllm-1 exited with code 137', /^[\w.-]{1,80} exited with code 1(?:37|39|34|35|32)\b/),
  plain(
    'command terminated with exit code 137',
    /^command terminated with (?:non-zero )?exit code:?.{0,60}\b1(?:37|39|34)\b/,
  ),
  plain('    Reason:       OOMKilled', /^\s*"?(?:Reason"?: +"?OOMKilled|OOMKilled"?: ?true)/),
  plain(
    'slurmstepd: error: Detected 1 oom_kill event in StepId=4711.0. Some of the step tasks have been OOM Killed.',
    /^slurmstepd: error: Detected \d+ oom[_-]kill event/,
  ),
  plain(
    'slurmstepd: error: *** JOB 4711 ON gpu1 CANCELLED AT 2025-11-30T20:22:33 DUE TO TIME LIMIT ***',
    /^slurmstepd: error: \*\*\* .{0,200} DUE TO (?:TIME LIMIT|NODE FAILURE|PREEMPTION)/,
  ),
  plain(
    'srun: error: gpu1: task 0: Out Of Memory',
    /^srun: error: \S+: tasks? \S+: (?:Killed|Out Of Memory|Segmentation fault|Aborted|Bus error)/,
  ),
  {
    sample: '["/venv/bin/python"] exits with return code = -9',
    pattern: /\] exits with return code = -(?!15\b|2\b)\d/,
  },
  {
    sample: '2 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons',
    pattern: /^(?:\[[^\]]{1,200}\] )?\d+ Workers \(tasks \/ actors\) killed due to memory pressure \(OOM\)/,
  },
];
