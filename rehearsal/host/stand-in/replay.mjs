/** Plays a given log's bytes instead of a scenario. Nothing else is written, whatever the bytes are. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

const playSeconds = 20;
const mostChunks = 300;
const ready = Buffer.from('Application startup complete.');
const portTaken = Buffer.from('[Errno 98]');

/**
 * Plays `log`, in chunks that cut lines and characters, over 20 unscaled seconds. Then: an exit code is exited with, a
 * negative one is a signal. With null the process lives on, and answers HTTP from the moment the log says it is ready.
 * `onShare` hears how much of the log is out, from 0 to 1.
 */
export async function replay(server, { log, exit, onShare = () => undefined }) {
  const readyAt = exit === null ? await findReady(log) : null;
  await server.claimPort();
  const file = await open(log, 'r');
  const { size } = await file.stat();
  const chunks = cutPoints(size);
  let from = 0;
  for (const to of chunks) {
    const end = await moveIntoCharacter(file, to, size);
    if (end <= from) continue;
    await writeRange(file, from, end);
    onShare(end / size);
    if (readyAt !== null && from < readyAt && readyAt <= end) await server.listen();
    from = end;
    await server.pace.wait(playSeconds / chunks.length);
  }
  await file.close();
  if (exit !== null) return end(server, exit);
  // Something must keep a process without a listener alive.
  return setInterval(() => undefined, 2 ** 30);
}

function end(server, exit) {
  if (exit >= 0) return server.exit(exit);
  for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
  return process.kill(process.pid, -exit);
}

/** Offset behind the line that says the last start is ready, or null. */
async function findReady(log) {
  let offset = 0;
  let kept = Buffer.alloc(0);
  let found = null;
  for await (const chunk of createReadStream(log)) {
    const seen = Buffer.concat([kept, chunk]);
    const start = offset - kept.length;
    const at = seen.lastIndexOf(ready);
    const taken = seen.lastIndexOf(portTaken);
    if (at !== -1) found = start + at + ready.length;
    if (taken !== -1 && (found === null || start + taken > found)) found = null;
    kept = seen.subarray(-ready.length + 1);
    offset += chunk.length;
  }
  return found;
}

/** Uneven ends of chunks, the same in every play of a log. */
function cutPoints(size) {
  const count = Math.max(1, Math.min(mostChunks, Math.ceil(size / 40)));
  const points = [];
  for (let index = 1; index < count; index += 1) {
    const jitter = ((index * 7919) % 101) / 101 - 0.5;
    points.push(Math.floor(((index + jitter * 0.8) * size) / count));
  }
  return [...points, size];
}

/** Moves a cut to the nearest place behind it, within 16 bytes, that lies inside a UTF-8 character. */
async function moveIntoCharacter(file, point, size) {
  if (point >= size) return size;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, point);
  const inside = buffer.subarray(0, bytesRead).findIndex((byte) => (byte & 0xc0) === 0x80);
  return inside === -1 ? point : point + inside;
}

async function writeRange(file, from, to) {
  const step = 256 * 1024;
  for (let at = from; at < to; at += step) {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(step, to - at)),
      0,
      Math.min(step, to - at),
      at,
    );
    await new Promise((resolve) => process.stdout.write(buffer.subarray(0, bytesRead), resolve));
  }
}
