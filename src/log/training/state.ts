/** What the reading of a training's log must remember from line to line: part of the reader's carry. */

import { z } from 'zod';

const richRecord = z.object({
  line: z.number(),
  level: z.string(),
  /** Columns before the message: a line that continues it is indented by as many. */
  indent: z.number(),
  /** Columns of the message, 0 where unknown. */
  width: z.number(),
  text: z.string(),
  /** A word was cut at the column's edge: what follows is joined without a blank. */
  isFolded: z.boolean(),
  /** What it says has been told: its further lines are passed over. */
  isTold: z.boolean(),
});
export type RichRecord = z.infer<typeof richRecord>;

/** Something that a script said of its target server. */
const aside = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('phase'), phase: z.enum(['target_starting', 'target_ready']) }),
  z.object({ kind: z.literal('fact'), key: z.enum(['target_pid', 'target_ready_seconds']), value: z.number() }),
]);
export type Aside = z.infer<typeof aside>;

export const trainingState = z.object({
  rich: richRecord.nullable(),
  /** The logger of speculators was heard: steps come from its records, never from a bar without a name. */
  isRich: z.boolean(),
  isGenerating: z.boolean(),
  isValidating: z.boolean(),
  /** Steps of the whole run and the newest one, of trainers that show them in a bar. */
  total: z.number().nullable(),
  step: z.number().nullable(),
  /** Another bar with the same total counts: an evaluation. */
  isNested: z.boolean(),
  /** A checkpoint that is being written, until a later line shows that it was. */
  saving: z.string().nullable(),
  isTrained: z.boolean(),
  /** The training was said to begin, or its bar was drawn: nothing behind is its set-up. */
  isBegun: z.boolean(),
  /** How many epochs there are, where that is told, and whether the trainer counts them from 0. */
  epochs: z.number().nullable(),
  /** An epoch's steps, where that is told. */
  perEpoch: z.number().nullable(),
  isFromZero: z.boolean(),
  /** Records of steps were seen: what a bar shows beside them is none. */
  isRecorded: z.boolean(),
  isLastEpochDone: z.boolean(),
  /** The newest epoch is over, whichever it is. */
  isEpochDone: z.boolean(),
  isInterrupted: z.boolean(),
  isDone: z.boolean(),
  /** torchrun or the script said that it ended badly, or that it exits. */
  hasExited: z.boolean(),
  /** The script gave up waiting for its target server. */
  hasGivenUp: z.boolean(),
  /** Something failed after the last record. */
  hasFailed: z.boolean(),
  isElastic: z.boolean(),
  /** A traceback without a process's name is open. */
  isRaising: z.boolean(),
  /** Where torchrun said that a rank failed, and so ended all of them. */
  failedLine: z.number().nullable(),
  /** A target server was launched, waited for or heard. */
  hasTarget: z.boolean(),
  /** A script waits for it, and it wasn't up yet. */
  isWaiting: z.boolean(),
  isTargetUp: z.boolean(),
  /** A launcher or a trainer was heard. */
  hasTrainer: z.boolean(),
  /** What was said of a target behind the last step: it belongs to the start that may follow. */
  asides: z.array(aside),
  /** Where it was stopped on purpose. */
  targetStopLine: z.number().nullable(),
  /** The script's last "Step N". */
  scriptStep: z.number(),
  isRootCause: z.boolean(),
  ranks: z.number(),
  /** The last record's loss is worthless. */
  isBad: z.boolean(),
  /** The weight file that is fetched: where its bar stands, and how long the script had waited when it last moved. */
  download: z
    .object({ line: z.number(), process: z.string().nullable(), pid: z.number().nullable(), text: z.string() })
    .nullable(),
  downloadBytes: z.number(),
  waitedAtMove: z.number(),
  waited: z.number(),
  isStalled: z.boolean(),
});
export type TrainingState = z.infer<typeof trainingState>;

export const EMPTY_TRAINING: TrainingState = {
  rich: null,
  isRich: false,
  isGenerating: false,
  isValidating: false,
  total: null,
  step: null,
  isNested: false,
  saving: null,
  isTrained: false,
  isBegun: false,
  epochs: null,
  perEpoch: null,
  isFromZero: false,
  isRecorded: false,
  isLastEpochDone: false,
  isEpochDone: false,
  isInterrupted: false,
  isDone: false,
  hasExited: false,
  hasGivenUp: false,
  hasFailed: false,
  isElastic: false,
  isRaising: false,
  failedLine: null,
  hasTarget: false,
  isWaiting: false,
  isTargetUp: false,
  hasTrainer: false,
  asides: [],
  targetStopLine: null,
  scriptStep: 0,
  isRootCause: false,
  ranks: 0,
  isBad: false,
  download: null,
  downloadBytes: 0,
  waitedAtMove: 0,
  waited: 0,
  isStalled: false,
};
