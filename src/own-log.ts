/** Vigil's own log: JSON lines on stdout, without secrets, whoever wrote them. */

import { type DestinationStream, type Logger, pino } from 'pino';
import type { Mask } from './log/lines.ts';
import { createMask } from './log/mask.ts';

export interface OwnLogOptions {
  readonly level: string;
  /** Every value that must not be seen (src/config/secrets.ts). */
  readonly secrets: readonly string[];
}

/** `destination` takes whole lines; without one they go to stdout at once, so that nothing is lost at an exit. */
export function openLog(
  { level, secrets }: OwnLogOptions,
  destination: DestinationStream = pino.destination({ sync: true }),
): Logger {
  const mask = createMask(secrets);
  return pino({ level }, { write: (line) => destination.write(`${withoutSecrets(line, mask)}\n`) });
}

/** Names of fields whose values are never written: they let anybody speak or ask in our name. */
const HIDDEN_FIELD =
  /(?:token|secret|password|passphrase|authorization|cookie|api_?key|response_url|trigger_id|ticket)$/i;

/** Each text by itself, so that the line stays JSON. */
function withoutSecrets(line: string, mask: Mask): string {
  return JSON.stringify(JSON.parse(line), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return HIDDEN_FIELD.test(name) && value !== '' ? '[hidden]' : mask(value);
  });
}
