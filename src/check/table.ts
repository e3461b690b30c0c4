/** Every check, in the order in which people should read them: what keeps a start from beginning first, then GPUs, models, settings, versions, the host. */

import type { Check } from './check.ts';
import { BATCHED_TOKENS } from './rows/batched-tokens.ts';
import { DRAFT_LAYERS } from './rows/draft-layers.ts';
import { DRAFT_TOKENS } from './rows/draft-tokens.ts';
import { DRAFTER_CONFIG } from './rows/drafter-config.ts';
import { DRAFTER_TARGET } from './rows/drafter-target.ts';
import { DRIVER } from './rows/driver.ts';
import { EXPECT } from './rows/expect.ts';
import { FLASH_ATTN, FLASH_ATTN_GPU } from './rows/flash-attn.ts';
import { GPU_COUNT } from './rows/gpu-count.ts';
import { GPU_MEMORY } from './rows/gpu-memory.ts';
import { HEADS } from './rows/heads.ts';
import { HUB } from './rows/hub.ts';
import { JSON_FLAGS } from './rows/json-flags.ts';
import { KNOWN_FAULTS } from './rows/known-faults.ts';
import { LEFTOVERS } from './rows/leftovers.ts';
import { MODEL } from './rows/model.ts';
import { MODEL_LENGTH } from './rows/model-length.ts';
import { PORT } from './rows/port.ts';
import { ROOM } from './rows/room.ts';
import { SHARED_MEMORY } from './rows/shared-memory.ts';
import { COMMAND, START } from './rows/start.ts';
import { VERSIONS } from './rows/versions.ts';
import { WEIGHTS_FIT } from './rows/weights-fit.ts';
import { TRAINING_CHECKS } from './training/rows.ts';

/** Of every launch. To add one: a row with its samples in rows/, and its place here. */
export const SERVER_CHECKS: readonly Check[] = [
  START,
  COMMAND,
  PORT,
  GPU_COUNT,
  GPU_MEMORY,
  LEFTOVERS,
  MODEL,
  HUB,
  WEIGHTS_FIT,
  EXPECT,
  DRAFTER_TARGET,
  DRAFT_LAYERS,
  DRAFTER_CONFIG,
  DRAFT_TOKENS,
  BATCHED_TOKENS,
  MODEL_LENGTH,
  HEADS,
  JSON_FLAGS,
  VERSIONS,
  KNOWN_FAULTS,
  FLASH_ATTN,
  FLASH_ATTN_GPU,
  DRIVER,
  ROOM,
  SHARED_MEMORY,
];

export const CHECKS: readonly Check[] = [...SERVER_CHECKS, ...TRAINING_CHECKS];
