/**
 * vigil.example.yaml as it stands, pointed at the rehearsal host: only addresses, paths and ports that can't be here change, what the
 * scenario wants otherwise, and everybody may force.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Document, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { findFreePort, isFree } from '../free-port.ts';
import type { RehearsalHost } from '../host/server.ts';
import { hasteOf } from '../host/stand-in/generation.mjs';

/** The shortest that vigil.yaml allows (s). */
const PATROL_SECONDS = 5;
/** The shortest silence that asks for evidence here (s): a busy machine may take seconds between two lines. */
const LEAST_BUDGET = 6;

/** What a scenario's file says of the recipes; the rest of it is for the host. */
interface Wanted {
  /** Instead of the target's folder. */
  readonly model?: string;
  /** More words of the command, in front of it and behind it. */
  readonly before?: readonly string[];
  readonly flags?: readonly string[];
  /** The GPUs that it occupies, by name. */
  readonly devices?: readonly string[];
  /** Seconds of silence by phase, on a host that nobody speeds up. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** What a verification demands, of a host that nobody speeds up. */
  readonly floor?: { readonly acceptance_length?: number; readonly tokens_per_second?: number };
  /** Its ranks answer NCCL's RAS. */
  readonly hasRas?: boolean;
}

/** Writes the configuration to `path`. `folder` is where the host's logs and run folders go; `channel` is the host's. */
export async function writeConfig(options: {
  path: string;
  instance: string;
  host: RehearsalHost;
  scenario: string;
  speed: number;
  folder: string;
  channel: string;
  /** Give each recipe a port of its own even where the example's is free: several stages at once would take the same. */
  anyPort: boolean;
  /** What a test wants otherwise. */
  adjust: (document: Document) => void;
}): Promise<void> {
  const { path, instance, host, scenario, speed, folder, channel, anyPort, adjust } = options;
  const wanted: Wanted = await import(`../host/scenarios/${scenario}.mjs`);
  const document = parseDocument(
    await readFile(fileURLToPath(new URL('../../vigil.example.yaml', import.meta.url)), 'utf8'),
  );
  document.set('instance', instance);
  for (const name of namesIn(document, 'hosts')) {
    const change = {
      address: host.address,
      user: host.user,
      port: String(host.port),
      key: host.keyPath,
      known_hosts: host.knownHostsPath,
      state_dir: `${folder}/runs`,
      channel,
    };
    for (const [key, value] of Object.entries(change)) document.setIn(['hosts', name, key], value);
    document.setIn(['hosts', name, 'rights', 'force'], 'anyone');
    if (!document.hasIn(['hosts', name, 'patrol'])) continue;
    for (const [key, value] of Object.entries({ every: PATROL_SECONDS, channel })) {
      document.setIn(['hosts', name, 'patrol', key], value);
    }
  }
  if (wanted.model !== undefined) replaceScalar(document, TARGET, wanted.model);
  moveHome(document, folder);
  for (const name of namesIn(document, 'recipes')) {
    if (document.getIn(['recipes', name, 'kind']) === 'train') await chooseTargetPort(document, name, anyPort);
    else {
      document.setIn(['recipes', name, 'log'], `${folder}/${name}.log`);
      await choosePort(document, name, anyPort);
      addWords(document, name, wanted);
      setFloor(document, name, { floor: wanted.floor ?? {}, speed });
      if (wanted.devices !== undefined) document.setIn(['recipes', name, 'gpus'], wanted.devices);
    }
    await adaptRecipe(document, name, { wanted, speed });
  }
  adjust(document);
  await writeFile(path, document.toString(), { mode: 0o600 });
}

function namesIn(document: Document, key: string): string[] {
  const map = document.get(key);
  return isMap(map) ? map.items.map((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key)) : [];
}

/** root's home and the folder where people train are the rehearsal host's home. */
function moveHome(document: Document, folder: string): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') node.value = node.value.replace(/^\/(root|workspace)\//, `${folder}/`);
    },
  });
}

/** The example's target model. */
const TARGET = '/root/models/Qwen3.6-27B';

function replaceScalar(document: Document, from: string, to: string): void {
  visit(document, {
    Scalar(_key, node) {
      if (node.value === from) node.value = to;
    },
  });
}

function addWords(document: Document, recipe: string, { before = [], flags = [] }: Wanted): void {
  const argv = document.getIn(['recipes', recipe, 'argv']);
  if (!isSeq(argv)) return;
  for (const word of [...before].reverse()) argv.items.unshift(document.createNode(word));
  for (const word of flags) argv.add(document.createNode(word));
}

function setFloor(
  document: Document,
  recipe: string,
  { floor, speed }: { floor: Wanted['floor'] & {}; speed: number },
) {
  const { acceptance_length: length, tokens_per_second: pace } = floor;
  if (length !== undefined) document.setIn(['recipes', recipe, 'floor', 'acceptance_length'], String(length));
  if (pace !== undefined)
    document.setIn(['recipes', recipe, 'floor', 'tokens_per_second'], String(pace * hasteOf(speed)));
}

/** Budgets shrink as the host's time does. A RAS of its own: NCCL's usual port is one for this whole machine. */
async function adaptRecipe(
  document: Document,
  recipe: string,
  { wanted, speed }: { wanted: Wanted; speed: number },
): Promise<void> {
  for (const [phase, seconds] of Object.entries(wanted.budgets ?? {})) {
    const scaled = Math.max(LEAST_BUDGET, Math.ceil(seconds / speed));
    document.setIn(['recipes', recipe, 'budgets', phase], String(scaled));
  }
  if (wanted.hasRas !== true) return;
  document.setIn(['recipes', recipe, 'environment', 'NCCL_RAS_ADDR'], `127.0.0.1:${await findFreePort()}`);
}

/** The script takes its target's port from its environment. */
async function chooseTargetPort(document: Document, recipe: string, anyPort: boolean): Promise<void> {
  const asked = Number(document.getIn(['recipes', recipe, 'target', 'port']));
  if (!anyPort && (await isFree(asked))) return;
  const port = String(await findFreePort());
  document.setIn(['recipes', recipe, 'target', 'port'], port);
  document.setIn(['recipes', recipe, 'environment', 'PORT'], port);
}

/** The example's port where it is free on this machine, else another: two demos can run at once. */
async function choosePort(document: Document, recipe: string, anyPort: boolean): Promise<void> {
  const argv = document.getIn(['recipes', recipe, 'argv']);
  if (!isSeq(argv)) return;
  const at = argv.items.findIndex((item) => isScalar(item) && item.value === '--port');
  const asked = Number(document.getIn(['recipes', recipe, 'argv', at + 1]));
  if (at === -1 || (!anyPort && (await isFree(asked)))) return;
  document.setIn(['recipes', recipe, 'argv', at + 1], String(await findFreePort()));
}
