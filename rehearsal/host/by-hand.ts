import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
