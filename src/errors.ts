/** The few errors that a person may be shown. Each says what was found, what was expected and what to do next. */

import { createMask } from './log/mask.ts';

/** What a host says may hold secrets of others. */
const mask = createMask([]);

/** A request that can't be understood or isn't possible: answered privately, never retried. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A mistake in vigil.yaml or in the environment: one entry a mistake, each with file, line and key. Met at the start of a process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/** The host could not be reached or the connection broke: worth another try. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';
  readonly host: string;

  constructor(host: string, message: string, options?: ErrorOptions) {
    super(mask(message), options);
    this.host = host;
  }
}

/** The host answered and said no (key refused, host key changed or unknown, no usable shell): another try can't help before a person acts. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused';
  readonly host: string;

  constructor(host: string, message: string, options?: ErrorOptions) {
    super(mask(message), options);
    this.host = host;
  }
}

/** A script on a host ended otherwise than its contract says. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly host: string;
  /** The script's name, never its text or input. */
  readonly script: string;
  /** null where the connection died or a signal ended it. */
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(options: { host: string; script: string; exitCode: number | null; stderr: string; cause?: unknown }) {
    const tail = options.stderr.trim().split('\n').at(-1) ?? '';
    super(
      `${options.script} on ${options.host} ended with ${options.exitCode ?? 'no exit code'}: ${mask(tail) || 'no message'}`,
      {
        cause: options.cause,
      },
    );
    this.host = options.host;
    this.script = options.script;
    this.exitCode = options.exitCode;
    this.stderr = options.stderr;
  }
}

/** True where the host, or the way to it, failed: its answer is no fault of Vigil's own. */
export function isHostError(error: unknown): error is HostUnreachable | HostRefused | CommandFailed {
  return error instanceof HostUnreachable || error instanceof HostRefused || error instanceof CommandFailed;
}
