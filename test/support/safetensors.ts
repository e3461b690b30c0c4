/** Files of weights with true headers and holes where the numbers would be: as long as real ones, and no room taken. */

import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** One tensor of `bytes`; returns the header's JSON. `size`: the file's own length, where it is not what the header says. */
export function writeSafetensors(
  path: string,
  {
    bytes,
    size,
    names = ['w'],
  }: { readonly bytes: number; readonly size?: number; readonly names?: readonly string[] },
): string {
  const step = Math.floor(bytes / names.length);
  const offsets = names.map((name, at) => [
    name,
    { dtype: 'U8', shape: [step], data_offsets: [at * step, at === names.length - 1 ? bytes : (at + 1) * step] },
  ]);
  const header = JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(offsets) });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  const file = openSync(path, 'w');
  writeSync(file, Buffer.concat([length, Buffer.from(header)]));
  ftruncateSync(file, size ?? 8 + Buffer.byteLength(header) + bytes);
  closeSync(file);
  return header;
}

interface Shards {
  readonly count: number;
  /** Of each. */
  readonly bytes: number;
  /** In each; one takes about 120 bytes of its header. */
  readonly tensors?: number;
}

/** A model in shards, with an index; returns their names. */
export function writeShards(folder: string, { count, bytes, tensors = 80 }: Shards): string[] {
  const five = (number: number) => String(number).padStart(5, '0');
  const names = Array.from({ length: count }, (_, at) => `model-${five(at + 1)}-of-${five(count)}.safetensors`);
  for (const [at, name] of names.entries()) {
    const own = Array.from({ length: tensors }, (_, layer) => `model.layers.${at}.experts.${layer}.gate_proj.weight`);
    writeSafetensors(join(folder, name), { bytes, names: own });
  }
  const map = Object.fromEntries(
    names.flatMap((name, at) => [
      [`a.${at}`, name],
      [`b.${at}`, name],
    ]),
  );
  writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ metadata: {}, weight_map: map }));
  writeFileSync(join(folder, 'config.json'), '{"model_type":"qwen3_5"}');
  return names;
}
