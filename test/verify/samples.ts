import type { Measured, Prompts, Try } from '../../src/verify/measured.ts';
import { readServing } from '../../src/verify/read-serving.ts';
import type { Acceptance, KeptRecord } from '../../src/verify/verification.ts';
import type { Drafts } from '../../src/vitals/counters.ts';

export const ARGV = [
  ...['vllm', 'serve', '/root/models/Qwen3.6-27B', '--port', '8000', '--max-model-len', '32768'],
  ...['--served-model-name', 'qwen', '--speculative-config'],
  '{"method":"dflash","model":"/root/models/Qwen3.6-27B-DFlash","num_speculative_tokens":15}',
];

const NOTHING: Drafts = { drafts: 0, draftTokens: 0, accepted: 0, perPosition: [] };

/** Counters of so many drafts with that curve. */
export function draftsOf(curve: readonly number[], drafts = 400): Drafts {
  const perPosition = curve.map((rate) => Math.round(rate * drafts));
  const accepted = perPosition.reduce((sum, count) => sum + count, 0);
  return { drafts, draftTokens: drafts * curve.length, accepted, perPosition };
}

export function acceptanceOf(curve: readonly number[], drafts = 400): Acceptance {
  const length = 1 + curve.reduce((sum, rate) => sum + rate, 0);
  return { rate: (length - 1) / curve.length, length, curve, drafts, of: 'prompts' };
}

/** Falls evenly: each position keeps that much of the one before. */
export function even(first: number, ratio: number, positions = 15): readonly number[] {
  return Array.from({ length: positions }, (_, position) => first * ratio ** position);
}

/** Length 2.70: the rehearsal's drafter with the right config.json. */
export const HEALTHY = even(0.68, 0.6);
/** Length 1.17: every hidden state one layer off. */
export const MISLED = even(0.14, 0.17);
/** Official smoke run: length 1.47, which is working. */
export const SMOKE = [0.368, 0.088, 0.011, 0.002, ...Array.from({ length: 11 }, () => 0)];

const ANSWERED: readonly Try[] = [
  { task: 'plain', outcome: { kind: 'answered', amount: 16, text: ' Paris, which' } },
  { task: 'chat', outcome: { kind: 'answered', amount: 16, text: 'Paris.' } },
];

export function prompts(changes: Partial<Prompts> = {}): Prompts {
  const run = { tokens: 128, firstMs: 80, totalMs: 1780 };
  return {
    left: null,
    runs: [run, run, run, run],
    by: 'forwarding',
    othersFinished: 0,
    drafts: { before: NOTHING, after: draftsOf(HEALTHY), of: 'prompts' },
    hasMetrics: true,
    ...changes,
  };
}

export function drafted(curve: readonly number[], drafts?: number): Prompts {
  return prompts({ drafts: { before: NOTHING, after: draftsOf(curve, drafts), of: 'prompts' } });
}

/** A server that does all that can be wanted. */
export function measured(changes: Partial<Measured> = {}): Measured {
  const argv = changes.run?.argv ?? ARGV;
  return {
    at: 1_000_000,
    by: null,
    accept: false,
    run: { name: 'kpro5-4', recipe: 'dflash', argv, isFound: false },
    serving: readServing(argv, {}),
    floor: { acceptanceLength: null, tokensPerSecond: null },
    record: null,
    said: {
      tasks: ['generate'],
      asked: null,
      layers: null,
      engine: { version: '0.22.0', config: { model: '/root/models/Qwen3.6-27B', max_seq_len: 32768 } },
    },
    version: '0.22.0',
    models: { kind: 'named', names: ['qwen'] },
    tries: ANSWERED,
    prompts: prompts(),
    others: [],
    ...changes,
  };
}

export function record(tokensPerSecond: number, curve: readonly number[] | null, argv = ARGV): KeptRecord {
  const from = { run: 'kpro5-3', at: 500_000, argv };
  return {
    speed: { value: { by: 'forwarding', tokensPerSecond, firstTokenMs: 80 }, ...from },
    acceptance: curve === null ? null : { value: acceptanceOf(curve), ...from },
  };
}
