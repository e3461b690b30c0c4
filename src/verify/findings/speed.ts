/** Tokens a second and time to the first token, against the recipe's floor and its record. */

import { code, count } from '../../check/words.ts';
import { changesIn } from '../changed.ts';
import { tokensPerSecond } from '../figures.ts';
import type { Measured, Prompts } from '../measured.ts';
import type { Finding, Speed } from '../verification.ts';
import { finding, msText } from './finding.ts';

/** Below that part of the record it is slower than noise. */
const SLOWER = 0.8;
const LATER = 1.5;
/** A way through SSH is not always as long. */
const LATER_MS = 100;

export function speedFindings(measured: Measured, speed: Speed | null): readonly Finding[] {
  const { prompts, serving } = measured;
  if (prompts.left?.why === 'no_text') return [];
  if (serving.isDummy) return [finding('speed', 'not_judged', 'its weights are made up (`--load-format dummy`)')];
  if (speed === null) return leftFindings(prompts.left);
  if (speed.disturbedBy !== null)
    return [
      finding(
        'speed',
        'not_judged',
        `${tokensPerSecond(speed.tokensPerSecond)} say little: ${lower(speed.disturbedBy)}`,
      ),
    ];
  return [judged(measured, speed), ...firstToken(measured, speed), ...leftFindings(prompts.left)];
}

function judged({ floor, record, accept, run, prompts }: Measured, speed: Speed): Finding {
  const found = `${tokensPerSecond(speed.tokensPerSecond)} over ${count(prompts.runs.length, 'fixed prompt')} (${count(speed.tokens, 'token')})`;
  const least = floor.tokensPerSecond;
  if (least !== null && speed.tokensPerSecond < least)
    return finding('speed', 'warned', found, {
      expected: `${tokensPerSecond(least)} or more, as the recipe's \`floor\` says`,
      advice: 'See what has changed since it was faster, or lower `tokens_per_second` in vigil.yaml.',
      causes: causes(record, run.argv),
      shape: 'floor',
    });
  const kept = record?.speed ?? null;
  if (
    kept === null ||
    accept ||
    kept.value.by !== speed.by ||
    speed.tokensPerSecond >= kept.value.tokensPerSecond * SLOWER
  )
    return finding('speed', 'passed', found);
  return finding('speed', 'warned', found, {
    expected: `about ${tokensPerSecond(kept.value.tokensPerSecond)}, as ${kept.run} reached`,
    advice: `If that is meant, \`/vllm verify ${run.name} --accept\` makes it the record.`,
    causes: causes(record, run.argv),
    shape: 'record',
  });
}

function firstToken({ record, accept, run }: Measured, { by, firstTokenMs }: Speed): readonly Finding[] {
  if (firstTokenMs === null) return [];
  const found = `The first token came after ${msText(firstTokenMs)}`;
  const kept = record?.speed ?? null;
  const before = kept?.value.by === by ? kept.value.firstTokenMs : null;
  if (kept === null || before === null || accept || firstTokenMs <= before * LATER || firstTokenMs - before <= LATER_MS)
    return [finding('first_token', 'passed', found)];
  return [
    finding('first_token', 'warned', found, {
      expected: `about ${msText(before)}, as ${kept.run} reached`,
      advice: `If that is meant, \`/vllm verify ${run.name} --accept\` makes it the record.`,
      causes: [
        ...changesIn(kept, run.argv),
        'The way to the host is slower than it was: the time has one way there and back in it.',
      ],
      shape: 'record',
    }),
  ];
}

function causes(record: Measured['record'], argv: readonly string[]): readonly string[] {
  const changes = record?.speed == null ? [] : changesIn(record.speed, argv);
  return [
    ...changes,
    'The GPUs run slower than they did (power limit, heat, another PCIe link): `nvidia-smi -q -d PERFORMANCE` on the host.',
  ];
}

/** Why there are no numbers, or not all. */
function leftFindings(left: Prompts['left']): readonly Finding[] {
  switch (left?.why) {
    case undefined:
    case 'no_text':
      return [];
    case 'busy': {
      const { running, waiting } = left;
      return [
        finding(
          'speed',
          'not_judged',
          `the fixed prompts were not sent: it is in use (${running} running, ${waiting} waiting)`,
        ),
      ];
    }
    case 'refused':
      return [
        finding(
          'speed',
          'not_judged',
          `it refused a fixed prompt with ${left.status}${left.said === '' ? '' : `: ${code(left.said)}`}`,
        ),
      ];
    case 'budget':
      return [
        finding('speed', 'not_judged', 'not all fixed prompts were sent: it is too slow for all of them in their time'),
      ];
    case 'failed':
      return [
        finding('speed', 'warned', 'A fixed prompt got no answer that could be read, though it answered before', {
          advice: 'See its log for the error of that moment (`/vllm logs`), and verify it again.',
          shape: 'failed',
        }),
      ];
    case 'time':
      return [
        finding('speed', 'warned', 'It was too slow for the fixed prompts: not all were answered in their time', {
          advice:
            'See what it does: `/vllm status` shows its load, and its log whether it still compiles. Verify it again.',
          shape: 'time',
        }),
      ];
    default:
      return left satisfies never;
  }
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
