/**
 * Whether a log is a server's or a training's, by what stands in it. A word alone proves nothing: a server's log names checkpoints of
 * trainings, a training's holds its target server's own lines. The strongest sign wins, at a tie the server.
 * To add one: a row with a line as printed.
 */

import type { LogEvent, LogKind } from '../log/events.ts';

interface Sign {
  readonly kind: LogKind;
  readonly strength: number;
}

/** Of a trainer that is at work: nobody else prints it. */
const CERTAIN = 8;

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

interface LineSign extends Sign {
  readonly sample: string;
  readonly pattern: RegExp;
}

export const LINE_SIGNS: readonly LineSign[] = [
  {
    kind: 'train',
    strength: CERTAIN,
    sample: '***** Running training *****',
    pattern: /^(?:\*{3,} Running training \*{3,}|.{0,80}\bTraining epoch \d+\/\d+ (?:started|completed))/,
  },
  {
    kind: 'train',
    strength: CERTAIN,
    sample: '[09:04:43] INFO     Started distributed with local_rank=0, dp_size=2',
    pattern: /^.{0,80}\bStarted distributed with local_rank=/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: '[02:10:31] INFO       Preparing data                         logging_utils.py:28',
    pattern: /^\[(?:\d\d\/\d\d\/\d\d )?\d\d:\d\d:\d\d\] (?:DEBUG {4}|INFO {5}|WARNING {2}|ERROR {4}|CRITICAL ) {0,8}\S/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: '=== Step 1: Preparing data ===',
    pattern: /^(?:.{0,30}[:\]>=*-] ?)?(?:Prepar|Generat|Tokeniz)ing (?:the )?(?:training )?data\b/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: 'W0811 09:04:34.695000 20981 torch/distributed/run.py:852] ***',
    pattern: /^.{0,80}\btorch\/distributed\/(?:run|launcher\/api|elastic\/)[\w/.]*:\d+\]/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: 'torch.distributed.elastic.multiprocessing.errors.ChildFailedError:',
    pattern: /^(?:\[rank\d+\]: )?torch\.distributed\.elastic\.multiprocessing\.errors\.ChildFailedError/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: 'Step 2: train the drafter on GPUs 2,3',
    pattern:
      /^(?!.{0,200}\bvllm serve\b).{0,80}\b(?:train(?:ing)? (?:the|a|our) (?:\w+ )?(?:drafter|draft|model)|the (?:trainer|drafter)\b|hidden states\b)/i,
  },
  {
    kind: 'train',
    strength: 4,
    sample: '+ torchrun --standalone --nproc_per_node 4 scripts/train.py --epochs 3',
    pattern:
      /^[+$#>]* ?(?:.{0,60}\b)?(?:torchrun|accelerate launch|deepspeed|llamafactory-cli train|axolotl train|python3? \S{0,200}train\w{0,40}\.py)\b/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: '  File "/workspace/speculators/scripts/train.py", line 41, in <module>',
    pattern:
      /^(?:\[rank\d+\]: ?)? {0,8}File "(?!\S{0,200}(?:site|dist)-packages)\S{0,200}\/(?:train|trainer|finetune|sft)\w{0,40}\.py", line \d+/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: '  File "/venv/lib/python3.12/site-packages/transformers/trainer.py", line 2328, in train',
    pattern:
      /^(?:\[rank\d+\]: ?)? {0,8}File "\S{0,200}\/transformers\/trainer\.py", line \d+, in (?:train|_inner_training_loop|training_step)\b/,
  },
  {
    kind: 'train',
    strength: 4,
    sample: 'usage: train.py [-h]',
    pattern: /^(?:usage: )?\S{0,200}\btrain\w*\.py(?: \[-h\]|: error:)/,
  },
  {
    kind: 'serve',
    strength: 3,
    sample: 'usage: vllm serve [-h] [--headless]',
    pattern: /^(?:usage: )?(?:vllm(?: serve)?|api_server\.py|launch_server\.py)(?: \[|: error:)/,
  },
  {
    kind: 'serve',
    strength: 2,
    sample: '+ exec vllm serve /models/m --port 8100',
    pattern: /^.{0,80}\b(?:vllm serve|vllm\.entrypoints|sglang\.launch_server)\b/,
  },
];

/** Whose phases they are where a server's reader finds them. */
const SERVERS_OWN: Sign = { kind: 'serve', strength: 3 };

/** Only what its writer called it. */
const NAMES: readonly { readonly kind: LogKind; readonly pattern: RegExp }[] = [
  { kind: 'train', pattern: /train|dflash|drafter|finetun|sft/i },
  { kind: 'serve', pattern: /vllm|serve|sglang/i },
];

export class Signs {
  #strength: Record<LogKind, number> = { serve: 0, train: 0 };

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
      for (const { kind, strength, pattern } of LINE_SIGNS) {
        if (strength > this.#strength[kind] && pattern.test(line.slice(0, 600))) this.#add(kind, strength);
      }
    }
  }

  /** The name counts where the log itself tells nothing. */
  decide(name: string): LogKind {
    const { serve, train } = this.#strength;
    if (serve !== train) return train > serve ? 'train' : 'serve';
    return (serve === 0 ? NAMES.find(({ pattern }) => pattern.test(name))?.kind : undefined) ?? 'serve';
  }

  #add(kind: LogKind, strength: number): void {
    this.#strength[kind] = Math.max(this.#strength[kind], strength);
  }
}
