import { lastFlag } from '../../config/flags.ts';
import type { GpuUse } from '../../host/gpu.ts';
import type { Check, Judged, Sample } from '../check.ts';
import { devicesOf } from '../gpus.ts';
import { passed, refused, unknown, warning } from '../judged.ts';
import { switchFlag, wholeFlag } from '../numbers.ts';
import { drafting, gpuUse, serving } from '../samples.ts';
import { draftTokens, methodOf } from '../speculative.ts';
import type { Server, Subject } from '../subject.ts';
import { isUnread } from '../unread.ts';
import { grouped } from '../words.ts';

/**
 * `max_num_scheduled_tokens is set to -N` (config/vllm.py): drafting in parallel reserves slots for every sequence, out of the batched tokens.
 * Also that a batch holds a sequence each, and without chunked prefill the longest prompt (config/scheduler.py).
 */
export const BATCHED_TOKENS: Check = {
  id: 'batched-tokens',
  label: 'Batched tokens',
  needs: [],
  uses: ['gpus'],
  concerns: ({ servers }) => servers.some((server) => isAsked(server)),
  judge: ({ gpus }, subject) =>
    subject.servers.filter(isAsked).flatMap((server) => judgeServer(server, limitsOf(server, subject, gpus))),
  get samples(): readonly Sample[] {
    const gpus = [gpuUse(0), gpuUse(1)];
    const large = [gpuUse(0, { name: 'NVIDIA H200', totalMib: 143_771, usedMib: 0, freeMib: 143_156 })];
    const draft = (...words: readonly string[]) => serving(['/models/target', ...words, ...drafting()]);
    const one = (...words: readonly string[]) =>
      serving(['/models/target', ...words, ...drafting()], { devices: ['0'] });
    return [
      { subject: draft('--max-num-batched-tokens', '32768'), facts: { gpus }, verdicts: ['passed'] },
      {
        subject: draft('--max_num_batched_tokens=32K', '--max-num-seqs', '64'),
        facts: { gpus: null },
        verdicts: ['passed'],
      },
      { subject: draft(), facts: { gpus }, verdicts: ['refused'] },
      { subject: one(), facts: { gpus: large }, verdicts: ['refused'] },
      { subject: draft('--max-num-seqs', '16'), facts: { gpus }, verdicts: ['passed'] },
      { subject: draft('--max-num-batched-tokens', '3700'), facts: { gpus }, verdicts: ['warning'] },
      { subject: draft(), facts: { gpus: null }, verdicts: ['unknown'] },
      {
        subject: serving(['/models/target', '--max-num-batched-tokens', '128', '--max-num-seqs', '256']),
        facts: { gpus },
        verdicts: ['refused'],
      },
      {
        subject: serving([
          '/models/target',
          '--max-num-batched-tokens',
          '8192',
          '--max-model-len',
          '32768',
          '--no-enable-chunked-prefill',
        ]),
        facts: { gpus },
        verdicts: ['refused'],
      },
      {
        subject: serving(['/models/target', '--max-num-batched-tokens', '8192', '--max-model-len', '32768']),
        facts: { gpus },
        verdicts: ['passed'],
      },
      { subject: draft('--max-num-scheduled-tokens', '1024'), facts: { gpus }, verdicts: [] },
    ];
  },
};

interface Limit {
  readonly value: number;
  readonly isDefault: boolean;
}

/** null where neither the command nor the GPUs tell it. */
interface Limits {
  readonly tokens: Limit | null;
  readonly sequences: Limit | null;
}

interface KnownLimits {
  readonly tokens: Limit;
  readonly sequences: Limit;
}

function judgeServer(server: Server, limits: Limits): readonly Judged[] {
  const { argv } = server;
  const { tokens, sequences } = limits;
  const slots = slotsOf(server);
  if (tokens === null || sequences === null)
    return slots === null
      ? []
      : [unknown('the defaults for batched tokens and sequences are not known here', { advice: SET_THEM })];
  const asked = tokens.isDefault ? null : tokens.value;
  if (asked !== null && !sequences.isDefault && asked < sequences.value)
    return [
      refused(`\`--max-num-batched-tokens\` ${grouped(asked)}`, {
        needed: `at least ${grouped(sequences.value)}, the \`--max-num-seqs\``,
        advice: 'Raise the one, or lower the other.',
      }),
    ];
  const length = wholeFlag(argv, '--max-model-len');
  if (asked !== null && length !== null && asked < length && switchFlag(argv, 'enable-chunked-prefill') === false)
    return [
      refused(`\`--max-num-batched-tokens\` ${grouped(asked)} without chunked prefill`, {
        needed: `at least ${grouped(length)}, the \`--max-model-len\``,
        advice: 'Raise it, or leave chunked prefill on.',
      }),
    ];
  if (slots !== null) return [judgeSlots(slots, { tokens, sequences })];
  return asked === null ? [] : [passed(`${grouped(asked)} tokens for at most ${grouped(sequences.value)} sequences`)];
}

