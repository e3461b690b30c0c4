/** The same of what a server's log says it was given (`non-default args`): for one whose command line nobody knows. */

import { asObject, parseJson } from '../check/json.ts';
import type { JsonObject, JsonValue } from '../log/events.ts';
import type { Serving } from './serving.ts';
import { isRequired, rootOf, speculationOf } from './serving-parts.ts';

/** Scheme and root path say how to ask, never where. */
export function servingAsked(asked: JsonObject): Serving {
  const text = (key: string) => textOf(asked[key]);
  const isOn = (key: string) => asked[key] === true;
  const { data_parallel_size: size, speculative_config: speculative } = asked;
  const count = asked.api_server_count ?? size;
  return {
    scheme: text('ssl_keyfile') === null && text('ssl_certfile') === null ? 'http' : 'https',
    wantsCertificate: isRequired(text('ssl_cert_reqs')),
    rootPath: rootOf(text('root_path')),
    names: namesOf(asked),
    isHeadless: isOn('headless'),
    apiServers: typeof count === 'number' && Number.isSafeInteger(count) ? Math.max(1, count) : 1,
    hasPortPerRank: isOn('data_parallel_multi_port_external_lb'),
    hasStats: !isOn('disable_log_stats'),
    // Before 0.9 it is JSON as it was written.
    ...speculationOf(asObject(typeof speculative === 'string' ? parseJson(speculative) : speculative)),
    isDummy: text('load_format')?.toLowerCase() === 'dummy',
  };
}

function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function namesOf(asked: JsonObject): readonly string[] {
  const named = asked.served_model_name;
  const names = Array.isArray(named) ? named : [named];
  const given = names.filter((name) => typeof name === 'string' && name !== '');
  if (given.length > 0) return given;
  const model = textOf(asked.model_tag) ?? textOf(asked.model);
  return model === null ? [] : [model];
}
