/** The files of a run's save path, as speculators 0.7 lays them out. Written slowly and into their final place, as there. */
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const slices = 8;
const sliceBytes = 64 * 1024;
const saveSeconds = 6;

/** What rank 0 writes before the first step. */
export function describeRun({ savePath, words, world }) {
  mkdirSync(savePath, { recursive: true });
  const command = `# world size ${world}\npython scripts/train.py ${words.join(' ')}\n`;
  writeFileSync(join(savePath, 'train_command.txt'), command);
  writeFileSync(join(savePath, 'run.yaml'), `save_path: ${savePath}\nspeculator_type: dflash\n`);
}

/** Takes some unscaled seconds; a process that dies meanwhile leaves a broken folder. */
export async function saveCheckpoint({ savePath, name, pace, state, positions }) {
  const folder = join(savePath, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(drafterConfig(positions), null, 2)}\n`);
  for (const file of ['model.safetensors', 'optimizer_state_dict.pt']) {
    rmSync(join(folder, file), { force: true });
    for (let slice = 0; slice < slices; slice += 1) {
      appendFileSync(join(folder, file), Buffer.alloc(sliceBytes, slice));
      await pace.wait(saveSeconds / slices / 2);
    }
  }
  writeFileSync(join(folder, 'scheduler_state_dict.pt'), Buffer.alloc(1024));
  writeFileSync(join(folder, 'training_state.json'), JSON.stringify(state));
  writeFileSync(join(folder, 'train_command.txt'), 'see the save path\n');
}

/** Readable names beside the numbers, and the best epoch so far with what it reached. */
export function markEpoch({ savePath, epoch, valLoss }) {
  point(savePath, `epoch${epoch}_end`, String(epoch));
  point(savePath, 'checkpoint_best', String(epoch));
  writeFileSync(join(savePath, String(epoch), 'val_metrics.json'), JSON.stringify({ loss_epoch: valLoss }));
}

function point(savePath, name, target) {
  rmSync(join(savePath, name), { force: true });
  symlinkSync(target, join(savePath, name));
}

function drafterConfig(positions) {
  return {
    architectures: ['DFlashDraftModel'],
    speculators_model_type: 'dflash',
    speculators_version: '0.7.0',
    aux_hidden_state_layer_ids: [2, 17, 32, 47, 62],
    block_size: positions + 1,
    mask_token_id: 248_070,
    speculators_config: { algorithm: 'dflash', proposal_methods: [{ speculative_tokens: positions }] },
  };
}
