/** Causes in the command line itself. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const ARGUMENT_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'spawn-main-guard',
    category: 'spawn_main_guard',
    title: 'A launcher script without a `__main__` guard was started again by its own child',
    why: 'vLLM spawns its engine as a new Python process, which imports the launching script again and begins a second launch in it.',
    pattern: /finished its\s{1,20}bootstrapping phase|freeze_support\(\)|_check_not_importing_main/,
    samples: [
      'RuntimeError: An attempt has been made to start a new process before the current process has finished its bootstrapping phase.',
      'RuntimeError: \n        An attempt has been made to start a new process before the\n        current process has finished its bootstrapping phase.',
    ],
    remedy: () =>
      "Put the script's own code under `if __name__ == '__main__':`, or start the `vllm serve` command directly.",
    link: PAGES.spawn,
    retry: 'no',
    hides: ['port-in-use', 'port-in-use-internal'],
  },
  {
    id: 'json-argument-lost-quotes',
    category: 'bad_json_argument',
    title: 'A JSON argument lost its quotes on the way',
    why: 'A shell ate or doubled the quotes before vLLM saw the argument.',
    pattern:
      /argument (?<flag>--[\w.-]{1,60})[^:\n]{0,40}: (?:Value (?<value>.{0,400}?) cannot be converted to <function loads|invalid (?:json\.)?loads value: (?<raw>.{0,400}))/s,
    samples: [
      'vllm serve: error: argument --speculative-config/-sc: Value {method: cannot be converted to <function loads at 0x7c1e>.',
      "api_server.py: error: argument --rope-scaling: invalid loads value: '{type:'",
    ],
    remedy: ({ flag = '', value, raw }) =>
      `Give ${flag} in the recipe's argv as a map (it becomes one JSON argument), or as dotted flags (\`${flag}.method …\`), which need no quotes. It arrived as \`${value ?? raw ?? ''}\`: a shell ate or doubled its quotes.`,
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'json-argument-unparsable',
    category: 'bad_json_argument',
    title: "A JSON argument can't be parsed",
    why: 'What arrived is no JSON any more: a quote, a brace or a comma is missing or too many.',
    pattern: /JSONDecodeError: /,
    inTraceback: /argparse|arg_utils|argparse_utils|cli_args/,
    samples: [
      'json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    ],
    frame: '  File "/x/vllm/engine/arg_utils.py", line 1, in parse',
    remedy: () =>
      "Give the JSON argument in the recipe's argv as a map, which becomes one argument byte for byte (`npm run check-config` shows every word).",
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'unrecognized-arguments',
    category: 'bad_argument',
    title: 'An argument is not one that this version knows',
    why: 'The flag belongs to another version of the program, or is mistyped.',
    pattern: /: error: unrecognized arguments: (?<unknown>.{1,300})/,
    samples: [
      'vllm: error: unrecognized arguments: --spec-method dflash',
      'api_server.py: error: unrecognized arguments: --no-such-flag',
    ],
    remedy: ({ unknown = '' }) =>
      `Compare with the installed version's own \`vllm serve --help=all\`, and look for a typing mistake: it doesn't know \`${unknown}\`.`,
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'argument-not-a-choice',
    category: 'bad_argument',
    title: "An argument's value is not one of those allowed",
    why: 'The flag takes one of a list of words, which differs between versions.',
    pattern:
      /error: argument (?<flag>[^:\n]{1,80}): invalid choice: (?<value>.{1,80}?) \(choose from (?<choices>.{1,200})/s,
    samples: ["vllm serve: error: argument --dtype: invalid choice: 'fp16' (choose from 'auto', 'half', 'float16')"],
    remedy: ({ flag = '', value = '', choices = '' }) =>
      `Correct ${flag} in the recipe's argv: it got ${value}, and may be one of ${choices.replace(/\)$/, '')}.`,
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'argument-value-invalid',
    category: 'bad_argument',
    title: "An argument's value can't be read",
    why: 'The flag takes another type of value than it was given.',
    pattern:
      /error: argument (?<flag>[^:\n]{1,80}): (?<said>(?:invalid \S{1,60} value|expected (?:one|at least one|\d+) argument).{0,120})/,
    samples: [
      "vllm serve: error: argument --port: invalid int value: '80a'",
      'train.py: error: argument --lr: expected one argument',
    ],
    remedy: ({ flag = '', said = '' }) => `Correct ${flag} in the recipe's argv: ${said}.`,
    link: PAGES.serve,
    retry: 'no',
  },
  {
    id: 'argument-refused',
    category: 'bad_argument',
    title: 'An argument was refused',
    why: 'The program checked its arguments before it did anything, and did not like one.',
    pattern:
      /^(?!slurm|srun)[\w./-]{1,120}(?: [\w./<>[\]-]{1,60}){0,6}: error: .|^(?:Error: |│ )(?:No such (?:option|command)|Missing |Invalid value|Got unexpected extra argument|Option .{1,80} requires an argument)/,
    samples: [
      'vllm serve: error: one of the arguments --model is required',
      'train.py: error: the following arguments are required: --data-path',
      'Error: No such option: --tensor-parallel',
      "Error: Invalid value for '--port': 'x' is not a valid integer.",
    ],
    remedy: () =>
      "Correct the argument that the line names in the recipe's argv; the installed version's `vllm serve --help=all` (of a script, `--help`) lists what it takes.",
    link: PAGES.serve,
    retry: 'no',
  },
];
