/** vigil.example.yaml as it stands, pointed at the rehearsal host: only addresses, paths and ports that can't be here change. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Document, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { findFreePort, isFree } from '../free-port.ts';
import type { RehearsalHost } from '../host/server.ts';

/** The shortest that vigil.yaml allows (s). */
const PATROL_SECONDS = 5;

/** Writes the configuration to `path`. `folder` is where the host's logs and run folders go; `channel` is the host's. */
export async function writeConfig(options: {
  path: string;
  instance: string;
  host: RehearsalHost;
  folder: string;
  channel: string;
  /** Give each recipe a port of its own even where the example's is free: several stages at once would take the same. */
  anyPort: boolean;
  /** What a test wants otherwise. */
  adjust: (document: Document) => void;
}): Promise<void> {
  const { path, instance, host, folder, channel, anyPort, adjust } = options;
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
    if (!document.hasIn(['hosts', name, 'patrol'])) continue;
    for (const [key, value] of Object.entries({ every: PATROL_SECONDS, channel })) {
      document.setIn(['hosts', name, 'patrol', key], value);
    }
  }
  moveWorkspace(document, folder);
  for (const name of namesIn(document, 'recipes')) {
    if (document.getIn(['recipes', name, 'kind']) === 'train') await chooseTargetPort(document, name, anyPort);
    else {
      document.setIn(['recipes', name, 'log'], `${folder}/${name}.log`);
      await choosePort(document, name, anyPort);
    }
  }
  adjust(document);
  await writeFile(path, document.toString(), { mode: 0o600 });
}

function namesIn(document: Document, key: string): string[] {
  const map = document.get(key);
  return isMap(map) ? map.items.map((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key)) : [];
}

/** Where people train on the example's host is a folder of the rehearsal host's home. */
function moveWorkspace(document: Document, folder: string): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') node.value = node.value.replace(/^\/workspace\//, `${folder}/`);
    },
  });
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
