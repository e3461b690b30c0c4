/** Whether an end is what the launch had warned of. */

import type { Exit, Started } from '../host/launch.ts';
import type { Request } from './request.ts';

/** HUP and TERM: what systemd-logind sends to a session that it ends. */
const ENDERS: readonly (number | null)[] = [1, 15];

/** A sentence that names the warning, or null. `exit` null = nobody wrote an exit record. A server that gets TERM may well exit with 0. */
export function warnedOf(started: Started, { kind }: Pick<Request, 'kind'>, exit: Exit | null): string | null {
  if (started.warnings.length === 0) return null;
  const isLikely = exit === null || ENDERS.includes(exit.signal) || (exit.code === 0 && kind === 'serve');
  return isLikely ? `The launch had warned of such an end. ${started.warnings.join(' ')}` : null;
}
