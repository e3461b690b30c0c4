/** What a log has said so far, folded from its events. Plain data: it is part of the run in the journal. */

import {
  type EngineSaid,
  type FactValue,
  type JsonObject,
  type LogEvent,
  type LogKind,
  type LogPhase,
  type Progress,
  SERVE_LOG_PHASES,
  type TrainRecord,
  type Trouble,
} from './events.ts';
import { isBeforeRestart, isOfFirstTry } from './restart.ts';
import { isCaught, isOfTarget, isWaitOver, isWorthlessRecord, keepTrouble } from './troubles.ts';

export interface Reading {
  readonly kind: LogKind;
  /** In order of first sight, of the last start in the file. A training's holds its own phases only. */
  readonly phases: readonly LogPhase[];
  /** Of a training: its target server's own phases, as far as they stand in the same file. */
  readonly targetPhases: readonly LogPhase[];
  readonly progress: Progress | null;
  readonly facts: Readonly<Record<string, FactValue>>;
  /** The arguments that the server says it was given, and the configuration its engine made of them (of a training: its target's). At most 3 KB each; null where the log doesn't say. */
  readonly asked: JsonObject | null;
  readonly engine: EngineSaid | null;
  /** Failures in the order of the file: the first of a start that hasn't become ready, the newest of a server that has. At most MAX_TROUBLES. */
  readonly troubles: readonly Trouble[];
  /** How many API servers said that their start-up is complete. */
  readonly readyServers: number;
  /** The line that made the server ready, or null. Troubles before it did no harm and are dropped. */
  readonly readyLine: number | null;
  /** The first line of an orderly shut-down, or null. */
  readonly shutdownLine: number | null;
  /** Of a training: the last whole metric record, and how many there were. */
  readonly record: TrainRecord | null;
  readonly records: number;
  /** Where that record stands, or null. */
  readonly recordLine: number | null;
  /** Of a training: the line of the trainer's own end, or null. */
  readonly doneLine: number | null;
}

/** Nothing read yet, of a log of that kind. */
export function emptyReading(kind: LogKind): Reading {
  return { ...EMPTY_READING, kind };
}

const EMPTY_READING: Reading = {
  kind: 'serve',
  phases: [],
  targetPhases: [],
  progress: null,
  facts: {},
  asked: null,
  engine: null,
  troubles: [],
  readyServers: 0,
  readyLine: null,
  shutdownLine: null,
  record: null,
  records: 0,
  recordLine: null,
  doneLine: null,
};

const MAX_FACTS = 60;
/** Facts that several processes print and of which the largest counts. */
const LARGEST = new Set(['model_load_seconds', 'api_servers', 'ranks']);

/** The reading after one more event. */
export function addEvent(reading: Reading, event: LogEvent): Reading {
  switch (event.kind) {
    case 'start':
      return emptyReading(reading.kind);
    case 'phase':
      return reading.kind === 'train' ? addTrainPhase(reading, event) : addPhase(reading, event.phase);
    case 'progress':
      return { ...reading, progress: event.progress };
    case 'fact':
      return judgeReadiness(addFact(reading, event.key, event.value), event.line);
    // Each of several engines says its own: the first stands for all. A run saved before there were these fields has neither.
    case 'asked':
      return { ...reading, asked: reading.asked ?? event.args };
    case 'engine':
      return { ...reading, engine: reading.engine ?? { version: event.version, config: event.config } };
    case 'record':
      return addRecord(reading, event);
    case 'done':
      return addPhase({ ...reading, doneLine: event.line }, 'finished');
    case 'ready':
      return judgeReadiness({ ...reading, readyServers: reading.readyServers + 1 }, event.line);
    case 'shutdown':
      return reading.shutdownLine === null ? { ...reading, shutdownLine: event.line } : reading;
    case 'waits':
      return reading;
    case 'trouble':
      return addTrouble(reading, event.trouble);
    default:
      return event satisfies never;
  }
}

function addPhase(reading: Reading, phase: LogPhase): Reading {
  return reading.phases.includes(phase) ? reading : { ...reading, phases: [...reading.phases, phase] };
}

