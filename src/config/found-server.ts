/** What the command line of a server that somebody started by hand says of it: the rules are a recipe's. */

import type { ServerAddress } from '../address.ts';
import { baseName } from './base-name.ts';
import { lastFlag } from './flags.ts';
import { Mistakes } from './mistakes.ts';
import { readAddress, readStopGrace } from './server.ts';

export interface ServerCommand {
  /** null where it isn't said in a way that can be relied on. */
  readonly address: ServerAddress | null;
  /** Seconds that a stop waits for its own end. */
  readonly stopGrace: number;
}

/** Modules that serve when Python runs them, with their default port. */
const MODULES: Readonly<Record<string, number>> = {
  'vllm.entrypoints.openai.api_server': 8000,
  'vllm.entrypoints.api_server': 8000,
  'sglang.launch_server': 30_000,
};

/** null for a command line that is no server's. */
export function readServerCommand(argv: readonly string[]): ServerCommand | null {
  const port = defaultPort(argv);
  if (port === null) return null;
  const mistakes = new Mistakes('', null);
  const reading = { argv, path: [], mistakes };
  const stopGrace = readStopGrace(undefined, reading);
  const isSaid = lastFlag(argv, '--port') !== null || lastFlag(argv, '--uds') !== null;
  // A file of options may say another port than the default.
  if (!isSaid && lastFlag(argv, '--config') !== null) return { address: null, stopGrace };
  const address = readAddress(isSaid ? undefined : port, reading);
  return { address: mistakes.lines.length === 0 ? address : null, stopGrace };
}

/** `vllm serve`, as itself or as Python's script, or a module that serves; what wraps it (`uv run`, a shell) is another process. */
function defaultPort(argv: readonly string[]): number | null {
  const at = argv.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const module = argv[argv.indexOf('-m') + 1] ?? '';
  if (argv.includes('-m') && Object.hasOwn(MODULES, module)) return MODULES[module] ?? null;
  const isScript = at > 0 && baseName(argv[at] ?? '') === 'vllm' && argv[at + 1] === 'serve';
  return isScript || (baseName(argv[0] ?? '') === 'vllm' && argv[1] === 'serve') ? DEFAULT_PORT : null;
}

const DEFAULT_PORT = 8000;
