/** What stands in the errors of ssh2 and of sockets. */

/** Of a name with several addresses each has its own error, and the whole has no words. */
export function readMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(readMessage))].join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

/** RFC 4254's number where the server refused a channel, else null. */
export function readReason(error: unknown): number | null {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'number' ? error.reason : null;
}
