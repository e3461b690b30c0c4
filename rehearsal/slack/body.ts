/** Request bodies, bounded. */
import type { IncomingMessage } from 'node:http';

const LIMIT_BYTES = 2_000_000;

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The whole body as text; throws BodyTooLarge above 2 MB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request)).toString('utf8');
}

/** The bytes of an uploaded file: the first file of a multipart form, or the whole body. Throws BodyTooLarge above 2 MB. */
export async function readUpload(request: IncomingMessage): Promise<Buffer> {
  const bytes = await readBytes(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return bytes;
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  const [first] = await Promise.all(files.map((file) => file.arrayBuffer()));
  return Buffer.from(first ?? new ArrayBuffer(0));
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LIMIT_BYTES) throw new BodyTooLarge(`body over ${LIMIT_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