/** The target server's own phases stand apart; its first one shows that it starts, unless it is up already. */
function addTrainPhase(reading: Reading, { phase, line }: { phase: LogPhase; line: number }): Reading {
  if (isServePhase(phase)) {
    const targetPhases = reading.targetPhases.includes(phase) ? reading.targetPhases : [...reading.targetPhases, phase];
    const isLate = BEYOND_START.some((each) => reading.phases.includes(each));
    return isLate ? { ...reading, targetPhases } : addPhase({ ...reading, targetPhases }, 'target_starting');
  }
  if (phase === 'target_starting' && reading.phases.includes('target_ready')) return reading;
  const isFirst = phase === 'training' && !reading.phases.includes('training');
  const isUp = phase === 'target_ready';
  const troubles = isUp ? reading.troubles.filter((trouble) => !isWaitOver(trouble)) : reading.troubles;
  const added = addPhase({ ...reading, troubles }, phase);
  return isFirst ? addFact(added, 'training_started_line', line) : added;
}

const BEYOND_START: readonly LogPhase[] = ['target_ready', 'training', 'checkpointing', 'finished'];

function isServePhase(phase: LogPhase): boolean {
  return SERVE_LOG_PHASES.some((each) => each === phase);
}

/**
 * A loss that is a number again proves an earlier one wrong that was none, a second step that an exception was caught, and a step of
 * ranks that were started again that the first ones' end was lived through.
 */
function addRecord(reading: Reading, { record, line }: { record: TrainRecord; line: number }): Reading {
  const values = { step: record.step, epoch: record.epoch, loss: record.loss, accuracy: record.accuracy };
  const isGood = typeof record.loss === 'number' && record.loss !== 0;
  const troubles = reading.troubles.filter(
    (trouble) =>
      !isOfFirstTry(trouble, reading.facts) &&
      (!isGood || !(isWorthlessRecord(trouble) || isCaught(trouble, reading.recordLine))),
  );
  const isNewTry = reading.shutdownLine !== null && isBeforeRestart(reading.shutdownLine, reading.facts);
  const shutdownLine = isNewTry ? null : reading.shutdownLine;
  const next = { ...reading, troubles, shutdownLine, record, records: reading.records + 1, recordLine: line };
  return Object.entries(values).reduce<Reading>(
    (known, [key, value]) => (value === null ? known : addFact(known, key, value)),
    next,
  );
}

function addFact(reading: Reading, key: string, value: FactValue): Reading {
  const known = reading.facts[key];
  if (known === undefined && Object.keys(reading.facts).length >= MAX_FACTS) return reading;
  const isSmaller = LARGEST.has(key) && typeof known === 'number' && typeof value === 'number' && value < known;
  return known === value || isSmaller ? reading : { ...reading, facts: { ...reading.facts, [key]: value } };
}

/** Ready when every API server said so: that there is another one may be learnt late. */
function judgeReadiness(reading: Reading, line: number): Reading {
  const expected = typeof reading.facts.api_servers === 'number' ? reading.facts.api_servers : 1;
  const isReady = reading.readyServers >= expected;
  if (isReady === (reading.readyLine !== null)) return reading;
  if (!isReady) return unready(reading);
  if (reading.kind === 'train') return targetReady(reading, line);
  const troubles = reading.troubles.filter((trouble) => trouble.line > line);
  return addPhase({ ...reading, readyLine: line, troubles }, 'ready');
}

/** Of a training: troubles that the target server had on its way up did no harm; the trainer's own stay. */
function targetReady(reading: Reading, line: number): Reading {
  const troubles = reading.troubles.filter((trouble) => trouble.line > line || !isOfTarget(trouble));
  const ready = addTrainPhase({ ...reading, readyLine: line, troubles }, { phase: 'ready', line });
  return ready.phases.includes('training') ? ready : addPhase(ready, 'target_ready');
}

function unready(reading: Reading): Reading {
  const phases = reading.phases.filter((phase) => phase !== 'ready' && phase !== 'target_ready');
  return {
    ...reading,
    readyLine: null,
    phases,
    targetPhases: reading.targetPhases.filter((phase) => phase !== 'ready'),
  };
}

function addTrouble(reading: Reading, trouble: Trouble): Reading {
  // Old uvicorn says that it is up, and only then that it could not bind its port.
  if (trouble.type === null && trouble.message.startsWith('[Errno 98]')) {
    return withTrouble({ ...unready(reading), readyServers: 0 }, trouble);
  }
  if (isOfFirstTry(trouble, reading.facts)) return reading;
  const isOld = reading.readyLine !== null && trouble.line < reading.readyLine;
  if (isOld && (reading.kind === 'serve' || isOfTarget(trouble))) return reading;
  return withTrouble(reading, trouble);
}

function withTrouble(reading: Reading, trouble: Trouble): Reading {
  const ends = reading.kind === 'train' ? 'both' : reading.readyLine === null ? 'first' : 'newest';
  return { ...reading, troubles: keepTrouble(reading.troubles, trouble, ends) };
}
