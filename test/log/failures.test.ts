import { describe, expect, it } from 'vitest';
import { troublesIn } from './troubles-in.ts';

describe('a line alone tells a failure', () => {
  it.each([
    // Shells.
    'zsh: command not found: vllm',
    '/root/serve.sh:3: command not found: vllm',
    '/root/serve.sh: line 3: vllm: command not found',
    'sudo: vllm: command not found',
    'sh: 1: vllm: not found',
    '-sh: vllm: not found',
    "fish: Unknown command 'vllm'",
    'env: ‘vllm’: No such file or directory',
    "/usr/bin/env: 'python\r': No such file or directory".replace('\r', '\\r'),
    "numactl: execution of `vllm': No such file or directory",
    'stdbuf: failed to run command ‘vllm’: Permission denied',
    'bash: ./vllm: cannot execute binary file: Exec format error',
    'bash: /usr/bin/vllm: Argument list too long',
    'zsh: argument list too long: vllm',
    "bash: -c: line 1: syntax error near unexpected token `('",
    'serve.sh: 4: Syntax error: "(" unexpected',
    '/root/serve.sh: line 9: syntax error: unexpected end of file',
    'sh: 4: Bad substitution',
    'sh: 3: MODEL: parameter not set',
    'bash: ./serve.sh: /bin/bash^M: bad interpreter: No such file or directory',
    '/bin/bash: line 2: /dev/null/x: Permission denied',
    // Ends by force.
    'Killed',
    'serve.sh: line 12:  4411 Killed                  vllm serve /m',
    '[1]+  Killed                  vllm serve /m',
    '[1]  + 4411 killed     vllm serve /m',
    'zsh: killed     vllm serve /m',
    'serve.sh[12]: 4411 Killed',
    'serve.sh: line 12:  4411 Segmentation fault      (core dumped) vllm serve /m',
    'zsh: segmentation fault (core dumped)  vllm serve /m',
    'serve.sh: line 12:  4411 Aborted                 (core dumped) vllm serve /m',
    'Nov 30 20:22:33 gpu1 systemd[1]: vllm.service: Main process exited, code=killed, status=9/KILL',
    'Nov 30 20:22:33 gpu1 systemd[1]: vllm.service: Main process exited, code=exited, status=203/EXEC',
    'Nov 30 20:22:33 gpu1 kernel: Out of memory: Killed process 4411 (vllm) total-vm:9kB',
    '[812345.6789] Memory cgroup out of memory: Killed process 4411 (python3)',
    '  "OOMKilled": true,',
    'slurmstepd: error: Detected 2 oom-kill event(s) in StepId=1.0 cgroup.',
    'srun: error: gpu1: tasks 0-3: Killed',
    // C++, C, CUDA.
    'malloc(): corrupted top size',
    'free(): double free detected in tcache 2',
    'corrupted double-linked list',
    '[E ProcessGroupNCCL.cpp:474] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7) ran for 1800100 milliseconds',
    '[rank3]:[E1111 17:01:37.1 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7)',
    '[E ProcessGroupNCCL.cpp:916] [Rank 0] NCCL watchdog thread terminated with exception: [Rank 0] hung',
    "[rank1]:[F1111 17:10:53.1 ProcessGroupNCCL.cpp:1557] [PG ID 0 PG GUID 0(default_pg) Rank 1] ProcessGroupNCCL's watchdog got stuck for 480 seconds",
    'terminate called without an active exception',
    '[gpu1:4411 :0:4411] Caught signal 7 (Bus error: nonexistent physical address)',
    // Compilers.
    'g++: fatal error: Killed signal terminated program cc1plus',
    '/src/a.cpp:12:3: error: no matching function',
    'ptxas /tmp/tmpx.ptx, line 10; error   : Feature requires .target sm_100a',
    'LLVM ERROR: Unsupported FP rounding mode',
    // Arguments.
    'api_server.py: error: unrecognized arguments: --foo',
    'python -m vllm.entrypoints.openai.api_server: error: argument --port: invalid int value',
    'torchrun: error: the following arguments are required: training_script',
    'collect_env.py: error: x',
    '│ No such option: --foo                                                        │',
  ])('%s', (line) => {
    expect(troublesIn(line)).toMatchObject([{ line: 1, type: null }]);
  });

  it.each([
    'gpu1:419:419 [0] NCCL WARN Cuda failure 2',
    '[2025-11-30 02:33:21] gpu1:419:623 [1] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed',
    'FAILED: [code=1] ops.o',
    'ninja: build stopped: subcommand failed.',
    'Terminated',
    'serve.sh: line 12:  4411 Terminated              vllm serve /m',
    '[1]+  Exit 1                  vllm serve /m',
    'Nov 30 20:22:33 gpu1 systemd[1]: vllm.service: Main process exited, code=killed, status=15/TERM',
    'slurmstepd: error: *** STEP 1.0 ON gpu1 CANCELLED AT 2025-11-30T20:22:33 ***',
    'vllm-1 exited with code 0',
    '/src/a.cu:1290: indexSelectLargeIndex: block: [1,0,0], thread: [0,0,0] Assertion `srcIndex < srcSelectDimSize` failed.',
    '[rank0]:[E1111 17:01:37.1 ProcessGroupNCCL.cpp:616] [Rank 0] Received a dump signal due to a collective timeout from rank 3',
    'INFO 04-29 06:13:29 [a.py:1] a.py: error: x',
    "+ bash -c 'Killed'",
    'Killed by hand: see above',
    'aborted requests are dropped',
  ])('but not %s', (line) => {
    expect(troublesIn(line)).toEqual([]);
  });
});
