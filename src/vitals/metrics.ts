/** A vLLM server's /metrics as counters: its engines together, whatever the version calls them (vllm-project/vllm, v1/metrics/loggers.py). */

import type { Counters, Drafts } from './counters.ts';
import { type MetricSample, namesIn, readMetrics } from './prometheus.ts';

/** Ours, by the names it has had, the newest first; `_total` of a counter is left out. */
const NAMES = {
  running: ['vllm:num_requests_running'],
  waiting: ['vllm:num_requests_waiting'],
  kv: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'],
  prompt: ['vllm:prompt_tokens'],
  generated: ['vllm:generation_tokens'],
  // A histogram of tokens by iteration: how many it holds is how many iterations there were.
  iterations: ['vllm:iteration_tokens_total_count'],
  finished: ['vllm:request_success'],
  preemptions: ['vllm:num_preemptions'],
  drafts: ['vllm:spec_decode_num_drafts'],
  draftTokens: ['vllm:spec_decode_num_draft_tokens'],
  accepted: ['vllm:spec_decode_num_accepted_tokens'],
  perPosition: ['vllm:spec_decode_num_accepted_tokens_per_pos'],
} as const;
type Key = keyof typeof NAMES;

const KEYS = new Map<string, Key>(
  Object.entries(NAMES).flatMap(([key, names]) =>
    names.flatMap((name): [string, Key][] => [
      [name, key as Key],
      [`${name}_total`, key as Key],
    ]),
  ),
);

const ANSWERS = 'http_requests_total';
/** 1 under the state that an engine is in, 0 under the others: awake, weights_offloaded, discard_all. */
const SLEEP = 'vllm:engine_sleep_state';
/** What clients ask a server for: its own paths (`/health`, `/metrics`, `/v1/models`) and what it doesn't know are none. */
const ASKED = /^\/(?:v[12]|inference|cohere|score|rerank|pooling|classify|generate|embed|invocations)(?:\/|$)/;
const MOST_POSITIONS = 256;

/** Of the whole text that /metrics answered; null where no engine tells of itself (statistics off, another server). */
export function countersOf(text: string): Counters | null {
  const samples = readMetrics(text, (name) => KEYS.has(name) || name === ANSWERS || name === SLEEP);
  const groups = groupsOf(samples);
  if (!groups.some((group) => group.has('running') || group.has('generated'))) return null;
  const sum = (key: Key) => groups.reduce((total, group) => total + (group.get(key) ?? 0), 0);
  const kv = groups.flatMap((group) => group.get('kv') ?? []);
  return {
    engines: groups.length,
    running: sum('running'),
    waiting: sum('waiting'),
    kv: kv.length === 0 ? null : Math.min(1, Math.max(...kv)),
    promptTokens: sum('prompt'),
    generatedTokens: sum('generated'),
    iterations: groups.some((group) => group.has('iterations')) ? sum('iterations') : null,
    finished: sum('finished'),
    preemptions: sum('preemptions'),
    answers: answersOf(samples, text),
    ...(samples.some(isAsleep) ? { isAsleep: true } : {}),
    drafts: draftsOf(groups),
  };
}

function isAsleep({ name, labels, value }: MetricSample): boolean {
  return name === SLEEP && labels.sleep_state === 'awake' && value === 0;
}

/** What one engine tells of itself; accepted tokens by position as `perPosition 3`. */
type Group = ReadonlyMap<string, number>;

/** An engine each. One that says all of itself under each of several model names is one engine. */
function groupsOf(samples: readonly MetricSample[]): readonly Group[] {
  const engines = new Map<string, Map<string, Map<string, number>>>();
  for (const { name, labels, value } of samples) {
    const key = KEYS.get(name);
    if (key === undefined || !Number.isFinite(value)) continue;
    const models = engines.get(labels.engine ?? '') ?? new Map<string, Map<string, number>>();
    engines.set(labels.engine ?? '', models);
    const group = models.get(labels.model_name ?? '') ?? new Map<string, number>();
    models.set(labels.model_name ?? '', group);
    const place = key === 'perPosition' ? `${key} ${labels.position ?? ''}` : key;
    // A gauge's old name and its new one say the same, and each of several API servers may tell it.
    const known = group.get(place) ?? 0;
    group.set(place, key === 'kv' ? Math.max(known, value) : known + value);
  }
  return [...engines.values()].map((models) => together(distinct([...models.values()])));
}

function distinct(groups: readonly Group[]): readonly Group[] {
  const seen = new Set<string>();
  return groups.filter((group) => {
    const all = JSON.stringify([...group].sort(([a], [b]) => (a < b ? -1 : 1)));
    if (seen.has(all)) return false;
    seen.add(all);
    return true;
  });
}

function together(groups: readonly Group[]): Group {
  const sums = new Map<string, number>();
  for (const group of groups) {
    for (const [key, value] of group) {
      const known = sums.get(key) ?? 0;
      sums.set(key, key === 'kv' ? Math.max(known, value) : known + value);
    }
  }
  return sums;
}

function draftsOf(groups: readonly Group[]): Drafts | null {
  const own = groups.filter((group) => group.has('drafts') && group.has('draftTokens'));
  if (own.length === 0) return null;
  const sum = (key: string) => own.reduce((total, group) => total + (group.get(key) ?? 0), 0);
  const positions = own.flatMap((group) =>
    [...group.keys()].flatMap((key) => {
      const [, position] = /^perPosition (\d{1,3})$/.exec(key) ?? [];
      return position === undefined ? [] : [Number(position)];
    }),
  );
  const count = Math.min(
    MOST_POSITIONS,
    positions.reduce((most, position) => Math.max(most, position + 1), 0),
  );
  return {
    drafts: sum('drafts'),
    draftTokens: sum('draftTokens'),
    accepted: sum('accepted'),
    perPosition: Array.from({ length: count }, (_, position) => sum(`perPosition ${position}`)),
  };
}

/** As prometheus-fastapi-instrumentator counts them, by `2xx`, `4xx`, `5xx`; the name is told before there is a first one. */
function answersOf(samples: readonly MetricSample[], text: string): Counters['answers'] {
  const counted = samples.filter(({ name }) => name === ANSWERS);
  if (counted.length === 0) {
    const names = namesIn(text);
    if (!names.has(ANSWERS) && !names.has('http_requests')) return null;
  }
  const of = (digit: string) =>
    counted
      .filter(({ labels, value }) => labels.status?.startsWith(digit) && isAsked(labels) && Number.isFinite(value))
      .reduce((total, { value }) => total + value, 0);
  return { ok: of('2'), client: of('4'), server: of('5') };
}

function isAsked({ handler = '' }: MetricSample['labels']): boolean {
  return handler !== '/v1/models' && ASKED.test(handler);
}
