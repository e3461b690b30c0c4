import { expect, test } from 'vitest';
import { readServerCommand } from '../../src/config/found-server.ts';

const words = (line: string) => line.split(' ');
const tcp = (host: string, port: number) => ({ kind: 'tcp', host, port });

test.each([
  ['vllm serve Qwen/Qwen3-8B', tcp('127.0.0.1', 8000)],
  ['/opt/venv/bin/python3 /opt/venv/bin/vllm serve m --port 8100', tcp('127.0.0.1', 8100)],
  ['python -u /usr/local/bin/vllm serve m --host ::1 --port=9000', tcp('::1', 9000)],
  ['python3 -m vllm.entrypoints.openai.api_server --model m --host 192.0.2.7', tcp('192.0.2.7', 8000)],
  ['python3 -m sglang.launch_server --model-path m', tcp('127.0.0.1', 30_000)],
  ['python3 -m sglang.launch_server --model-path m --port 31000', tcp('127.0.0.1', 31_000)],
  ['vllm serve m --uds /tmp/v.sock', { kind: 'unix', path: '/tmp/v.sock' }],
  ['vllm serve m --port 8000 --port 8001', tcp('127.0.0.1', 8001)],
  ['vllm serve m --config c.yaml --port 8001', tcp('127.0.0.1', 8001)],
])('%s says where it serves', (line, address) => {
  expect(readServerCommand(words(line))).toEqual({ address, stopGrace: 60 });
});

test.each(['vllm serve m --config c.yaml', 'vllm serve m --port eight', 'vllm serve m --uds v.sock'])(
  '%s is a server whose address is not said in a way that can be relied on',
  (line) => {
    expect(readServerCommand(words(line))?.address).toBeNull();
  },
);

test.each([
  'vllm bench serve',
  'vllm',
  'bash start.sh',
  'uv run vllm serve m',
  'docker run -p 8000:8000 vllm/vllm-openai --model m',
  'python -m torch.distributed.run train.py',
  'python train.py vllm serve',
  'VLLM::EngineCore',
  '',
])('%j is no server of its own', (line) => {
  expect(readServerCommand(line === '' ? [] : words(line))).toBeNull();
});

test('a stop waits as long as the server itself drains', () => {
  expect(readServerCommand(words('vllm serve m --shutdown-timeout 300'))?.stopGrace).toBe(315);
});
