/** What concerns trainings alone, in the order in which people should read it. */

import type { Check } from '../check.ts';
import { DATA_WORKERS } from './rows/data-workers.ts';
import { SAVE_PATH } from './rows/save-path.ts';
import { TARGET_ADDRESS } from './rows/target-address.ts';
import { TARGET_MODEL } from './rows/target-model.ts';
import { TARGET_STATES } from './rows/target-states.ts';
import { TRAINER_GPUS } from './rows/trainer-gpus.ts';
import { TRAINING_DEVICES } from './rows/training-devices.ts';
import { TRAINING_DISK } from './rows/training-disk.ts';
import { TRAINING_LAYERS } from './rows/training-layers.ts';

export const TRAINING_CHECKS: readonly Check[] = [
  TRAINER_GPUS,
  TRAINING_DEVICES,
  TARGET_MODEL,
  TARGET_ADDRESS,
  TARGET_STATES,
  TRAINING_LAYERS,
  SAVE_PATH,
  TRAINING_DISK,
  DATA_WORKERS,
];
