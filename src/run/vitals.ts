/** What looks at a ready server mean for its run: the card's load, and what somebody should hear of. */

import type { TeamRow } from '../config/config.ts';
import { judgeLife } from '../vitals/death.ts';
import { judgeDisks } from '../vitals/disks.ts';
import { judgeErrors } from '../vitals/errors.ts';
import { calmed, judgeHang } from '../vitals/hang.ts';
import { judgeLoad } from '../vitals/load.ts';
import { type Judged, type Look, lookAt } from '../vitals/look.ts';
import { judgeTrend } from '../vitals/trend.ts';
import { NO_VITALS, type Vitals } from '../vitals/vitals.ts';
import { seeHealth } from './engine-death.ts';
import type { Step } from './happening.ts';
import type { Observation } from './observe.ts';
import type { Run } from './run.ts';

const SECOND_MS = 1000;
const JUDGES: readonly ((vitals: Vitals, look: Look) => Judged)[] = [judgeLife, judgeHang, judgeErrors, judgeTrend];

export function seeBeat(run: Run, seen: Observation & { kind: 'beat' }, teamRows: readonly TeamRow[]): Step {
  if (run.phase !== 'ready') return { run, happened: [] };
  const { beat, loadMs, acceptanceFloor, at } = seen;
  const before = run.vitals ?? NO_VITALS;
  const seconds = run.request.budgets?.ready;
  const look = lookAt(beat, before, {
    ...{ loadMs, acceptanceFloor, heardAt: run.heard },
    readyAt: run.visits.findLast(({ phase }) => phase === 'ready')?.at ?? at,
    budgetMs: seconds === undefined ? null : seconds * SECOND_MS,
    verified: run.verification?.acceptance ?? null,
  });
  const judged = isJudged(run)
    ? judgeAll({ ...run, vitals: before }, seen, { look, teamRows })
    : { run: { ...run, vitals: unjudged(before) }, happened: [] };
  const vitals = judgeLoad(judged.run.vitals ?? before, look).vitals;
  return { run: { ...judged.run, vitals: passed(vitals, look) }, happened: judged.happened };
}

export function seeDisks(run: Run, { disks, at, seen }: Observation & { kind: 'disks' }): Step {
  if (run.phase !== 'ready' || !isJudged(run)) return { run, happened: [] };
  const { vitals, news } = judgeDisks(run.vitals ?? NO_VITALS, disks, at);
  return { run: { ...run, vitals }, happened: news.map((one) => ({ at, seen, ...one })) };
}

/** Of a run that is being stopped, and of a host that is not heard, nothing is told. */
function isJudged({ stopBy, pulse }: Run): boolean {
  return stopBy === null && pulse !== 'out_of_contact';
}

function judgeAll(
  run: Run,
  { at, seen }: Observation & { kind: 'beat' },
  { look, teamRows }: { readonly look: Look; readonly teamRows: readonly TeamRow[] },
): Step {
  const died = seeHealth(run, { at, seen, health: look.beat.health, teamRows });
  let vitals = died.run.vitals ?? NO_VITALS;
  const happened = [...died.happened];
  for (const judge of JUDGES) {
    const judged = judge(vitals, look);
    vitals = judged.vitals;
    happened.push(...judged.news.map((one) => ({ at, seen, ...one })));
  }
  return { run: { ...died.run, vitals }, happened };
}

function unjudged(vitals: Vitals): Vitals {
  const { memory } = vitals;
  return { ...vitals, memory: { ...memory, hang: calmed(memory.hang), death: { ...memory.death, dying: null } } };
}

function passed(vitals: Vitals, { beat, at, counters, before }: Look): Vitals {
  const last = counters === null ? before : { at, counters };
  return { ...vitals, beat, memory: { ...vitals.memory, last } };
}
