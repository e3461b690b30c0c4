import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LaunchOutcome, LaunchSpec } from '../../src/host/launch.ts';
import { parseLaunch, renderLaunch, renderVoid } from '../../src/shell/launch.ts';
import { makeFolder } from '../support/folder.ts';
import {
  countStarts,
  type Halted,
  type Place,
  runHalted,
  runHaltedInMove,
  stepsIn,
  untilQuiet,
  visitedIn,
} from '../support/frozen-launch.ts';
import type { Part } from '../support/launch-parts.ts';
import { exitOf, launch, makeSpec } from '../support/local-launch.ts';
import { findShells, runIn, type Shell } from '../support/shells.ts';

/** Of all steps in all situations so many are tried in each shell, spread evenly: all are some three thousand launches. */
const CASES = Number(process.env.LAUNCH_CASES ?? 24);
const AT_ONCE = 4;

/** What befalls a launch whose process stands still at a step, before it goes on. */
const WHILE_FROZEN = ['a retry', 'a stop', 'a stop, then a retry', 'a retry, then a stop'] as const;
const AFTER_CRASH = ['a retry', 'a stop'] as const;

let claims = 0;

interface Case {
  /** A step of a script, or the move of the claim that is the start. */
  readonly where: Place | 'before' | 'after';
  readonly signal: 'STOP' | 'KILL';
  readonly then: (typeof WHILE_FROZEN)[number];
  readonly make: () => LaunchSpec;
}

/** With all that a launch can have, and with nothing of it: they take other ways through the scripts. */
const MAKERS = [
  () => {
    const folder = makeFolder('frozen');
    for (const name of ['serve.log', 'target.log']) writeFileSync(join(folder, name), 'old\n');
    mkdirSync(join(folder, 'work'));
    return makeSpec({
      argv: ['/bin/sh', '-c', 'echo "start $X" >>../ledger'],
      environment: { X: 'a\\b' },
      prelude: ': "$X"',
      directory: join(folder, 'work'),
      log: join(folder, 'serve.log'),
      aside: [join(folder, 'target.log')],
    });
  },
  () => {
    const folder = makeFolder('frozen');
    mkdirSync(join(folder, 'work'));
    return makeSpec({ argv: ['sh', '-c', 'echo start >>../ledger'], directory: join(folder, 'work') });
  },
] as const;

function scriptOf(part: Part, spec: LaunchSpec) {
  return part === 'void' ? renderVoid(spec) : renderLaunch(spec, 'first');
}

function startsOf(spec: LaunchSpec): number {
  return countStarts(join(spec.directory ?? '', '../ledger'));
}

async function casesIn(shell: Shell): Promise<Case[]> {
  const cases: Case[] = [];
  for (const make of MAKERS) {
    for (const part of ['launch', 'launcher', 'void'] as const) {
      const spec = make();
      const steps = await visitedIn(shell, scriptOf(part, spec), part, join(makeFolder('trace'), 'steps'));
      await untilQuiet(spec);
      for (const step of steps) {
        const where = { part, step };
        cases.push(...WHILE_FROZEN.map((then) => ({ where, signal: 'STOP' as const, then, make })));
        cases.push(...AFTER_CRASH.map((then) => ({ where, signal: 'KILL' as const, then, make })));
      }
    }
  }
  return cases;
}

/** As a job does it: asked again until the host says what came of it. */
async function retry(shell: Shell, spec: LaunchSpec): Promise<LaunchOutcome> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    claims += 1;
    const { outcome } = await launch(shell, spec, `again${claims}`);
    if (outcome !== null) return outcome;
  }
  throw new Error('five retries said nothing');
}

async function stop(shell: Shell, spec: LaunchSpec): Promise<LaunchOutcome | null> {
  return parseLaunch((await runIn(shell, renderVoid(spec))).output);
}

/** What the retry and the stop said. */
async function befall(shell: Shell, spec: LaunchSpec, then: Case['then']) {
  const early = then.startsWith('a stop') ? await stop(shell, spec) : null;
  const retried = then.includes('a retry') ? await retry(shell, spec) : null;
  const late = then.endsWith('then a stop') ? await stop(shell, spec) : null;
  return { retried, stopped: early ?? late };
}

