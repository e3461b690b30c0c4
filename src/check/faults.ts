/** Faults that versions of vLLM are known for, in what a launch may ask. */

import { lastFlag } from '../config/flags.ts';
import type { DraftConfig } from './draft-config.ts';
import type { JsonObject } from './json.ts';
import { textAt, textsAt } from './json.ts';
import { textConfig } from './looks.ts';
import { methodOf } from './speculative.ts';
import type { Server } from './subject.ts';

/** What of a launch decides whether a fault concerns it. */
export interface Asking {
  readonly server: Server;
  /** DFlash, extract_hidden_states …; null without speculation. */
  readonly method: string | null;
  readonly drafter: DraftConfig | null;
  /** The target's config.json; null where it can't be read. */
  readonly target: JsonObject | null;
}

export interface Fault {
  /** The first release that has it, and the first without; null: from the beginning, or to this day. */
  readonly from: string | null;
  readonly until: string | null;
  concerns(asking: Asking): boolean;
  /** What decides it beside the method, where that is a file: without it nobody can tell. */
  readonly decidedBy?: { readonly method: string; readonly file: 'drafter' | 'target' };
  /** What the version does wrong, as a phrase. */
  readonly what: string;
  readonly remedy: string;
  /** Pull requests and issues; null where none is known. */
  readonly source: string | null;
  /** The start fails, or its result is useless, whatever else is so; else it may be the one or the other. */
  readonly isSure: boolean;
}

/** To add one: a row, and a sample in rows/known-faults.ts. */
export const FAULTS: readonly Fault[] = [
  {
    from: null,
    until: '0.20',
    concerns: ({ method }) => method === 'dflash',
    what: "it doesn't know the method `dflash`",
    remedy: 'Install vLLM 0.20 or newer.',
    source: 'vllm-project/vllm#36847',
    isSure: true,
  },
  {
    from: null,
    until: '0.18',
    concerns: ({ method }) => method === 'extract_hidden_states',
    what: "it doesn't know the method `extract_hidden_states`",
    remedy: 'Install vLLM 0.18 or newer.',
    source: 'vllm-project/vllm#33736',
    isSure: true,
  },
  {
    from: null,
    until: '0.22',
    concerns: ({ server }) =>
      ['--spec-method', '--spec-model', '--spec-tokens'].some((flag) => lastFlag(server.argv, flag)),
    what: "it doesn't know the flags `--spec-method`, `--spec-model`, `--spec-tokens`",
    remedy: 'Use `--speculative-config`, or install vLLM 0.22 or newer.',
    source: 'vllm-project/vllm#42476',
    isSure: true,
  },
  {
    from: null,
    until: '0.24',
    concerns: ({ server }) => lastFlag(server.argv, '--device-ids') !== null,
    what: "it doesn't know the flag `--device-ids`",
    remedy: 'Set CUDA_VISIBLE_DEVICES instead, or install vLLM 0.24 or newer.',
    source: null,
    isSure: true,
  },
  {
    from: '0.20',
    until: '0.24',
    concerns: ({ method, server }) =>
      method === 'dflash' &&
      /^flashinfer$/i.test(lastFlag(server.argv, '--attention-backend')?.value ?? '') &&
      textAt(server.speculative, 'attention_backend') === null,
    what: 'its FlashInfer backend has no non-causal attention, which DFlash needs',
    remedy: 'Set `--attention-backend flash_attn`, or install vLLM 0.24 or newer.',
    source: 'vllm-project/vllm#43081',
    isSure: true,
  },
  {
    from: '0.20',
    until: '0.22',
    decidedBy: { method: 'dflash', file: 'drafter' },
    concerns: ({ method, drafter }) =>
      method === 'dflash' && drafter?.form === 'z-lab' && drafter.layerIds?.key === 'dflash_config.target_layer_ids',
    what: 'it reads `dflash_config.target_layer_ids` literally: every hidden state one layer off, acceptance near 1 %',
    remedy: 'Install vLLM 0.22 or newer, and leave the ids as the drafter was trained with.',
    source: 'vllm-project/vllm#40727',
    isSure: false,
  },
  {
    from: '0.20',
    until: '0.25',
    decidedBy: { method: 'dflash', file: 'drafter' },
    concerns: ({ method, drafter }) =>
      method === 'dflash' && drafter?.layerTypes?.includes('sliding_attention') === true,
    what: "it runs the drafter's sliding layers as full attention: acceptance falls the longer the text is",
    remedy: 'Install vLLM 0.25 or newer.',
    source: 'vllm-project/vllm#46104 and #47914',
    isSure: false,
  },
  {
    from: '0.20',
    until: '0.23',
    concerns: ({ method, server }) =>
      method === 'dflash' && !server.argv.some((word) => /^--no[-_]enable[-_]prefix[-_]caching$/.test(word)),
    what: 'its prefix cache spoils what DFlash drafts from',
    remedy: 'Install vLLM 0.23 or newer, or add `--no-enable-prefix-caching`.',
    source: 'vllm-project/vllm#42971 and #43733',
    isSure: false,
  },
  {
    from: '0.23',
    until: '0.25',
    decidedBy: { method: 'extract_hidden_states', file: 'target' },
    concerns: ({ method, target }) => method === 'extract_hidden_states' && isHybrid(target),
    what: 'builds of that time give out hidden states of zeros for hybrid targets (Qwen3.5, Qwen3.6)',
    remedy: 'Install vLLM 0.25 or newer, and look into one file of hidden states before training: finite, not zero.',
    source: 'vllm-project/vllm#43805 and #46301',
    isSure: false,
  },
];

/** What a server asks for. */
export function askingOf(server: Server, { drafter, target }: Pick<Asking, 'drafter' | 'target'>): Asking {
  const { speculative } = server;
  const method = speculative === null || speculative === 'broken' ? null : methodOf(speculative);
  return { server, method, drafter, target };
}

/** Some of its layers are no attention (Gated DeltaNet, Mamba). */
function isHybrid(target: JsonObject | null): boolean {
  if (target === null) return false;
  const types = textsAt(textConfig(target), 'layer_types') ?? [];
  return types.includes('linear_attention') || /^qwen3_(?:5|6|next)/.test(textAt(target, 'model_type') ?? '');
}
