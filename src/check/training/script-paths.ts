/** Which files of a command are shell scripts: they say what a training really starts. */

import { baseName } from '../../config/base-name.ts';
import { readShellCall } from './bash/shell-call.ts';
import { known } from './bash/value.ts';
import { peel } from './bash/wrappers.ts';

/** Programs that are none, though they stand at a path. */
const PROGRAM = /^(?:python[\d.]*|torchrun|accelerate|deepspeed|speculators|vllm|uv|node)$/;

/** Their paths as argv names them: `x.sh` of `bash x.sh` or `env A=b bash -e x.sh`, and a program of its own (`./train.sh`). */
export function scriptsOf(argv: readonly string[]): readonly string[] {
  const { words } = peel(argv.map(known));
  const call = readShellCall(words);
  if (call !== null) return call.text === null && call.script !== null ? [call.script.text] : [];
  const program = words[0]?.text ?? '';
  const name = baseName(program);
  const isScript = /\.(?:sh|bash)$/.test(name) || (program.includes('/') && !name.includes('.') && !PROGRAM.test(name));
  return isScript ? [program] : [];
}