interface Judged {
  readonly hasHalted: boolean;
  /** null when everything that was said agrees with how often the program started; else what happened. */
  readonly wrong: string | null;
}

async function judge(shell: Shell, one: Case): Promise<Judged> {
  const { signal, then } = one;
  const spec = one.make();
  const halted = await begin(shell, one, spec);
  const { hasHalted } = halted;
  const { retried, stopped } = await befall(shell, spec, then);
  halted.thaw();
  const first = await halted.outcome;
  await untilQuiet(spec);
  const before = startsOf(spec);
  const last = await retry(shell, spec);
  await untilQuiet(spec);
  const starts = startsOf(spec);
  const said = [first, retried, stopped, last].map((outcome) => outcome?.kind ?? '-');
  const isVoid = said.includes('void');
  // Killed between the claim and exec: that was the start, and the exit record says how it ended.
  const hasDied = !isVoid && starts === 0 && signal === 'KILL' && (await exitOf(spec))?.signal === 9;
  for (const folder of [spec.path, spec.directory ?? spec.path]) rmSync(join(folder, '..'), { recursive: true });
  const wrongs = [
    starts !== (isVoid || hasDied ? 0 : 1) && 'starts',
    isVoid && (said.includes('started') || said.includes('already')) && 'both void and started',
    said.filter((kind) => kind === 'started').length > 1 && 'started twice',
    said.slice(signal === 'KILL' ? 1 : 0).includes('refused') && 'refused',
    signal === 'STOP' && first === null && 'no answer of the frozen one',
    retried !== null && !isVoid && before !== starts && 'a retry that started nothing',
  ].filter((wrong) => wrong !== false);
  if (wrongs.length === 0) return { hasHalted, wrong: null };
  const wrong = `${wrongs.join(', ')}: ${nameOf(one, spec)} ${signal}, then ${then}: ${before} starts, then ${starts}; said ${said.join(' ')}`;
  return { hasHalted, wrong };
}

function begin(shell: Shell, { where, signal }: Case, spec: LaunchSpec): Promise<Halted> {
  const halt = { signal, mark: join(spec.path, '../mark') };
  if (typeof where === 'string') {
    return runHaltedInMove(shell, { spec, script: scriptOf('launch', spec), halt }, where);
  }
  return runHalted(shell, { spec, script: scriptOf(where.part, spec), halt }, where);
}

function nameOf({ where }: Case, spec: LaunchSpec): string {
  if (typeof where === 'string') return `${where} the move`;
  const { part, step } = where;
  return `${part} ${step} (${stepsIn(scriptOf(part, spec), part).at(step)})`;
}

async function judgeAll(shell: Shell, cases: readonly Case[]): Promise<string[]> {
  const left = [...cases];
  const judged: Judged[] = [];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) judged.push(await judge(shell, next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(judged.filter(({ hasHalted }) => hasHalted).length).toBeGreaterThan(cases.length * 0.7);
  return judged.flatMap(({ wrong }) => wrong ?? []);
}

describe.each(findShells().filter(({ name }) => name !== 'bash'))('in $name', (shell) => {
  test('a launch that stands still or dies at any step, and goes on after a retry or a stop, is one start or none', async () => {
    const all = await casesIn(shell);
    const apart = Math.max(1, all.length / CASES);
    const cases = Array.from({ length: Math.min(CASES, all.length) }, (_, index) => all[Math.floor(index * apart)]);
    const chosen = cases.filter((one): one is Case => one !== undefined);
    const begun = Date.now();
    const wrong = await judgeAll(shell, chosen);
    if (process.env.LAUNCH_CASES !== undefined)
      console.log(
        `${shell.name}: ${chosen.length} of ${all.length} cases in ${Math.round((Date.now() - begun) / 1000)} s`,
      );
    expect(wrong).toEqual([]);
  }, 3_600_000);

  test('a launch that stands still within the very move of its claim is one start or none', async () => {
    const cases = (['before', 'after'] as const).flatMap((where, index) =>
      WHILE_FROZEN.map((then): Case => ({ where, signal: 'STOP', then, make: MAKERS[index] ?? MAKERS[0] })),
    );
    expect(await judgeAll(shell, cases)).toEqual([]);
  }, 120_000);
});
