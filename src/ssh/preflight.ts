/** All that a preflight asks of a host, in one exec: what doesn't answer in time is told as silent, and leaves the others alone. */

import type { LaunchSpec, Outlook } from '../host/launch.ts';
import type { PreflightFacts, PreflightQuestion, Told } from '../host/preflight.ts';
import type { Listener } from '../host/process.ts';
import { BundleReader, type Part, renderBundle } from '../shell/bundle.ts';
import { parseFind, renderFind } from '../shell/find-program.ts';
import { parseListener, renderListener } from '../shell/listener.ts';
import { parseFiles, renderFiles } from '../shell/preflight/files.ts';
import { parseHub, renderHub } from '../shell/preflight/hub.ts';
import { LEFTOVERS, parseLeftovers } from '../shell/preflight/leftovers.ts';
import { parseModels, renderModels } from '../shell/preflight/models.ts';
import { parsePackages, renderPackages } from '../shell/preflight/packages.ts';
import { parseRoom, renderRoom } from '../shell/preflight/room.ts';
import { parseSaves, renderSaves } from '../shell/preflight/saves.ts';
import { findObstacle } from '../shell/refusal.ts';
import type { Script } from '../shell/script.ts';
import { linkTo } from './deadline.ts';
import { failure, stream } from './exec.ts';
import { type Asked, DRIVER_PART, GPUS_PART, MODELS_LIMIT, part, toldBy } from './preflight-part.ts';
import type { Sessions } from './sessions.ts';

/** ms from the host's first word to the last that is waited for. */
const LIMIT = 15_000;
/** ms until that first word. */
const BEGIN_LIMIT = 60_000;
/** All parts together, packed. */
const OUTPUT_LIMIT = 32 * 1024 * 1024;

/** Throws HostUnreachable or HostRefused, and CommandFailed where the host began no answer at all. */
export async function preflight(
  { sessions, signal }: { readonly sessions: Sessions; readonly signal: AbortSignal },
  question: PreflightQuestion,
): Promise<PreflightFacts> {
  const { launch, address, files, models, hub, saves, room } = question;
  const { directory, environment } = launch;
  const parts: Part[] = [];
  const ask = <Value>(asked: Asked<Value>): Answer<Value> => {
    const index = parts.push(asked) - 1;
    return (reader) => toldBy(reader, index, asked);
  };
  const askPaths = <Value>(paths: readonly unknown[], asked: Asked<ReadonlyMap<string, Value>>) =>
    paths.length === 0 ? known<ReadonlyMap<string, Value>>(new Map()) : ask(asked);
  const outlook = ask(
    part(renderFind(launch), 'the look at program, log and folders', (text) => readOutlook(text, launch)),
  );
  const listener =
    address === null
      ? known<Listener | null>(null)
      : ask(
          part(renderListener(address), 'the look at the port', (text): Listener | null =>
            parseListener(text, address),
          ),
        );
  const gpus = ask(GPUS_PART);
  const driver = ask(DRIVER_PART);
  const packages = ask(part(renderPackages(question), 'the look at the Python packages', parsePackages));
  const fileLooks = askPaths(
    files,
    part(renderFiles(files, directory), lookAt(files), (text) => parseFiles(text, files)),
  );
  const modelLooks = askPaths(models, {
    ...part(renderModels(models, directory), lookAt(models), (text) => parseModels(text, models)),
    limit: MODELS_LIMIT,
  });
  const hubLooks = askPaths(hub, {
    ...part(renderHub(hub, environment), "the look at the hub's cache", (text) => parseHub(text, hub)),
    limit: MODELS_LIMIT,
  });
  const saveLooks = askPaths(
    saves,
    part(renderSaves(saves, directory), lookAt(saves), (text) => parseSaves(text, saves)),
  );
  const rooms = askPaths(
    room,
    part(renderRoom(room, directory), lookAt(room), (text) => parseRoom(text, room)),
  );
  const leftovers = ask(part(LEFTOVERS, 'the look at the processes', parseLeftovers));

  const reader = new BundleReader(parts.length);
  const script = renderBundle(parts);
  await collect({ sessions, script, reader, signal });
  if (reader.now === null) throw failure(sessions, script, `no answer within ${BEGIN_LIMIT / 1000} s`);
  return {
    now: reader.now,
    outlook: outlook(reader),
    listener: listener(reader),
    gpus: gpus(reader),
    driver: driver(reader),
    packages: packages(reader),
    files: fileLooks(reader),
    models: modelLooks(reader),
    hub: hubLooks(reader),
    saves: saveLooks(reader),
    room: rooms(reader),
    leftovers: leftovers(reader),
  };
}

type Answer<Value> = (reader: BundleReader) => Told<Value>;

function known<Value>(value: Value): Answer<Value> {
  return () => ({ kind: 'told', value });
}

/** What can be told without the host stands in the way as well. */
function readOutlook(output: string, launch: LaunchSpec): Outlook | null {
  const outlook = parseFind(output);
  const reason = findObstacle(launch);
  return outlook === null || reason === null ? outlook : { ...outlook, obstacles: [reason, ...outlook.obstacles] };
}

function lookAt(paths: readonly string[]): string {
  const [first = '', ...more] = paths;
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  return `the look at \`${first}\`${rest}`;
}

interface Collecting {
  readonly sessions: Sessions;
  readonly script: Script;
  readonly reader: BundleReader;
  readonly signal: AbortSignal;
}

/** Returns when all is told, or the limit has passed. */
async function collect({ sessions, script, reader, signal }: Collecting): Promise<void> {
  const limited = linkTo(signal);
  let timer = setTimeout(() => limited.abort(), BEGIN_LIMIT);
  let size = 0;
  try {
    for await (const bytes of stream({ sessions, script, signal: limited.signal })) {
      if (size === 0) {
        clearTimeout(timer);
        timer = setTimeout(() => limited.abort(), LIMIT);
      }
      size += bytes.length;
      if (size > OUTPUT_LIMIT) throw failure(sessions, script, `more than ${OUTPUT_LIMIT} bytes of output`);
      reader.push(bytes);
      if (reader.isWhole) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!limited.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    limited.unlink();
  }
}
