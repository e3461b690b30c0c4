/** Request bodies, bounded. */
import type { IncomingMessage } from 'node:http';

const LIMIT_BYTES = 2_000_000;

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The whole body as text; throws BodyTooLarge above 2 MB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LIMIT_BYTES) throw new BodyTooLarge(`body over ${LIMIT_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
