/** What the shell says that was to run the command: the server itself never began. Order is priority; the most telling first. */

import type { DiagnosisRow } from './row.ts';

export const SHELL_ROWS: readonly DiagnosisRow[] = [
  {
    category: 'bad_argument',
    title: 'The command was not found',
    pattern:
      /(?:^|: )(?<command>[^:\n]+): (?:command not found|(?:cannot execute: required file )?not found)$|^(?:\S*\/)?(?:env|setsid|nohup): (?:failed to (?:execute|run command) )?['‘]?(?<tried>[^:'’\n]+)['’]?: No such file/,
    sample: '/bin/bash: line 1: exec: vllm: not found',
    remedy: ({ command, tried }) => {
      const name = command ?? tried ?? 'the command';
      if (name.includes('/'))
        return `Correct the path in the recipe's argv or \`prelude\`: \`${name}\` is not there, or the interpreter in its first line is not.`;
      return `Activate its environment in the recipe's \`prelude\`, or write its full path in argv: \`${name}\` is not on the PATH of a non-login shell.`;
    },
  },
  {
    category: 'bad_argument',
    title: 'The command may not be run',
    pattern:
      /(?:^|: )(?:failed to (?:execute|run command) )?['‘]?(?<command>[^:'’\n]+)['’]?: (?:cannot execute: )?Permission denied$/,
    sample: '/bin/bash: line 1: exec: /root/serve.sh: cannot execute: Permission denied',
    remedy: ({ command }) =>
      `Make it executable (\`chmod +x ${command}\`), or name a file that is: the user who logs in may not run \`${command}\`. A folder, or a disk that is mounted noexec, says the same.`,
  },
  {
    category: 'bad_argument',
    title: 'A file that the shell was to read is not there',
    pattern: /(?:^|: )(?:cannot open |can't open |can't cd to )?'?(?<file>[^:'\n]+)'?: No such file(?: or directory)?$/,
    sample: '/bin/bash: line 1: /opt/vllm/bin/activate: No such file or directory',
    remedy: ({ file }) =>
      `Correct the path in the recipe's \`prelude\` or argv: \`${file}\` is not on the host. \`ls\` it there as the user who logs in; a \`~\` inside quotes is not opened.`,
  },
];

/** What a shell may say on the way, and go on: the cause only where nothing better is there. */
export const SHELL_MISSES =
  /^(?:\S*\/)?(?:[\w.-]*sh|env|setsid|nohup): .*(?:not found|Permission denied|No such file(?: or directory)?)$/;
