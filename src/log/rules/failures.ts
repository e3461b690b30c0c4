/** Failures that come without a Python traceback, told by one line: arguments, ports, shells, compilers, C++, and who saw a process die. */

import { RuleIndex } from '../gate/rule-index.ts';
import type { Spoken } from '../speaker.ts';
import { type FailureRule, plain } from './failure-rule.ts';
import { ENDING_FAILURES } from './failures-ending.ts';
import { NATIVE_FAILURES } from './failures-native.ts';
import { SHELL_FAILURES } from './failures-shell.ts';

/** What argparse, click and typer (which draws a box) refuse. */
const ARGUMENT_FAILURES: readonly FailureRule[] = [
  plain(
    'vllm serve: error: argument --speculative-config/-sc: Value {method: cannot be converted to <function loads at 0x7c>.',
    /^(?!slurm|srun)[\w./-]+(?: [\w./<>[\]-]+){0,6}: error: \S/,
  ),
  plain('Error: No such option: --tensor-parallel', /^(?:Error: |│ )No such option/),
  plain('Error: No such command: serv', /^(?:Error: |│ )No such command/),
  plain("Error: Missing option '--model'.", /^(?:Error: |│ )Missing (?:option|argument|parameter|command)/),
  plain("Error: Invalid value for '--port': 'x' is not a valid integer.", /^(?:Error: |│ )Invalid value/),
  plain('Error: Got unexpected extra argument (serve)', /^(?:Error: |│ )Got unexpected extra argument/),
  plain("Error: Option '--port' requires an argument.", /^(?:Error: |│ )Option .{1,80} requires an argument/),
];

export const FAILURE_RULES: readonly FailureRule[] = [
  ...ARGUMENT_FAILURES,
  {
    sample: "[Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
    pattern: /^\[Errno \d+\] error while attempting to bind/,
  },
  ...ENDING_FAILURES,
  ...NATIVE_FAILURES,
  ...SHELL_FAILURES,
];

const byShape = new Map(
  (['record', 'uvicorn', 'json', 'dated', 'torch', 'plain'] as const).map((shape) => [
    shape,
    new RuleIndex(FAILURE_RULES.filter(({ shapes }) => shapes === undefined || shapes.includes(shape))),
  ]),
);

const MILD_RULES = FAILURE_RULES.filter(({ isMild }) => isMild === true);

/** True where the line itself is a failure. */
export function isFailure(said: Spoken): boolean {
  const { message, shape } = said;
  if (shape === 'record' && said.level === 'WARNING') return false;
  const rules =
    said.level === 'INFO' || said.level === 'DEBUG' ? MILD_RULES : (byShape.get(shape)?.candidates(message) ?? []);
  return rules.some(({ pattern }) => pattern.test(message));
}
