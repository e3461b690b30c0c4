/**
 * Whether a log is a server's or a training's, by what stands in it. A word alone proves nothing: a server's log names checkpoints of
 * trainings, a training's holds its target server's own lines. The strongest sign wins, at a tie the server.
 */

import type { LogEvent, LogKind } from '../log/events.ts';
import { CERTAIN, LINE_SIGNS, type Sign } from './line-signs.ts';

/** What a training's reader makes of trainers' own lines: a server's have none of these events. */
const TRAINER_EVENTS: Readonly<Partial<Record<string, number>>> = {
  record: CERTAIN,
  done: CERTAIN,
  checkpointing: 4,
  // Bars without a name, small files that are fetched, and scripts that start a server and wait for it, for whatever purpose.
  preparing: 2,
  training: 2,
  target_starting: 2,
  target_ready: 2,
};

/** Of a server that is a training's target: of one in a script that waits for it, the script is a training's. */
const HIDDEN_STATES = /extract_hidden_states|HiddenStatesConnector|enable_return_hidden_states/;
const WAITED_FOR: Sign = { kind: 'train', strength: 4 };

/** Whose phases they are where a server's reader finds them. */
const SERVERS_OWN: Sign = { kind: 'serve', strength: 3 };

/** Only what its writer called it. */
const NAMES: readonly { readonly kind: LogKind; readonly pattern: RegExp }[] = [
  { kind: 'train', pattern: /train|dflash|drafter|finetun|sft/i },
  { kind: 'serve', pattern: /vllm|serve|sglang/i },
];

export class Signs {
  #strength: Record<LogKind, number> = { serve: 0, train: 0 };
  #hasHiddenStates = false;

  /** Nothing stronger can come. */
  get isCertain(): boolean {
    return this.#strength.train >= CERTAIN;
  }

  /** What a reader of that kind made of the log. */
  addEvents(reader: LogKind, events: readonly LogEvent[]): void {
    for (const event of events) {
      if (reader === 'train')
        this.#add('train', TRAINER_EVENTS[event.kind === 'phase' ? event.phase : event.kind] ?? 0);
      else if (event.kind === 'phase' || event.kind === 'ready') this.#add(SERVERS_OWN.kind, SERVERS_OWN.strength);
    }
  }

  addLines(lines: readonly string[]): void {
    for (const line of lines) {
      this.#hasHiddenStates ||= HIDDEN_STATES.test(line);
      for (const { kind, strength, pattern } of LINE_SIGNS) {
        if (strength > this.#strength[kind] && pattern.test(line.slice(0, 600))) this.#add(kind, strength);
      }
    }
  }

  /** The name counts where the log itself tells nothing. */
  decide(name: string): LogKind {
    const { serve, train } = this.#known();
    if (serve !== train) return train > serve ? 'train' : 'serve';
    return (serve === 0 ? NAMES.find(({ pattern }) => pattern.test(name))?.kind : undefined) ?? 'serve';
  }

  #known(): Record<LogKind, number> {
    const isWaitedFor = this.#hasHiddenStates && this.#strength.train > 0;
    if (isWaitedFor) this.#add(WAITED_FOR.kind, WAITED_FOR.strength);
    return this.#strength;
  }

  #add(kind: LogKind, strength: number): void {
    this.#strength[kind] = Math.max(this.#strength[kind], strength);
  }
}
