/**
 * Reads a training's log line by line: the trainer's records, its bars, torchrun, the run script's own words.
 * The lines of the target server, which may write into the same file, are not its business.
 */

import type { Placed, Where } from '../placing.ts';
import { fact, phase } from '../rules/rule.ts';
import type { TrainingFinding } from '../rules/training-rule.ts';
import { findTraining } from '../rules/training-table.ts';
import { isBar, type Spoken } from '../speaker.ts';
import { HEAD } from '../traceback-head.ts';
import { readBar } from './bar-meaning.ts';
import { parseBar, parseDownload } from './bars.ts';
import { findLine, hasStep, versionsIn } from './found.ts';
import { isSetUp, isTimed, withoutHead } from './heads.ts';
import { isMetricText, type Metrics, parseDict, parseMetrics } from './metrics.ts';
import { isRaised } from './raised.ts';
import { beginRecord, continueRecord, isWhole } from './rich.ts';
import type { RichRecord, TrainingState } from './state.ts';
import { TrainingStory } from './story.ts';

interface At {
  readonly line: number;
  readonly end: '\n' | '\r' | null;
}

export interface Heard {
  readonly placed: readonly Placed[];
  /** The line was understood: it is no part of anything else, as of a traceback's message. */
  readonly isKnown: boolean;
  /** What the line is inside a record that holds a traceback. */
  readonly inner?: { readonly said: Spoken; readonly line: number };
}

const NOTHING: Heard = { placed: [], isKnown: false };
/** What `set -x` prints before it runs a command: the command's text, not its outcome. */
const XTRACE = /^\++ (?=\S)/;
/** A trainer's own guard says where the loss was none. */
const NAN_STEP =
  /\b(?:loss|gradient)\w{0,10}(?: is| was| became|:| =)? ?(?:nan|inf)\b.{0,40}\b(?:step|iteration) (\d{1,9})\b/i;
export class TrainingLines {
  readonly #story: TrainingStory;

  constructor(state: TrainingState) {
    this.#story = new TrainingStory(structuredClone(state));
  }

