/** Lines that tell a training's log from a server's. To add one: a row with a line as printed. */

import type { LogKind } from '../log/events.ts';

export interface Sign {
  readonly kind: LogKind;
  readonly strength: number;
}

/** Of a trainer that is at work: nobody else prints it. */
export const CERTAIN = 8;

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
    sample: 'Response Regeneration Pipeline',
    pattern: /^.{0,80}\b(?:regenerat(?:e|ing|ion of) (?:the )?(?:\w+ )?responses?|response regeneration)\b/i,
  },
  {
    kind: 'train',
    strength: 4,
    sample: 'target was never ready, giving up',
    pattern:
      /^(?!.{0,80}\b(?:INFO|WARNING|ERROR)\b).{0,80}\btarget(?:'s)? (?:pid|process|server|died|never became ready|(?:was |is )?(?:not |never )?(?:ready|up))\b/i,
  },
  {
    kind: 'train',
    strength: 4,
    sample: 'step 1/3 target: vllm serve in tmux',
    pattern: /^.{0,80}\bstep \d{1,2}(?:\/| of )\d{1,2}:? target\b/i,
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
      /^(?:\[rank\d+\]: ?)? {0,8}File "(?!\S{0,200}(?:site|dist)-packages)\S{0,200}\/(?:run_)?(?:train|trainer|pre_?train|fine_?tune|sft)\w{0,40}\.py", line \d+/,
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
