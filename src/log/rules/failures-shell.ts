/** What shells and those that start programs say when a command can't run: bash, dash, zsh, busybox, fish, env, containers, conda, uv. */

import { type FailureRule, plain } from './failure-rule.ts';

export const SHELL_FAILURES: readonly FailureRule[] = [
  plain(
    'bash: line 1: vllm: command not found',
    /^(?:\S+: (?:(?:line )?\d+: )?(?:exec: )?(?:line \d+: )?\S+: command not found$|\S+: command not found: \S)/,
  ),
  plain(
    '/bin/bash: line 1: exec: /root/serve.sh: cannot execute: required file not found',
    /^\S+: (?:(?:line )?\d+: )?(?:exec: )?(?:line \d+: )?\S+: cannot execute: required file not found$/,
  ),
  plain('sh: 1: vllm: not found', /^\S+: (?:(?:line )?\d+: )?(?:exec: )?(?:line \d+: )?\S+: not found$/),
  plain('fish: Unknown command: vllm', /^fish: Unknown command/),
  plain('nohup: failed to run command ‘vllm’: No such file or directory', /^\S+: failed to run command/),
  plain(
    '/bin/bash: line 1: exec: /root/serve.sh: cannot execute: Permission denied',
    /^(?:\S*\/)?(?:[\w.-]*sh|env|setsid|taskset): (?:\S+: |line \d+: |failed to execute )*\S+: (?:cannot execute: )?Permission denied$/,
  ),
  plain(
    '/bin/bash: line 1: /opt/vllm/bin/activate: No such file or directory',
    /^(?:\S*\/)?(?:[\w.-]*sh|env|setsid|taskset|numactl|sudo): .*\S: No such file(?: or directory)?$/,
  ),
  plain('zsh:1: no such file or directory: /root/serve.sh', /^\S+: no such file or directory: \S/),
  plain('zsh: permission denied: ./serve.sh', /^\S*sh(?::\d+)?: permission denied: \S/),
  plain(
    'bash: line 1: /root/vllm: cannot execute binary file: Exec format error',
    /^\S+: (?:line \d+: )?\S+: (?:cannot execute(?: binary file)?: )?Exec format error$/,
  ),
  plain('zsh: exec format error: ./vllm', /^\S+: exec format error: \S/),
  plain(
    'bash: line 3: /usr/bin/vllm: Argument list too long',
    /^\S+: (?:argument list too long: \S|(?:(?:line )?\d+: )?\S+: Argument list too long$)/,
  ),
  plain(
    'bash: ./serve.sh: /bin/bash^M: bad interpreter: No such file or directory',
    /^\S+: (?:line \d+: )?(?:\S+: )?(?:\S+: )?bad interpreter: /,
  ),
  plain(
    "serve.sh: line 4: syntax error near unexpected token `('",
    /^(?:\S+: ){1,2}(?:(?:line )?\d+: )?(?:syntax error[: ]|Syntax error: )/,
  ),
  plain("zsh:3: parse error near `)'", /^\S+: parse error near /),
  plain(
    'serve.sh: line 9: unexpected EOF while looking for matching `"\'',
    /^(?:\S+: ){1,2}(?:line \d+: )?unexpected EOF while looking for/,
  ),
  plain('serve.sh: line 5: MODEL: unbound variable', /^\S+: (?:(?:line )?\d+: )?\S+: unbound variable$/),
  plain('sh: 1: MODEL: parameter not set', /^\S+: (?:(?:line )?\d+: )?\S+: parameter (?:null or )?not set$/),
  plain('sh: 2: Bad substitution', /^\S+: (?:(?:line )?\d+: )?(?:\S{1,200}: )?[Bb]ad substitution$/),
  plain(
    '/bin/bash: line 1: /opt/vllm: Is a directory',
    /^(?:\S*\/)?[\w.-]*sh: (?:line \d+: )?(?:exec: )?\S+: Is a directory$/,
  ),
  plain(
    'bash: fork: Cannot allocate memory',
    /^\S+: (?:line \d+: )?fork: (?:retry: )?(?:Resource temporarily unavailable|Cannot allocate memory)/,
  ),
  plain(
    'tee: /var/log/serve.log: No space left on device',
    /^(?:\S*\/)?(?:[\w.-]*sh|tee|cp|mv|mkdir|tar|rsync|cat|echo|touch): .{0,300}: No space left on device$/,
  ),
  plain(
    "python: can't open file '/root/serve.py': [Errno 2] No such file or directory",
    /^\S*python[\d.]*: can't open file/,
  ),
  plain('/usr/bin/python3: No module named vllm', /^\S*python[\d.]*: No module named \S/),
  plain(
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "vllm": executable file not found in $PATH: unknown',
    /exec: "[^"]{1,200}": executable file not found in /,
  ),
  plain(
    'nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.9, please update your driver to a newer version',
    /^nvidia-container-cli: (?:requirement|initialization|mount|ldcache|device) error: /,
  ),
  plain(
    'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
    /^(?:docker: Error response from daemon: |Error response from daemon: (?!No such container|removal of container))/,
  ),
  plain('error: Failed to spawn: `vllm`', /^error: Failed to spawn: /),
  plain(
    'EnvironmentNameNotFound: Could not find conda environment: vllm',
    /^(?:EnvironmentLocationNotFound|EnvironmentNameNotFound|CommandNotFoundError): /,
  ),
];
