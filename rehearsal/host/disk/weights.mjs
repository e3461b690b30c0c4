/** Weights as they lie on disk: files of safetensors with true headers, and holes where the numbers would be. */
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const bytesOf = { BF16: 2, F32: 4 };

/**
 * Writes `tensors` ([name, shape, dtype]) into `shards` files of about the same size, with an index where there is more
 * than one. The files are as long as real ones and take up no room.
 */
export function writeWeights(folder, { tensors, shards }) {
  const files = split(tensors, shards);
  for (const [at, own] of files.entries()) writeShard(join(folder, nameOf(at, shards)), own);
  if (shards === 1) return;
  const map = files.flatMap((own, at) => own.map(([name]) => [name, nameOf(at, shards)]));
  const index = { metadata: { total_size: sizeOf(tensors) }, weight_map: Object.fromEntries(map) };
  writeFileSync(join(folder, 'model.safetensors.index.json'), `${JSON.stringify(index, null, 2)}\n`);
}

/** In the given order: a new file begins when the share of one is reached. */
function split(tensors, shards) {
  const share = sizeOf(tensors) / shards;
  const files = Array.from({ length: shards }, () => []);
  let before = 0;
  for (const tensor of tensors) {
    files[Math.min(shards - 1, Math.floor(before / share))].push(tensor);
    before += sizeOf([tensor]);
  }
  return files;
}

/** Eight bytes of length, the header, and from there on what its offsets say. */
function writeShard(path, tensors) {
  let at = 0;
  const entries = tensors.map((tensor) => {
    const [name, shape, dtype] = tensor;
    const begin = at;
    at += sizeOf([tensor]);
    return [name, { dtype, shape, data_offsets: [begin, at] }];
  });
  const text = JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) });
  const header = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const file = openSync(path, 'w');
  writeSync(file, Buffer.concat([length, header]));
  ftruncateSync(file, 8 + header.length + at);
  closeSync(file);
}

function nameOf(at, shards) {
  if (shards === 1) return 'model.safetensors';
  const five = (number) => String(number).padStart(5, '0');
  return `model-${five(at + 1)}-of-${five(shards)}.safetensors`;
}

function sizeOf(tensors) {
  return tensors.reduce(
    (sum, [, shape, dtype]) => sum + shape.reduce((all, each) => all * each, 1) * bytesOf[dtype],
    0,
  );
}
