/** A trouble and its row as the cause that people are told. */

import type { TeamRow } from '../config/config.ts';
import type { Trouble } from '../log/events.ts';
import type { Recognised } from './catalog.ts';
import { type Cause, TEAM_ROW } from './cause.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Facts, Words } from './row.ts';
import { findTeamRow } from './team.ts';

/** Where the trouble was had: it decides between the words of a row. */
export interface Setting {
  readonly kind: 'serve' | 'train';
  /** The server was ready before. */
  readonly wasReady: boolean;
  /** A training's target server had it, in the training's own log. */
  readonly isTarget: boolean;
  readonly facts: Facts;
  readonly teamRows: readonly TeamRow[];
}

export function describe(recognised: Recognised, setting: Setting): Cause {
  const { trouble, row } = recognised;
  const { line, type, process, message, traceback } = trouble;
  const { category, title, why, remedy } = wordsOf(recognised, setting);
  const { id, link, retry } = row;
  const advice = remedy(recognised.found, setting.facts);
  const own = { category, row: id, title, why, remedy: advice, link, retry, fingerprint: fingerprintOf(trouble, id) };
  return { line, type, process, message, traceback, ...own, ...teamWords(trouble, setting) };
}

/** The row's words in this setting. */
function wordsOf({ row }: Recognised, { wasReady, isTarget }: Setting): Words {
  return { ...row, ...(wasReady ? row.onceReady : {}), ...(isTarget ? row.inTarget : {}) };
}

/** What a team's own row says instead. */
function teamWords(trouble: Trouble, { kind, teamRows }: Setting): Partial<Cause> {
  const team = findTeamRow(teamRows, trouble, kind);
  if (team === null) return {};
  const { title, advice, category } = team;
  return { row: TEAM_ROW, title, remedy: advice, ...(category === null ? {} : { category }) };
}
