/** Launches whose processes stop or die at one step of their scripts, and whether anything of them is left. */

import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { LaunchOutcome, LaunchSpec } from '../../src/host/launch.ts';
import { parseLaunch } from '../../src/shell/launch.ts';
import type { Script } from '../../src/shell/script.ts';
import { makeFolder } from './folder.ts';
import { type Part, textOf, withText } from './launch-parts.ts';
import { runIn, type Shell } from './shells.ts';
import { findSteps, type Halt, type Steps } from './steps.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };

const known = new Map<string, Steps>();

/** Of one of the scripts, found once. */
export function stepsIn(script: Script, part: Part): Steps {
  const text = textOf(script, part);
  const steps = known.get(text) ?? findSteps(text);
  known.set(text, steps);
  return steps;
}

/** The numbers of the steps that a script comes to, in order. */
export async function visitedIn(shell: Shell, script: Script, part: Part, file: string): Promise<number[]> {
  await runIn(shell, withText(script, part, stepsIn(script, part).traced(file)));
  const steps = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  return [...new Set(steps)];
}

export interface Place {
  readonly part: Part;
  readonly step: number;
}

export interface Halted {
  /** A step that a script comes to only when another process is slow may not be come to this time: then it ran to its end. */
  readonly hasHalted: boolean;
  thaw(): void;
  /** What the whole script said in the end; null where that is no outcome. */
  readonly outcome: Promise<LaunchOutcome | null>;
}

export interface Run {
  readonly spec: LaunchSpec;
  readonly script: Script;
  readonly halt: Halt;
}

/** Runs the script until one of its processes halts at the step. */
export function runHalted(shell: Shell, { script, ...run }: Run, { part, step }: Place): Promise<Halted> {
  const halted = withText(script, part, stepsIn(script, part).haltedAt(step, run.halt));
  return runUntil(shell, { ...run, script: halted });
}

/** Runs the script until the `mv` that turns its claim into the start halts: before it moves, or after. */
export function runHaltedInMove(shell: Shell, run: Run, when: 'before' | 'after'): Promise<Halted> {
  const { halt } = run;
  const folder = makeFolder('mv');
  const stop = `echo $$ >'${halt.mark}.new'; /bin/mv '${halt.mark}.new' '${halt.mark}'; kill -${halt.signal} $$`;
  const move = `PATH='${shell.path}' command mv "$@"; vigil_code=$?`;
  const [first, last] = when === 'before' ? [stop, move] : [move, stop];
  const text = `#!/bin/sh\ncase "$*" in\n*claim.first*/started)\n${first}\n${last} ;;\n*) ${move} ;;\nesac\nexit $vigil_code\n`;
  writeFileSync(join(folder, 'mv'), text, { mode: 0o755 });
  return runUntil({ ...shell, path: `${folder}:${shell.path}` }, run);
}

async function runUntil(shell: Shell, { spec, script, halt: { mark, signal } }: Run): Promise<Halted> {
  let hasEnded = false;
  const outcome = runIn(shell, script).then(({ output }) => {
    hasEnded = true;
    return parseLaunch(output);
  });
  const isOver = () => hasEnded && whoStandsFor(spec).length === 0;
  await expect.poll(() => isOver() || existsSync(mark), PATIENCE).toBe(true);
  if (!existsSync(mark)) return { hasHalted: false, thaw: () => undefined, outcome };
  const pid = Number(readFileSync(mark, 'utf8'));
  await expect.poll(() => ['T', 'Z', 'X', ''].includes(stateOf(pid)), PATIENCE).toBe(true);
  const thaw = () => {
    if (signal === 'STOP') process.kill(pid, 'SIGCONT');
  };
  return { hasHalted: true, thaw, outcome };
}

/** Waits until no process of the run's launches is left: all stand in its folder or in its working directory. */
export async function untilQuiet(spec: LaunchSpec): Promise<void> {
  await expect.poll(() => whoStandsFor(spec), PATIENCE).toEqual([]);
}

export function countStarts(ledger: string): number {
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').length - 1 : 0;
}

function whoStandsFor({ path, directory }: LaunchSpec): string[] {
  const folders = [path, directory ?? path];
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && folders.includes(readLink(join('/proc', name, 'cwd'))),
  );
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** '' when the process is gone. */
function stateOf(pid: number): string {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
