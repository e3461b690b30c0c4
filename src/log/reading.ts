/** What a log has said so far, folded from its events. Plain data: it is part of the run in the journal. */

import type { FactValue, LogEvent, Progress, ServeLogPhase, Trouble } from './events.ts';

export interface Reading {
  /** In order of first sight, of the last start in the file. */
  readonly phases: readonly ServeLogPhase[];
  readonly progress: Progress | null;
  readonly facts: Readonly<Record<string, FactValue>>;
  /** Failures in the order of the file: the first of a start that hasn't become ready, the newest of a server that has. At most MAX_TROUBLES. */
  readonly troubles: readonly Trouble[];
  /** How many API servers said that their start-up is complete. */
  readonly readyServers: number;
  /** The line that made the server ready, or null. Troubles before it did no harm and are dropped. */
  readonly readyLine: number | null;
  /** The first line of an orderly shut-down, or null. */
  readonly shutdownLine: number | null;
}

export const EMPTY_READING: Reading = {
  phases: [],
  progress: null,
  facts: {},
  troubles: [],
  readyServers: 0,
  readyLine: null,
  shutdownLine: null,
};

const MAX_TROUBLES = 12;
const MAX_FACTS = 40;
/** Of a second and later trouble the journal keeps the traceback's last lines only. */
const WHOLE_TRACEBACKS = 3;
const TAIL_LINES = 12;

/** Facts that several processes print and of which the largest counts. */
const LARGEST = new Set(['model_load_seconds', 'api_servers']);

/** The reading after one more event. */
export function addEvent(reading: Reading, event: LogEvent): Reading {
  switch (event.kind) {
    case 'start':
      return EMPTY_READING;
    case 'phase':
      return addPhase(reading, event.phase);
    case 'progress':
      return { ...reading, progress: event.progress };
    case 'fact':
      return judgeReadiness(addFact(reading, event.key, event.value), event.line);
    case 'ready':
      return judgeReadiness({ ...reading, readyServers: reading.readyServers + 1 }, event.line);
    case 'shutdown':
      return reading.shutdownLine === null ? { ...reading, shutdownLine: event.line } : reading;
    case 'trouble':
      return addTrouble(reading, event.trouble);
    default:
      return event satisfies never;
  }
}

function addPhase(reading: Reading, phase: ServeLogPhase): Reading {
  return reading.phases.includes(phase) ? reading : { ...reading, phases: [...reading.phases, phase] };
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
  const troubles = reading.troubles.filter((trouble) => trouble.line > line);
  return addPhase({ ...reading, readyLine: line, troubles }, 'ready');
}

function unready(reading: Reading): Reading {
  return { ...reading, readyLine: null, phases: reading.phases.filter((phase) => phase !== 'ready') };
}

function addTrouble(reading: Reading, trouble: Trouble): Reading {
  // Old uvicorn says that it is up, and only then that it could not bind its port.
  if (trouble.type === null && trouble.message.startsWith('[Errno 98]')) {
    return keepTrouble({ ...unready(reading), readyServers: 0 }, trouble);
  }
  if (reading.readyLine !== null && trouble.line < reading.readyLine) return reading;
  return keepTrouble(reading, trouble);
}

function keepTrouble(reading: Reading, trouble: Trouble): Reading {
  const sameness = sameAs(trouble);
  if (reading.troubles.some((known) => known.line <= trouble.line && sameAs(known) === sameness)) return reading;
  const troubles = [...reading.troubles.filter((known) => sameAs(known) !== sameness), trouble].sort(
    (a, b) => a.line - b.line,
  );
  const kept = reading.readyLine === null ? troubles.slice(0, MAX_TROUBLES) : troubles.slice(-MAX_TROUBLES);
  return { ...reading, troubles: kept.map((each, index) => (index < WHOLE_TRACEBACKS ? each : shortened(each))) };
}

/** The same failure again (each request's EngineDeadError, each client's too long prompt) says nothing new. */
function sameAs(trouble: Trouble): string {
  const process = trouble.process?.replace(/\d+/g, '#') ?? '';
  return `${process} ${trouble.type ?? ''} ${trouble.message.replace(/0x[\da-f]+|\d+/g, '#').slice(0, 400)}`;
}

function shortened(trouble: Trouble): Trouble {
  const { traceback } = trouble;
  if (traceback === null || traceback.text.length <= TAIL_LINES + 1) return trouble;
  return { ...trouble, traceback: { ...traceback, text: ['  ...', ...traceback.text.slice(-TAIL_LINES)] } };
}
