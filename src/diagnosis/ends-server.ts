/** Which troubles a server that was ready does not live through. */

import type { Recognised } from './catalog.ts';

/** Of engines and workers alone. In versions that print no process their frames tell whose an exception is. */
const ENGINE_FRAMES =
  /, in (?:run_engine_core|run_busy_loop|_?process_engine_step|worker_busy_loop|run_engine_loop|engine_step|run_scheduler_process|event_loop_\w{1,20}|execute_model)\b/;

/** Of a server that works, clients' bad requests are tracebacks of the API server: those of workers and engines are not, nor what only a dying one says. */
export function endsServer({ trouble, row, role }: Recognised): boolean {
  if (isDeath({ row, role })) return true;
  const { process, type, traceback } = trouble;
  if (process !== null) return !/^api_?server/i.test(process);
  return type === null || traceback?.text.some((line) => ENGINE_FRAMES.test(line)) === true;
}

/** Said of nothing that goes on. */
export function isDeath({ row, role }: Pick<Recognised, 'row' | 'role'>): boolean {
  return role === 'pointer' || row.endsServer === true;
}
