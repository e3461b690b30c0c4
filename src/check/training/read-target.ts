/** The target server of a training, as its script starts it: `vllm serve` itself, or speculators' launch_vllm.py in front of it. */

import { lastFlag } from '../../config/flags.ts';
import { numbersAt, parseJson, textAt } from '../json.ts';
import { below } from '../model-ref.ts';
import { openVariables } from '../prelude.ts';
import { readServer } from '../server.ts';
import type { Extraction, Server } from '../subject.ts';
import type { Settled } from './settle.ts';
import { numbersBehind } from './words-behind.ts';

/** null for what starts none. */
export function readTarget({ argv, environment, unread }: Settled, { folder, isOpen }: Place): Server | null {
  const launched = readLauncher(argv);
  const server = readServer(launched?.argv ?? argv, environment);
  if (server === null) return null;
  const extraction = launched?.extraction ?? readExtraction(server);
  const names = [...unread.map(({ name }) => name), ...(isOpen ? openVariables(server.environment) : [])];
  return {
    ...server,
    model: server.model === null ? null : below(server.model, folder),
    drafter: server.drafter === null ? null : below(server.drafter, folder),
    ...(extraction === null ? {} : { extraction }),
    ...(names.length === 0 ? {} : { unread: names }),
  };
}

interface Place {
  /** As in model-ref.ts. */
  readonly folder: string | null;
  /** A file that isn't read may have set any variable. */
  readonly isOpen: boolean;
}

interface Launcher {
  readonly argv: readonly string[];
  readonly extraction: Extraction;
}

/** scripts/launch_vllm.py: MODEL and its own flags, then vllm's behind `--`. Its default folder is /tmp/hidden_states. */
function readLauncher(argv: readonly string[]): Launcher | null {
  const at = argv.findIndex((word) => /(?:^|\/)launch_vllm\.py$/.test(word));
  if (at === -1) return null;
  const dashes = argv.indexOf('--', at);
  const own = argv.slice(at + 1, dashes === -1 ? argv.length : dashes);
  const passed = dashes === -1 ? [] : argv.slice(dashes + 1);
  const layerIds = numbersBehind(own, '--target-layer-ids');
  const extraction = {
    layerIds,
    addsLast: !own.includes('--no-include-last-layer'),
    folder: lastFlag(own, '--hidden-states-path')?.value ?? '/tmp/hidden_states',
  };
  const config = { method: 'extract_hidden_states', num_speculative_tokens: 1 };
  const model = modelOf(own);
  const words = ['vllm', 'serve', ...(model === null ? [] : [model]), '--speculative-config', JSON.stringify(config)];
  return { argv: [...words, ...passed], extraction };
}

/** The word that no flag takes: first as a rule. */
function modelOf(own: readonly string[]): string | null {
  const [first] = own;
  if (first !== undefined && !first.startsWith('-')) return first;
  const loose = own.findLast((word, index) => {
    const before = own[index - 1] ?? '';
    return !word.startsWith('-') && !/^\d+$/.test(word) && !/^--(?:hidden-states-(?:path|backend))$/.test(before);
  });
  return loose ?? null;
}

/** A `vllm serve` of its own: what its JSON says. null for a server that gives out no hidden states. */
function readExtraction({ argv, speculative }: Server): Extraction | null {
  if (speculative === null || speculative === 'broken' || speculative.method !== 'extract_hidden_states') return null;
  const transfer = parseJson(lastFlag(argv, '--kv-transfer-config')?.value ?? '');
  return {
    layerIds: numbersAt(speculative, 'draft_model_config', 'hf_config', 'eagle_aux_hidden_state_layer_ids'),
    addsLast: false,
    folder: textAt(transfer, 'kv_connector_extra_config', 'shared_storage_path'),
  };
}
