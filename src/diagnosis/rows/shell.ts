/** What the shell says that was to run the command: the server itself never began. Order is priority; the most telling first. */

import type { DiagnosisRow } from '../row.ts';

export const SHELL_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'command-not-found',
    category: 'bad_argument',
    title: 'The command was not found',
    why: 'A shell that nobody logs in to has a short PATH, and no environment is active in it.',
    pattern:
      /(?:^|: )(?<command>[^:\n]{1,300}): (?:command not found|(?:cannot execute: required file )?not found)$|^(?:\S{0,200}\/)?(?:env|setsid|nohup): (?:failed to (?:execute|run command) )?['‘]?(?<tried>[^:'’\n]{1,300})['’]?: No such file/,
    samples: [
      '/bin/bash: line 1: exec: vllm: not found',
      'bash: line 1: vllm: command not found',
      'nohup: failed to run command ‘vllm’: No such file or directory',
    ],
    remedy: ({ command, tried }) => {
      const name = command ?? tried ?? 'the command';
      if (name.includes('/'))
        return `Correct the path in the recipe's argv or \`prelude\`: \`${name}\` is not there, or the interpreter in its first line is not.`;
      return `Activate its environment in the recipe's \`prelude\`, or write its full path in argv: \`${name}\` is not on the PATH of a non-login shell.`;
    },
    link: null,
    retry: 'no',
  },
  {
    id: 'command-not-allowed',
    category: 'bad_argument',
    title: 'The command may not be run',
    why: 'The file has no right to be executed, or is a folder, or lies on a disk that is mounted noexec.',
    pattern:
      /(?:^|: )(?:failed to (?:execute|run command) )?['‘]?(?<command>[^:'’\n]{1,300})['’]?: (?:cannot execute: )?Permission denied$/,
    shape: 'line',
    samples: ['/bin/bash: line 1: exec: /root/serve.sh: cannot execute: Permission denied'],
    remedy: ({ command = '' }) =>
      `Make it executable (\`chmod +x ${command}\`), or name a file that is: the user who logs in may not run \`${command}\`. A folder, or a disk that is mounted noexec, says the same.`,
    link: null,
    retry: 'no',
  },
  {
    id: 'shell-file-missing',
    category: 'bad_argument',
    title: 'A file that the shell was to read is not there',
    why: 'The prelude or the script names a path that does not exist on this host.',
    pattern:
      /(?:^|: )(?:cannot open |can't open |can't cd to )?'?(?<file>[^:'\n]{1,300})'?: No such file(?: or directory)?$/,
    shape: 'line',
    samples: ['/bin/bash: line 1: /opt/vllm/bin/activate: No such file or directory'],
    remedy: ({ file = '' }) =>
      `Correct the path in the recipe's \`prelude\` or argv: \`${file}\` is not on the host. \`ls\` it there as the user who logs in; a \`~\` inside quotes is not opened.`,
    link: null,
    retry: 'no',
  },
];
