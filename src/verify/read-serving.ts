/** What a server's command says of how it is to be asked, and what of: as vllm's own parser takes it. */

import { nameOf } from '../check/model-ref.ts';
import { ownWords, readServer } from '../check/server.ts';
import { readSpeculative } from '../check/speculative.ts';
import type { ModelRef } from '../check/subject.ts';
import { flagName, lastFlag } from '../config/flags.ts';
import type { JsonObject } from '../log/events.ts';
import type { Serving } from './serving.ts';
import { servingAsked } from './serving-asked.ts';
import { isRequired, rootOf, speculationOf } from './serving-parts.ts';

/** Of a command line, also behind what wraps it (`env A=b vllm serve …`). What is no such command is a plain server of which nothing is known. */
export function readServing(argv: readonly string[], environment: Readonly<Record<string, string>>): Serving {
  const server = readServer(argv, environment);
  if (server === null) return UNKNOWN;
  const words = ownWords({ argv });
  const value = (flag: string) => lastFlag(words, flag)?.value ?? null;
  const speculative = readSpeculative(words);
  return {
    scheme: lastFlag(words, '--ssl-keyfile', '--ssl-certfile') === null ? 'http' : 'https',
    wantsCertificate: isRequired(value('--ssl-cert-reqs')),
    rootPath: rootOf(value('--root-path')),
    names: namesOf(words, server.model),
    isHeadless: isOn(words, '--headless'),
    apiServers: apiServersOf(words, server.environment),
    hasPortPerRank: hasPortPerRank(words),
    hasStats: !isOn(words, '--disable-log-stats'),
    ...speculationOf(speculative === 'broken' ? null : speculative),
    isDummy: value('--load-format')?.toLowerCase() === 'dummy',
  };
}

/** Of its command where that can be read, else of what its log says it was given (`Reading.asked`): never an address from there. */
export function servingOf({
  argv,
  environment,
  asked,
}: {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly asked: JsonObject | null;
}): Serving {
  if (readServer(argv, environment) !== null || asked === null) return readServing(argv, environment);
  return servingAsked(asked);
}

const UNKNOWN: Serving = {
  scheme: 'http',
  wantsCertificate: false,
  rootPath: '',
  names: [],
  isHeadless: false,
  apiServers: 1,
  hasPortPerRank: false,
  hasStats: true,
  drafts: null,
  isExtraction: false,
  isDummy: false,
};

/** Python's argparse takes all words up to the next flag; the last use of it counts. */
function namesOf(words: readonly string[], model: ModelRef | null): readonly string[] {
  const named = lastFlag(words, '--served-model-name');
  if (named === null) return model === null ? [] : [nameOf(model)];
  if (named.value === null) return [];
  if (words[named.index]?.startsWith('--')) return named.value === '' ? [] : [named.value];
  const rest = words.slice(named.index);
  const end = rest.findIndex((word) => /^--?[A-Za-z]/.test(word));
  return end === -1 ? rest : rest.slice(0, end);
}

/** A switch, which `--no-` before it turns off; the last one counts. */
function isOn(words: readonly string[], flag: string, short = flag): boolean {
  const names = [flag, short, flag.replace(/^--/, '--no-')];
  const last = words.map((word) => flagName(word.split('=', 1)[0] ?? '')).findLast((name) => names.includes(name));
  return last === flag || last === short;
}

/**
 * `--api-server-count`, else what vllm makes of it since 0.15 (entrypoints/cli/serve.py): the data parallel size, of a hybrid load balancer its local one, and
 * one where each rank has a server of its own. The Rust front end is always one.
 */
function apiServersOf(words: readonly string[], environment: Readonly<Record<string, string>>): number {
  const number = (...flags: readonly [string, ...string[]]) => {
    const text = lastFlag(words, ...flags)?.value ?? '';
    return /^\d{1,4}$/.test(text) ? Number(text) : null;
  };
  if (environment.VLLM_USE_RUST_FRONTEND === '1') return 1;
  const asked = number('--api-server-count', '-asc');
  if (asked !== null) return Math.max(1, asked);
  const isExternal =
    isOn(words, '--data-parallel-external-lb', '-dpe') ||
    hasPortPerRank(words) ||
    number('--data-parallel-rank', '-dpn') !== null;
  if (isExternal) return 1;
  const isHybrid =
    isOn(words, '--data-parallel-hybrid-lb', '-dph') || number('--data-parallel-start-rank', '-dpr') !== null;
  return Math.max(
    1,
    (isHybrid ? number('--data-parallel-size-local', '-dpl') : number('--data-parallel-size', '-dp')) ?? 1,
  );
}

/** A supervisor starts a server a rank, at `--port` and the ports behind it (entrypoints/openai/dp_supervisor.py). */
function hasPortPerRank(words: readonly string[]): boolean {
  return isOn(words, '--data-parallel-multi-port-external-lb', '-dpm');
}