  save(): TrainingState {
    return structuredClone(this.#story.state);
  }

  get story(): TrainingStory {
    return this.#story;
  }

  /** A line that is not the target server's. */
  hear(said: Spoken, at: At): Heard {
    const text = said.message.trimEnd();
    if (text === '') return NOTHING;
    const where = { line: at.line, said };
    if (said.shape === 'plain' && said.process === null) {
      const record = this.#hearRecord(text, said, at);
      if (record !== null) return record;
    }
    if (isRaised(said, this.#story.state)) return { placed: this.#story.tell(versionsIn(text), where), isKnown: false };
    const rank = said.process === null ? null : Number(said.process.slice('rank'.length));
    if (rank !== null) this.#story.hearRank(rank, where);
    if (rank !== null && said.shape === 'plain') return this.#hearRank(text, at, where);
    // Launchers and other ranks write between the lines of a record.
    const closed = said.shape === 'plain' || said.shape === 'dated' ? this.#close() : [];
    const own = this.#hearLine(said, text, at);
    const placed = this.#story.tell(own ?? [], where);
    return { placed: [...closed, ...placed], isKnown: own !== null || isTimed(text) };
  }

  /** A rank's plain lines are its traceback, but where torchrun puts the rank before all that it prints. */
  #hearRank(text: string, at: At, where: Where): Heard {
    const found = this.#hearLine(where.said, text, at) ?? [];
    if (withoutHead(text).isLogged) return { placed: this.#story.tell(found, where), isKnown: found.length > 0 };
    const steps = found.filter(
      (each) => each.kind === 'metrics' || each.kind === 'progress' || (each.kind === 'fact' && each.key === 'nccl'),
    );
    const nan = NAN_STEP.exec(text)?.[1];
    const guarded = nan === undefined || found.length > 0 ? [] : [fact('first_nan_step', Number(nan))];
    return { placed: this.#story.tell([...steps, ...guarded], where), isKnown: false };
  }

  /** At the end of the file: a record that was written to its line's end is told. */
  end(): readonly Placed[] {
    return this.#close(true);
  }

  #hearRecord(text: string, said: Spoken, at: At): Heard | null {
    const begun = beginRecord(text, at.line);
    if (begun !== null) {
      const closed = this.#close();
      this.#story.state.rich = begun;
      this.#story.state.isRich = true;
      return { placed: [...closed, ...this.#tellEarly(begun, said, at)], isKnown: true };
    }
    const open = this.#story.state.rich;
    const further = open === null ? null : continueRecord(open, text);
    if (further === null) return null;
    this.#story.state.rich = further;
    const placed = this.#tellEarly(further, said, at);
    return { placed, ...inTraceback(further, { ...said, message: text.slice(further.indent) }, at.line) };
  }

  /** A metric record is told as soon as it is whole, and what has a fixed end as soon as it stands there. */
  #tellEarly(record: RichRecord, said: Spoken, at: At): readonly Placed[] {
    if (at.end === null) {
      this.#story.state.rich = null;
      return [];
    }
    if (record.isTold) return [];
    if (isMetricText(record.text)) {
      // A value that was cut at the column's edge looks whole.
      if (record.isFolded) return [];
      const metrics = parseMetrics(record.text);
      return metrics === null ? [] : this.#tell(record, [{ kind: 'metrics', metrics }], said);
    }
    const found = findTraining(record.text, isWhole(record) ? 'record' : 'prompt');
    return found === null ? [] : this.#tell(record, found.findings, said);
  }

  #close(isEnd = false): readonly Placed[] {
    const { rich } = this.#story.state;
    if (rich === null) return [];
    this.#story.state.rich = null;
    if (rich.isTold || (isEnd && rich.isFolded)) return [];
    if (isMetricText(rich.text))
      return this.#story.tell(metrics(parseMetrics(rich.text)) ?? [], { line: rich.line, said: spokenBy(rich) });
    const found = findTraining(rich.text, 'record');
    return this.#story.tell(found?.findings ?? this.#setUp(rich), { line: rich.line, said: spokenBy(rich) });
  }

  #tell(record: RichRecord, findings: readonly TrainingFinding[], said: Spoken): readonly Placed[] {
    this.#story.state.rich = { ...record, isTold: true };
    return this.#story.tell(findings, { line: record.line, said: { ...said, message: record.text } });
  }

  /** Whatever a trainer logs before its first step is its set-up. */
  #setUp(record: RichRecord): readonly TrainingFinding[] {
    return this.#story.state.isTrained || record.level === 'ERROR' ? [] : [phase('preparing')];
  }

  #hearLine(said: Spoken, line: string, at: At): readonly TrainingFinding[] | null {
    const { text, isLogged } = withoutHead(line);
    if (XTRACE.test(text)) return findTraining(text.replace(XTRACE, ''), 'command')?.findings ?? null;
    if (isMetricText(text) && at.end !== null) return metrics(parseMetrics(text));
    const dict = text.startsWith('{') ? parseDict(text) : null;
    if (dict !== null) return metrics(dict);
    const isDrawn = isBar(text) || text.includes('━');
    const bar = isDrawn ? parseBar(text) : null;
    const isHeaded = isLogged || (said.shape === 'dated' && said.level !== null) || text !== line;
    const found = findLine(text, isHeaded);
    if (found?.findings.some(hasStep) === true) this.#story.state.isRecorded = true;
    if (bar === null) {
      if (isDrawn) return found?.findings ?? readDownload(text);
      return found?.findings ?? this.#setUpOf(text, isLogged || (said.shape === 'dated' && said.level !== null));
    }
    const read = readBar(bar, this.#story.state);
    return found === null ? read : [...read, ...found.findings];
  }

  #setUpOf(text: string, isLogged: boolean): readonly TrainingFinding[] | null {
    const { isTrained, step, hasTrainer } = this.#story.state;
    if (!isLogged || isTrained || step !== null || (this.#story.target.isAwaited() && !hasTrainer)) return null;
    return isSetUp(text) ? [phase('preparing')] : null;
  }
}

/** A record's line as part of the traceback that it holds. Narrow consoles wrap that one's first line as well. */
function inTraceback(record: RichRecord, said: Spoken, line: number): Omit<Heard, 'placed'> {
  const isBegun = /^Traceback \(most(?: recent(?: call)?)?$/.test(said.message);
  if (isBegun || !record.text.includes(HEAD)) return { isKnown: true };
  const { level } = record;
  if (!record.text.endsWith(HEAD)) return { isKnown: false, inner: { said: { ...said, level }, line } };
  const first = said.message.startsWith('Traceback') ? line : line - 1;
  return { isKnown: false, inner: { said: { ...said, level, message: HEAD }, line: first } };
}

/** The trainer itself fetches weights. */
function readDownload(text: string): readonly TrainingFinding[] | null {
  const bytes = parseDownload(text);
  if (bytes === null) return null;
  return [phase('preparing'), fact('download_bytes_done', bytes.done), fact('download_bytes_total', bytes.total)];
}

function metrics(found: Metrics | null): readonly TrainingFinding[] | null {
  return found === null ? null : [{ kind: 'metrics', metrics: found }];
}

function spokenBy({ level, text }: RichRecord): Spoken {
  const none = { process: null, pid: null, stamp: null, source: null, exception: null };
  return { ...none, shape: 'dated', level, message: text };
}
