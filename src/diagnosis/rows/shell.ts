/** What the shell says that was to run the command: the server itself never began. Order is priority; the most telling first. */

import type { DiagnosisRow } from '../row.ts';

export const SHELL_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'interpreter-missing',
    category: 'bad_argument',
    title: 'The script names an interpreter that is not there',
    why: "The script's first line names the program that runs it; a `^M` after it means that the file has Windows line ends.",
    pattern: /: (?<interpreter>[^:\n]{1,300}): bad interpreter: /,
    shape: 'line',
    samples: ['bash: ./serve.sh: /bin/bash^M: bad interpreter: No such file or directory'],
    remedy: ({ interpreter = '' }) =>
      interpreter.endsWith('^M')
        ? "Turn the script's Windows line ends into plain ones (`sed -i 's/\\r$//' FILE`)."
        : `Correct the script's first line: \`${interpreter}\` is not on the host.`,
    link: null,
    retry: 'no',
  },
  {
    id: 'command-not-found',
    category: 'bad_argument',
    title: 'The command was not found',
    why: 'A shell that nobody logs in to has a short PATH, and no environment is active in it.',
    pattern:
      /(?:^|: )(?<command>[^:\n]{1,300}): (?:command not found|(?:cannot execute: required file )?not found)$|(?:command not found|^fish: Unknown command): (?<unknown>\S{1,300})$|^(?:\S{0,200}\/)?(?:env|setsid|nohup): (?:failed to (?:execute|run command) )?['‘]?(?<tried>[^:'’\n]{1,300})['’]?: No such file|exec: "(?<executed>[^"\n]{1,200})": executable file not found|^error: Failed to spawn: `(?<spawned>[^`\n]{1,200})`/,
    samples: [
      '/bin/bash: line 1: exec: vllm: not found',
      'bash: line 1: vllm: command not found',
      'zsh:1: command not found: vllm',
      'fish: Unknown command: vllm',
      'nohup: failed to run command ‘vllm’: No such file or directory',
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "vllm": executable file not found in $PATH: unknown',
      'error: Failed to spawn: `vllm`',
    ],
    remedy: ({ command, unknown, tried, executed, spawned }) => {
      const name = command ?? unknown ?? tried ?? executed ?? spawned ?? 'the command';
      if (name.includes('/'))
        return `Correct the path in the recipe's argv or \`prelude\`: \`${name}\` is not there, or the interpreter in its first line is not.`;
      return `Activate its environment in the recipe's \`prelude\`, or write its full path in argv: \`${name}\` is not on the PATH of a non-login shell.`;
    },
    link: null,
    retry: 'no',
  },
  {
    id: 'environment-not-found',
    category: 'bad_argument',
    title: 'The conda environment was not found',
    why: 'It has another name, belongs to another user, or conda is not set up in a shell that nobody logs in to.',
    pattern: /^(?:EnvironmentLocationNotFound|EnvironmentNameNotFound|CommandNotFoundError): /,
    samples: ['EnvironmentNameNotFound: Could not find conda environment: vllm'],
    remedy: () =>
      "Look at `conda env list` as the user who logs in, and put `source …/etc/profile.d/conda.sh` before `conda activate` in the recipe's `prelude`.",
    link: null,
    retry: 'no',
  },
  {
    id: 'command-not-allowed',
    category: 'bad_argument',
    title: 'The command may not be run',
    why: 'The file has no right to be executed, or is a folder, or lies on a disk that is mounted noexec.',
    pattern:
      /(?:^|: )(?:failed to (?:execute|run command) )?['‘]?(?<command>[^:'’\n]{1,300})['’]?: (?:cannot execute: )?(?:Permission denied|Is a directory)$|: permission denied: (?<denied>\S{1,300})$/,
    shape: 'line',
    samples: [
      '/bin/bash: line 1: exec: /root/serve.sh: cannot execute: Permission denied',
      'zsh: permission denied: ./serve.sh',
      '/bin/bash: line 1: /opt/vllm: Is a directory',
    ],
    remedy: ({ command, denied }) => {
      const name = command ?? denied ?? '';
      return `Make it executable (\`chmod +x ${name}\`), or name a file that is: the user who logs in may not run \`${name}\`. A folder, or a disk that is mounted noexec, says the same.`;
    },
    link: null,
    retry: 'no',
  },
  {
    id: 'command-of-another-machine',
    category: 'bad_argument',
    title: 'The program is not made for this processor',
    why: 'It was built for another kind of processor (x86-64, ARM), or it is a script without a first line that says who runs it.',
    pattern: /Exec format error|exec format error/,
    shape: 'line',
    samples: [
      'bash: line 1: /root/vllm: cannot execute binary file: Exec format error',
      'zsh: exec format error: ./vllm',
    ],
    remedy: () =>
      'Compare `file PROGRAM` with `uname -m` on the host and install the fitting build; give a script `#!/bin/sh`.',
    link: null,
    retry: 'no',
  },
  {
    id: 'command-too-long',
    category: 'bad_argument',
    title: 'The command line is longer than the system allows',
    why: 'Arguments and environment together have a limit; one argument alone may have 128 KiB.',
    pattern: /[Aa]rgument list too long/,
    shape: 'line',
    samples: ['bash: line 3: /usr/bin/vllm: Argument list too long'],
    remedy: () =>
      'Put long arguments into a file (`vllm serve --config FILE.yaml`), and look for a variable that grew (`env | wc -c`).',
    link: null,
    retry: 'no',
  },
  {
    id: 'shell-syntax',
    category: 'bad_argument',
    title: "The shell can't read the script",
    why: 'A quote, a bracket or a word is missing or too many, or the script is for another shell (bash, not sh).',
    pattern: /[Ss]yntax error|parse error near|unexpected EOF while looking for|[Bb]ad substitution/,
    shape: 'line',
    samples: [
      "serve.sh: line 4: syntax error near unexpected token `('",
      'serve.sh: line 9: unexpected EOF while looking for matching `"\'',
      "zsh:3: parse error near `)'",
      'sh: 2: Bad substitution',
    ],
    remedy: () =>
      "Correct the line that it names, in the recipe's `prelude` or in the script (`bash -n FILE` checks it); give a script for bash `#!/bin/bash`.",
    link: null,
    retry: 'no',
  },
  {
    id: 'shell-variable-unset',
    category: 'bad_argument',
    title: 'A variable that the script needs is not set',
    why: 'The script stops at a variable without a value; a shell that nobody logs in to reads no profile.',
    pattern: /(?:^|: )(?<name>[A-Za-z_]\w{0,100}): (?:unbound variable|parameter (?:null or )?not set)$/,
    shape: 'line',
    samples: ['serve.sh: line 5: MODEL: unbound variable', 'sh: 1: MODEL: parameter not set'],
    remedy: ({ name = '' }) =>
      `Set \`${name}\` in the recipe's environment, or give it a default in the script (\`\${${name}:-…}\`).`,
    link: null,
    retry: 'no',
  },
  {
    id: 'shell-file-missing',
    category: 'bad_argument',
    title: 'A file that the shell was to read is not there',
    why: 'The prelude or the script names a path that does not exist on this host.',
    pattern:
      /(?:^|: )(?:cannot open |can't open |can't cd to )?'?(?<file>[^:'\n]{1,300})'?: No such file(?: or directory)?$|: no such file or directory: (?<absent>\S{1,300})$/,
    shape: 'line',
    samples: [
      '/bin/bash: line 1: /opt/vllm/bin/activate: No such file or directory',
      'zsh:1: no such file or directory: /root/serve.sh',
    ],
    remedy: ({ file, absent }) =>
      `Correct the path in the recipe's \`prelude\` or argv: \`${file ?? absent ?? ''}\` is not on the host. \`ls\` it there as the user who logs in; a \`~\` inside quotes is not opened.`,
    link: null,
    retry: 'no',
  },
];
