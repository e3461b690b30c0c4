/** A vLLM server in memory, as its host shows it: what it answers can be changed, what it was asked is kept. */

import type { Listener, Pid } from '../../src/host/process.ts';
import { type HttpAnswer, type HttpRequest, NotListening } from '../../src/http.ts';
import type { Host } from '../../src/tools.ts';
import { fakeHost } from './fake-host.ts';

export const MODEL = 'Qwen/Qwen3-8B';
export const MAIN: Pid = { pid: 4242, start: 777 };

export const OURS: Listener = { kind: 'known', pid: MAIN.pid, command: 'vllm', run: null, user: null, since: 0 };
export const THEIRS: Listener = { ...OURS, pid: 99, command: 'python -m http.server', user: 'bob' };

type Answer = Partial<HttpAnswer> | Error;

export interface FakeServer {
  readonly host: Host;
  readonly asked: readonly HttpRequest[];
  /** The paths in the order in which they were asked. */
  paths(): readonly string[];
  /** By path: the answers one after the other, the last one for ever. */
  answer(path: string, ...answers: readonly Answer[]): void;
}

export interface Counted {
  readonly running?: number;
  readonly finished?: number;
  readonly drafts?: number;
  readonly accepted?: number;
}

/** The text of /metrics. */
export function metrics({ running = 0, finished = 0, drafts = 0, accepted = 0 }: Counted): string {
  const engine = '{engine="0",model_name="Qwen/Qwen3-8B"}';
  const position = '{engine="0",model_name="Qwen/Qwen3-8B",position="0"}';
  return [
    `vllm:num_requests_running${engine} ${running}`,
    `vllm:num_requests_waiting${engine} 0`,
    `vllm:prompt_tokens_total${engine} 10`,
    `vllm:generation_tokens_total${engine} 10`,
    `vllm:request_success_total{engine="0",finished_reason="length",model_name="Qwen/Qwen3-8B"} ${finished}`,
    `vllm:spec_decode_num_drafts_total${engine} ${drafts}`,
    `vllm:spec_decode_num_draft_tokens_total${engine} ${drafts}`,
    `vllm:spec_decode_num_accepted_tokens_total${engine} ${accepted}`,
    `vllm:spec_decode_num_accepted_tokens_per_pos_total${position} ${accepted}`,
    '',
  ].join('\n');
}

const USAGE = { usage: { completion_tokens: 16 } };
const STREAM = [
  { choices: [{ text: 'Paris', delta: { content: 'Paris' } }] },
  { choices: [], usage: { completion_tokens: 128 } },
];

/** A server that generates, chats and drafts, and that nobody else uses. */
export function fakeServer(does: Partial<Host> = {}): FakeServer {
  const asked: HttpRequest[] = [];
  const queues = new Map<string, Answer[]>();
  const usual: Record<string, (request: HttpRequest) => string> = {
    '/health': () => '',
    '/version': () => JSON.stringify({ version: '0.20.1' }),
    '/v1/models': () => JSON.stringify({ data: [{ id: MODEL }] }),
    '/v1/completions': (request) => generated(request, { choices: [{ text: 'Paris' }], ...USAGE }),
    '/v1/chat/completions': (request) => generated(request, { choices: [{ message: { content: 'Paris' } }], ...USAGE }),
    '/metrics': () => metrics({}),
  };
  const http = async (request: HttpRequest): Promise<HttpAnswer> => {
    asked.push(request);
    const queue = queues.get(request.path) ?? [];
    const next = queue.length > 1 ? queue.shift() : queue[0];
    if (next instanceof Error) throw next;
    const body = usual[request.path];
    const answer = { status: 200, by: 'forwarding', firstMs: 50, totalMs: 2000 } as const;
    return { ...answer, ...(body === undefined ? { status: 404, body: '' } : { body: body(request) }), ...next };
  };
  const host = fakeHost('kpro5', {
    http,
    listener: async () => OURS,
    tree: async () => [MAIN],
    gpus: async () => null,
    peek: async () => null,
    ...does,
  });
  return {
    host,
    asked,
    paths: () => asked.map(({ path }) => path),
    answer: (path, ...answers) => queues.set(path, [...answers]),
  };
}

function generated({ body }: HttpRequest, whole: unknown): string {
  if (body?.includes('"stream":true') !== true) return JSON.stringify(whole);
  return [...STREAM.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

export function gone(): NotListening {
  return new NotListening('Nothing listens there.');
}
