import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Layout, trainer } from './folder.ts';
import { loginEnvironment } from './session.ts';

/**
 * Somebody on the host trains: in a shell with job control, so that the pipeline is a process group of its own. Resolves
 * when it has ended. `port` is the target server's.
 */
export async function trainByHand(options: { layout: Layout; user: string; port: number }): Promise<void> {
  const { layout, user, port } = options;
  const shell = spawn('bash', ['-c', 'set -m; bash train.sh 2>&1 | tee logs/run.log'], {
    cwd: join(layout.home, trainer),
    detached: true,
    env: { ...loginEnvironment({ layout, user }), PORT: String(port) },
    stdio: 'ignore',
  });
  await once(shell, 'exit');
}

/**
 * Somebody on the host serves: `vllm serve` with its output in ~/logs/NAME, started in a shell and left in the background. Resolves with its
 * pid once it runs.
 */
export async function serveByHand(options: {
  layout: Layout;
  user: string;
  port: number;
  name: string;
}): Promise<number> {
  const { layout, user, port, name } = options;
  await mkdir(join(layout.home, 'logs'), { recursive: true });
  const server = spawn('sh', ['-c', 'exec vllm serve Qwen/Qwen3-8B --port "$PORT" >>"$LOG" 2>&1'], {
    cwd: layout.home,
    detached: true,
    env: { ...loginEnvironment({ layout, user }), PORT: String(port), LOG: join(layout.home, 'logs', name) },
    stdio: 'ignore',
  });
  await once(server, 'spawn');
  if (server.pid === undefined) throw new Error('the server has no pid');
  return server.pid;
}
