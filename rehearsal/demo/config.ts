/** vigil.example.yaml as it stands, pointed at the rehearsal host: only addresses, paths and ports that can't be here change. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { findFreePort, isFree } from '../free-port.ts';
import type { RehearsalHost } from '../host/server.ts';

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
  }
  for (const name of namesIn(document, 'recipes')) {
    document.setIn(['recipes', name, 'log'], `${folder}/${name}.log`);
    await choosePort(document, name, anyPort);
  }
  adjust(document);
  await writeFile(path, document.toString(), { mode: 0o600 });
}

function namesIn(document: Document, key: string): string[] {
  const map = document.get(key);
  return isMap(map) ? map.items.map((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key)) : [];
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
