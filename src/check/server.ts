/** A `vllm serve` command as its own parser takes it, as far as a check needs it. */

import { baseName } from '../config/base-name.ts';
import { findFlags, lastFlag } from '../config/flags.ts';
import { readSizes } from '../config/sizes.ts';
import { modelRef } from './model-ref.ts';
import { methodOf, readSpeculative, type Speculative } from './speculative.ts';
import type { ModelRef, Server } from './subject.ts';
import { visibleDevices } from './visible-devices.ts';

/** Modules that serve when Python runs them; the second takes `serve` as its own first word. */
const MODULES: readonly string[] = ['vllm.entrypoints.openai.api_server', 'vllm.entrypoints.api_server'];
const CLI_MODULE = 'vllm.entrypoints.cli.main';

/** Programs whose command runs where no check looks: another file system, other GPUs. */
const ELSEWHERE =
  /^(?:docker|podman|nerdctl|(?:docker|podman)-compose|apptainer|singularity|enroot|udocker|ch-run|distrobox|toolbox|lxc|incus|systemd-nspawn|chroot|proot|bwrap|nsenter|srun|ssh|kubectl|oc)$/;

/**
 * Also behind what wraps it (`env A=b`, `uv run`, `numactl`). `environment`: variables that the command has of its own. null for what is no such
 * command, and for one in a container.
 */
export function readServer(argv: readonly string[], environment: Readonly<Record<string, string>>): Server | null {
  const at = argumentsAt(argv);
  if (at === null || runsElsewhere(argv.slice(0, at.index)) !== null) return null;
  const own = { ...environment, ...assignments(argv.slice(0, at.index)) };
  const words = argv.slice(at.index);
  const speculative = readSpeculative(words);
  const model = modelWord(words);
  return {
    argv,
    environment: own,
    devices: readDevices(words, own),
    model: model === null ? null : modelRef(model, lastFlag(words, '--revision')?.value ?? null),
    speculative,
    drafter: speculative === null || speculative === 'broken' ? null : drafterOf(speculative, model),
    sizes: readSizes(words),
  };
}

/** Its own words, without those of what wraps it: `-n` is the name of an environment to `conda run`, and a number of nodes to vllm. */
export function ownWords({ argv }: Pick<Server, 'argv'>): readonly string[] {
  return argv.slice(argumentsAt(argv)?.index ?? 0);
}

/** `docker`, `ssh` …: what takes the command to where no check looks; null where it runs on the host itself. */
export function runsElsewhere(argv: readonly string[]): string | null {
  return argv.map(baseName).find((name) => ELSEWHERE.test(name)) ?? null;
}

/** Index of the first word of its own arguments. */
function argumentsAt(argv: readonly string[]): { readonly index: number } | null {
  for (const [index, word] of argv.entries()) {
    if (baseName(word) === 'vllm' && argv[index + 1] === 'serve') return { index: index + 2 };
    if (word !== '-m') continue;
    const module = argv[index + 1] ?? '';
    if (MODULES.includes(module)) return { index: index + 2 };
    if (module === CLI_MODULE && argv[index + 2] === 'serve') return { index: index + 3 };
  }
  return null;
}

function assignments(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.flatMap((word) => {
      const { name, value } = /^(?<name>[A-Za-z_]\w{0,99})=(?<value>.*)$/s.exec(word)?.groups ?? {};
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Its own choice, by --device-ids or its environment. */
function readDevices(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly string[] | null {
  const text = lastFlag(words, '--device-ids')?.value ?? environment.CUDA_VISIBLE_DEVICES;
  return text === undefined ? null : visibleDevices(text);
}

/** The positional one wins over --model. Where it doesn't come first and there is no such flag, a word that no flag before it can take. */
function modelWord(words: readonly string[]): string | null {
  const [first] = words;
  if (first !== undefined && !first.startsWith('-')) return first;
  const named = lastFlag(words, '--model', '--model-tag')?.value ?? null;
  if (named !== null) return named;
  const loose = words.find((word, index) => {
    const before = words[index - 1] ?? '-';
    return !word.startsWith('-') && (!before.startsWith('-') || before.includes('=')) && !isList(words, index);
  });
  return loose === undefined || /^[\d.]{1,20}$/.test(loose) ? null : loose;
}

/** A flag with several values (`--served-model-name a b`) has them in a row. */
function isList(words: readonly string[], index: number): boolean {
  const flagAt = words.findLastIndex((word, at) => at < index && word.startsWith('-'));
  if (flagAt === -1) return false;
  return findFlags(words.slice(flagAt, flagAt + 1), LISTS).length > 0;
}

const LISTS = [
  '--served-model-name',
  '--lora-modules',
  '--middleware',
  '--allowed-origins',
  '--api-key',
  '--cudagraph-capture-sizes',
] as const satisfies [string, ...string[]];

/** Methods whose `model` is no drafter of its own. A multi-token head is a part of the target, which is then named twice. */
const WITHOUT_DRAFTER: readonly string[] = ['ngram', 'ngram_gpu', 'suffix', 'extract_hidden_states'];

function drafterOf(speculative: Speculative, target: string | null): ModelRef | null {
  const { model, revision } = speculative;
  if (
    typeof model !== 'string' ||
    model === '' ||
    model === target ||
    WITHOUT_DRAFTER.includes(methodOf(speculative) ?? '')
  )
    return null;
  return modelRef(model, typeof revision === 'string' ? revision : null);
}
