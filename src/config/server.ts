/** Where the server of a recipe listens, and how long it may take to stop: from argv and the recipe's own keys. */

import { loopbackFor, type ServerAddress } from '../address.ts';
import { lastFlag } from './flags.ts';
import { type Mistakes, type Path, showText } from './mistakes.ts';

/** vllm's own default (entrypoints/openai/cli_args.py). */
const DEFAULT_PORT = 8000;
/** A drain is followed by SIGTERM to the children and at least 5 s until their SIGKILL; the rest is room for a busy host. */
const GRACE_AFTER_DRAIN = 15;
const DEFAULT_GRACE = 60;

interface Reading {
  readonly argv: readonly string[];
  /** The recipe's path. */
  readonly path: Path;
  readonly mistakes: Mistakes;
}

/** `--uds`, else `--host` and `--port`; a server bound to all interfaces is asked on loopback. `port` is the recipe's own key. */
export function readAddress(port: number | undefined, { argv, path, mistakes }: Reading): ServerAddress {
  const uds = lastFlag(argv, '--uds');
  if (uds?.value != null) {
    if (!/^\/[^\0]+$/.test(uds.value)) {
      const expected = 'expected an absolute path behind --uds; write it from / on';
      mistakes.add([...path, 'argv', uds.index], `found ${showText(uds.value)}, ${expected}`);
    }
    if (port !== undefined) {
      const expected = 'expected no port beside --uds (the server listens on a socket file); remove port';
      mistakes.add([...path, 'port'], `found ${port}, ${expected}`);
    }
    return { kind: 'unix', path: uds.value };
  }
  const flag = lastFlag(argv, '--port');
  const asked = flag === null ? null : wholeNumber(flag.value, 65_535);
  if (flag !== null && !asked) {
    const expected = 'expected a port from 1 to 65535 behind --port; write the port that clients use';
    mistakes.add([...path, 'argv', flag.index], `found ${showText(flag.value ?? '')}, ${expected}`);
  }
  if (port !== undefined && asked && asked !== port) {
    mistakes.add(
      [...path, 'port'],
      `found ${port}, expected ${asked} as argv's --port says; make them equal, or remove port`,
    );
  }
  const host = lastFlag(argv, '--host')?.value || '0.0.0.0';
  return { kind: 'tcp', host: loopbackFor(host), port: port ?? (asked || DEFAULT_PORT) };
}

/** Seconds. Default: 60 or the minimum, whichever is more; minimum: argv's --shutdown-timeout + 15. */
export function readStopGrace(asked: number | undefined, { argv, path, mistakes }: Reading): number {
  const flag = lastFlag(argv, '--shutdown-timeout');
  const drain = wholeNumber(flag?.value ?? '0', 86_400);
  if (flag !== null && drain === null) {
    const expected = 'expected whole seconds behind --shutdown-timeout; write --shutdown-timeout and a number';
    mistakes.add([...path, 'argv', flag.index], `found ${showText(flag.value ?? '')}, ${expected}`);
  }
  const least = (drain ?? 0) + GRACE_AFTER_DRAIN;
  if (asked !== undefined && asked < least) {
    const why = `argv's --shutdown-timeout (${drain ?? 0}) + ${GRACE_AFTER_DRAIN}`;
    mistakes.add(
      [...path, 'stop_grace'],
      `found ${asked}, expected at least ${least} seconds: ${why}; write ${least} or more, or leave the key out`,
    );
  }
  return asked ?? Math.max(DEFAULT_GRACE, least);
}

/** Python's int() takes leading zeros: 08000 is 8000. */
function wholeNumber(text: string | null, max: number): number | null {
  if (text === null || !/^\d{1,9}$/.test(text)) return null;
  const number = Number(text);
  return number <= max ? number : null;
}