const SET_THEM = 'Set `--max-num-batched-tokens` and `--max-num-seqs`.';

/** K − 1 a sequence, K from about 0.28 on (vllm-project/vllm#51256). */
function judgeSlots(drafted: number, limits: KnownLimits): Judged {
  const { tokens, sequences } = limits;
  const left = tokens.value - (drafted - 1) * sequences.value;
  const leftLater = tokens.value - drafted * sequences.value;
  const needed = 'more than 0 left for prompts';
  const most = Math.max(1, Math.floor((tokens.value - 1) / drafted / 2));
  const advice = `Set \`--max-num-batched-tokens 32768\`, or \`--max-num-seqs\` to ${most} or less.`;
  if (left <= 0) return refused(sum(drafted - 1, left, limits), { needed, advice });
  if (leftLater > 0) return passed(sum(drafted - 1, left, limits), needed);
  const found = `${sum(drafted, leftLater, limits)} from vLLM 0.28 on (${grouped(left)} before)`;
  return warning(found, { needed, advice });
}

function sum(slots: number, rest: number, { tokens, sequences }: KnownLimits): string {
  const shown = ({ value, isDefault }: Limit): string => `${grouped(value)}${isDefault ? ' (default)' : ''}`;
  const left = grouped(rest).replace('-', '−');
  return `${shown(tokens)} batched tokens − ${slots} draft slots × ${shown(sequences)} sequences = ${left}`;
}

/** Draft tokens of one that drafts in parallel and takes its slots from the batch; null for others. */
function slotsOf({ speculative, argv }: Server): number | null {
  if (speculative === null || speculative === 'broken') return null;
  if (wholeFlag(argv, '--max-num-scheduled-tokens') !== null) return null;
  const isParallel = methodOf(speculative) === 'dflash' || speculative.parallel_drafting === true;
  return isParallel ? draftTokens(speculative) : null;
}

function isAsked(server: Server): boolean {
  if (isUnread(server, '--max-num-batched-tokens') || isUnread(server, '--max-num-seqs')) return false;
  return slotsOf(server) !== null || wholeFlag(server.argv, '--max-num-batched-tokens') !== null;
}

/** Server defaults by the GPU's memory (engine/arg_utils.py, get_batch_defaults); from 160 GiB on they differ by version. */
function limitsOf(server: Server, subject: Subject, gpus: readonly GpuUse[] | null): Limits {
  const asked = (flag: string): Limit | null => {
    const value = wholeFlag(server.argv, flag);
    return value === null ? null : { value, isDefault: false };
  };
  const [tokens, sequences] = [asked('--max-num-batched-tokens'), asked('--max-num-seqs')];
  if ((tokens !== null && sequences !== null) || hasOtherDefaults(server, tokens)) return { tokens, sequences };
  const gpu = gpus === null ? undefined : devicesOf(server, subject, gpus)?.[0]?.gpu;
  const total = gpu?.totalMib ?? null;
  if (gpu === undefined || total === null || (tokens === null && total >= HUGE_MIB)) return { tokens, sequences };
  const isLarge = total >= LARGE_MIB && !/a100/i.test(gpu.name);
  const all = tokens ?? { value: isLarge ? 8192 : 2048, isDefault: true };
  return { tokens: all, sequences: sequences ?? { value: Math.min(isLarge ? 1024 : 256, all.value), isDefault: true } };
}

/** Doubled for throughput, and as long as the model where a prompt must fit into one batch. */
function hasOtherDefaults({ argv }: Server, tokens: Limit | null): boolean {
  const isDoubled = lastFlag(argv, '--performance-mode')?.value === 'throughput';
  return isDoubled || (tokens === null && switchFlag(argv, 'enable-chunked-prefill') === false);
}

const LARGE_MIB = 70 * 1024;
const HUGE_MIB = 160 * 1024;
