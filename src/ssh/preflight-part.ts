/** One question of a preflight: its script, its time, and what is told of the answer. */

import type { GpuUse } from '../host/gpu.ts';
import type { Driver, Told } from '../host/preflight.ts';
import type { BundleReader, Part } from '../shell/bundle.ts';
import { GPUS, parseGpus } from '../shell/gpus.ts';
import { DRIVER, parseDriver } from '../shell/preflight/driver.ts';
import type { Script } from '../shell/script.ts';

/** Seconds. */
const PART_LIMIT = 5;
/** A hundred headers on a network file system that has none of them in its cache. */
export const MODELS_LIMIT = 10;
/** nvidia-smi takes some seconds on a host without persistence mode. */
const SMI_LIMIT = 10;
const SMI = 'nvidia-smi';

export interface Asked<Value> extends Part {
  /** What doesn't answer, or can't be read: `nvidia-smi`, or `the look at …`. */
  readonly who: string;
  /** null for what can't be read. */
  readonly read: (output: string) => Told<Value> | null;
}

export function part<Value>(script: Script, who: string, parse: (output: string) => Value | null): Asked<Value> {
  const read = (output: string): Told<Value> | null => {
    const value = parse(output);
    return value === null ? null : { kind: 'told', value };
  };
  return { script, limit: PART_LIMIT, who, read };
}

export const GPUS_PART: Asked<readonly GpuUse[] | null> = {
  ...{ script: GPUS, limit: SMI_LIMIT, who: SMI },
  read: (output) => {
    const answer = parseGpus(output);
    if (answer === null) return null;
    return answer.kind === 'told' ? { kind: 'told', value: answer.gpus } : REFUSALS[answer.kind];
  },
};

export const DRIVER_PART: Asked<Driver | null> = {
  ...{ script: DRIVER, limit: SMI_LIMIT, who: SMI },
  read: (output) => {
    const answer = parseDriver(output);
    if (answer === null) return null;
    return answer.kind === 'told' ? { kind: 'told', value: answer.driver } : REFUSALS[answer.kind];
  },
};

/** What became of the part that was sent as number `index`. */
export function toldBy<Value>(reader: BundleReader, index: number, { who, limit, read }: Asked<Value>): Told<Value> {
  const answer = reader.answer(index);
  if (answer.kind === 'late') return { kind: 'silent', why: lateWords(who, limit) };
  const told = answer.kind === 'whole' ? read(answer.output.toString('utf8')) : null;
  return told ?? { kind: 'silent', why: `${who} gave no answer that can be read: check again, and look on the host.` };
}

const REFUSALS: Readonly<Record<'missing' | 'failed' | 'hanging', Told<null>>> = {
  missing: { kind: 'told', value: null },
  failed: { kind: 'silent', why: 'nvidia-smi failed or named no GPU: run it on the host to see why.' },
  hanging: {
    kind: 'silent',
    why: 'an earlier nvidia-smi hangs in the driver, so no second one was asked: a GPU may have fallen off the bus, see `dmesg` on the host.',
  },
};

function lateWords(who: string, limit: number): string {
  if (who === SMI)
    return `${who} did not answer within ${limit} s: a GPU may have fallen off the bus, see \`dmesg\` on the host.`;
  return `${who} had no end within ${limit} s: check again, and see whether a file system hangs there.`;
}
