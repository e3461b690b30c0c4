/** The HTTP side of the stand-in for vLLM in the test's own process: no start, no engine processes. */
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../../../../rehearsal/free-port.ts';
import { parseCommand } from '../../../../rehearsal/host/stand-in/arguments.mjs';
import { createGeneration } from '../../../../rehearsal/host/stand-in/generation.mjs';
import { createHttp } from '../../../../rehearsal/host/stand-in/http.mjs';
import { createMetrics } from '../../../../rehearsal/host/stand-in/metrics.mjs';
import { createPace } from '../../../../rehearsal/host/stand-in/pace.mjs';
import { createRoutes } from '../../../../rehearsal/host/stand-in/routes.mjs';
import { usualServing } from '../../../../rehearsal/host/stand-in/serving.mjs';

export interface Told {
  readonly status: number;
  readonly body: string;
  /** The pieces as they came (ms after the request). */
  readonly pieces: readonly { readonly text: string; readonly at: number }[];
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export const SPECULATIVE = ['--speculative-config', '{"method":"dflash","model":"/none","num_speculative_tokens":15}'];

/** A server of `vllm serve target FLAGS`, as long as the test lasts, on a host that is sped up a hundredfold. */
export async function serveHere({ flags = [], serving = {} }: { flags?: readonly string[]; serving?: object } = {}) {
  const port = await findFreePort();
  const { args } = parseCommand(['serve', 'target', '--port', String(port), ...flags]);
  if (args === undefined) throw new Error('no server was asked for');
  const own = { ...usualServing, ...serving };
  const metrics = createMetrics(args, own);
  const generation = createGeneration({ serving: own, pace: createPace(100), metrics });
  const lines: string[] = [];
  const route = createRoutes({
    ...{ args, version: '0.25.1', serving: own, generation, metrics },
    tasks: own.tasks ?? args.tasks,
  });
  const speaker = { uvicorn: (line: string) => lines.push(line) };
  const http = createHttp({ args, route, speaker, onAnswer: metrics.noteAnswer });
  await http.listen('127.0.0.1');
  onTestFinished(() => http.close());

  const where = args.uds === null ? { host: '127.0.0.1', port } : { socketPath: args.uds };
  function ask(path: string, { method, headers = {}, body }: Asked = {}): Promise<Told> {
    const kind = body === undefined ? {} : { 'content-type': 'application/json' };
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const send = args?.tls === null ? request : requestTls;
      const sent = send(
        {
          ...where,
          ...{ path, method: method ?? (body === undefined ? 'GET' : 'POST'), agent: false, rejectUnauthorized: false },
          headers: { ...kind, ...headers },
        },
        (answer) => {
          const pieces: { text: string; at: number }[] = [];
          answer.on('data', (bytes) => pieces.push({ text: String(bytes), at: performance.now() - began }));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, body: pieces.map(({ text }) => text).join(''), pieces }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }
  /** The value of a series by its name and the labels that are given, summed over the others. */
  async function value(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    const found = (await ask('/metrics')).body
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => Object.entries(labels).every(([key, wanted]) => line.includes(`${key}="${wanted}"`)));
    if (found.length === 0) throw new Error(`/metrics has no ${name} with ${JSON.stringify(labels)}`);
    return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
  return { ask, value, lines, generation, metrics };
}
