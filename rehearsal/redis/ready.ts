import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '../bound.ts';

export type Address = { readonly path: string } | { readonly host: string; readonly port: number };

/**
 * Waits until the Redis that this child runs answers PING.
 * @throws Error with the end of its output when it ends first or `limit` (ms) passes; it may still run then.
 */
export async function whenReady(start: { child: ChildProcess; address: Address; limit: number }): Promise<void> {
  const { child, address, limit } = start;
  const output = lastOutput(child);
  const deadline = Date.now() + limit;
  while (!(await answersPing(address))) {
    if (!isRunning(child)) throw new Error(`Redis ended while it started (exit ${child.exitCode}):\n${output()}`);
    if (Date.now() > deadline) throw new Error(`Redis did not answer within ${limit / 1000} s:\n${output()}`);
    await pause(5);
  }
}

/** Reads the child's output for as long as it runs (a full pipe would stop it) and remembers the end. */
function lastOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000);
    });
  }
  return () => output;
}

function answersPing(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 1000 });
    const answer = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket
      .on('error', () => answer(false))
      .on('timeout', () => answer(false))
      .on('close', () => answer(false));
    socket.on('data', (data) => answer(data.toString().startsWith('+PONG')));
    socket.on('connect', () => socket.write('PING\r\n'));
  });
}
