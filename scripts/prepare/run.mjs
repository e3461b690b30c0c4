// @ts-check
import { constants } from 'node:os';
import { PreparationFailed } from './failed.mjs';

/**
 * Runs a program to its end and gives its exit code (127: it can't be run) and its output, both streams together.
 * A signal that would end us meanwhile is passed on and waited for, so that the caller's `finally` runs; then it ends us.
 * @param {string[]} words
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, timeout?: number }} options timeout in ms
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run(words, { env, cwd, timeout }) {
  const { spawn } = await import('node:child_process'); // late: a set-up that finds all there runs nothing
  const [program = '', ...args] = words;
  const child = spawn(program, args, { env, cwd, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));

  /** @type {NodeJS.Signals | null} */
  let interruptedBy = null;
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    interruptedBy = signal;
    child.kill(signal);
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, passOn);
  try {
    const code = await new Promise((resolve) => {
      child.once('error', () => resolve(127));
      child.once('close', (exit) => resolve(exit ?? 1));
    });
    if (interruptedBy) throw new PreparationFailed(`ended by ${interruptedBy}`, 128 + constants.signals[interruptedBy]);
    return { code, output };
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}

/** The end of a program's output, enough to see what went wrong. @param {string} output */
export function lastLines(output) {
  return output.trim().split('\n').slice(-25).join('\n');
}
