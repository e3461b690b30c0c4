/** A tokenizer's files: their names and their shape, with next to nothing in them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const files = {
  'generation_config.json': { do_sample: true, eos_token_id: [248_044], temperature: 1.0, top_k: 20, top_p: 0.95 },
  'preprocessor_config.json': { patch_size: 16, temporal_patch_size: 2, merge_size: 2 },
  'tokenizer.json': { version: '1.0', added_tokens: [], model: { type: 'BPE', vocab: {}, merges: [] } },
  'tokenizer_config.json': { eos_token: '<|im_end|>', model_max_length: 262_144, tokenizer_class: 'Qwen2Tokenizer' },
  'vocab.json': {},
};

export function writeTokenizer(folder) {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  }
  writeFileSync(join(folder, 'merges.txt'), '#version: 0.2\n');
}
