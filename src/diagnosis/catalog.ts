/**
 * What a failure is, and what to do about it. To add one, add a row with its samples to one of rows/: a row says everything about its
 * problem, so nothing else changes. The first row that fits gives the words, and within a chain of exceptions the one with the
 * earlier row is the most telling. So rows that know more stand before broad ones. docs/diagnoses.md is made from it.
 */

import type { LogKind, Trouble } from '../log/events.ts';
import { type DiagnosisRow, type FollowUpRow, type Found, fits, type Role } from './row.ts';
import { ARCHITECTURE_ROWS } from './rows/architectures.ts';
import { ARGUMENT_ROWS } from './rows/arguments.ts';
import { BUILD_ROWS } from './rows/builds.ts';
import { CONSEQUENCE_ROWS } from './rows/consequences.ts';
import { CONTAINER_ROWS } from './rows/containers.ts';
import { CRASH_ROWS } from './rows/crashes.ts';
import { DATA_WORKER_ROWS } from './rows/data-workers.ts';
import { DRAFTER_ROWS } from './rows/drafters.ts';
import { DRIVER_ROWS } from './rows/drivers.ts';
import { GPU_MEMORY_ROWS } from './rows/gpu-memory.ts';
import { GPU_SHARED_ROWS } from './rows/gpu-shared.ts';
import { GPU_ROWS } from './rows/gpus.ts';
import { HUB_ROWS } from './rows/hub.ts';
import { KERNEL_ROWS } from './rows/kernels.ts';
import { LINK_ROWS } from './rows/links.ts';
import { MACHINE_ROWS } from './rows/machine.ts';
import { MODEL_ROWS } from './rows/models.ts';
import { NODE_ROWS } from './rows/nodes.ts';
import { PACKAGE_ROWS } from './rows/packages.ts';
import { POINTER_ROWS } from './rows/pointers.ts';
import { COMPILED_POINTER_ROWS } from './rows/pointers-compiled.ts';
import { PORT_ROWS } from './rows/ports.ts';
import { SETTING_ROWS } from './rows/settings.ts';
import { SHARED_MEMORY_ROWS } from './rows/shared-memory.ts';
import { SHELL_ROWS } from './rows/shell.ts';
import { SIZE_ROWS } from './rows/sizes.ts';
import { DATA_ROWS } from './rows/training-data.ts';
import { HIDDEN_STATE_ROWS } from './rows/training-hidden-states.ts';
import { RANK_ROWS } from './rows/training-ranks.ts';
import { SAMPLE_ROWS } from './rows/training-samples.ts';
import { TRAIN_SETTING_ROWS } from './rows/training-settings.ts';
import { TARGET_ROWS } from './rows/training-target.ts';
import { TARGET_ANSWER_ROWS } from './rows/training-target-answers.ts';
import { UNKNOWN } from './rows/unknown.ts';
import { WEIGHT_ROWS } from './rows/weights.ts';

/** Failures of their own. What only a training can have comes early: in a server's log those rows are passed over. */
export const CATALOG: readonly DiagnosisRow[] = [
  ...[CONTAINER_ROWS, GPU_SHARED_ROWS, TARGET_ANSWER_ROWS, TARGET_ROWS],
  ...[HIDDEN_STATE_ROWS, DATA_ROWS, SAMPLE_ROWS, TRAIN_SETTING_ROWS, RANK_ROWS],
  ...[SIZE_ROWS, SETTING_ROWS, ARGUMENT_ROWS, GPU_ROWS, ARCHITECTURE_ROWS, GPU_MEMORY_ROWS],
  ...[DRIVER_ROWS, SHARED_MEMORY_ROWS, NODE_ROWS, LINK_ROWS, PORT_ROWS, MACHINE_ROWS],
  ...[PACKAGE_ROWS, BUILD_ROWS, HUB_ROWS, DRAFTER_ROWS],
  ...[WEIGHT_ROWS, MODEL_ROWS, KERNEL_ROWS, CRASH_ROWS, SHELL_ROWS, DATA_WORKER_ROWS],
].flat();

/** What follows from failures. */
export const FOLLOW_UPS: readonly FollowUpRow[] = [...POINTER_ROWS, ...COMPILED_POINTER_ROWS, ...CONSEQUENCE_ROWS];

export interface Recognised {
  readonly trouble: Trouble;
  /** Whose words it gets: what it says of a failure even where it only points at one, else the follow-up's own, else UNKNOWN. */
  readonly row: DiagnosisRow;
  readonly found: Found;
  readonly role: Role;
  /** The row that makes it a follow-up, or null for a failure of its own. */
  readonly followUp: FollowUpRow | null;
  /** Place in the catalog: the lower, the more telling. Infinity where nothing fits. */
  readonly rank: number;
}

/** What the catalog says of a trouble in a log of that kind. */
export function recognise(trouble: Trouble, kind: LogKind): Recognised {
  const followUp = FOLLOW_UPS.find((row) => fits(row, trouble, kind) !== null) ?? null;
  const role = followUp?.role ?? 'failure';
  for (const [rank, row] of CATALOG.entries()) {
    const found = fits(row, trouble, kind);
    if (found !== null) return { trouble, row, found, role, followUp, rank };
  }
  return { trouble, row: followUp ?? UNKNOWN, found: {}, role, followUp, rank: Number.POSITIVE_INFINITY };
}
