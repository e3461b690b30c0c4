/** Which troubles a server that was ready does not live through. */

import type { Recognised } from './catalog.ts';

/** Of a server that works, clients' bad requests are tracebacks of the API server: those of workers and engines are not, nor what only a dying one says. */
export function endsServer({ trouble, row, role }: Recognised): boolean {
  if (isDeath({ trouble, row, role })) return true;
  const { process, type } = trouble;
  return process === null ? type === null : !/^api_?server/i.test(process);
}

/** Said of nothing that goes on. */
export function isDeath({ row, role }: Pick<Recognised, 'trouble' | 'row' | 'role'>): boolean {
  return role === 'pointer' || row.endsServer === true;
}
