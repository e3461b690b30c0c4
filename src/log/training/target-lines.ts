/** Whose line it is in a training's log, and what the target server's own lines mean there. */

import type { Placed, Where } from '../placing.ts';
import { type Finding, fact } from '../rules/rule.ts';
import { findDownload } from '../rules/table.ts';
import { isBar, isRank, type Spoken } from '../speaker.ts';
import { parseDownload } from './bars.ts';
import type { TrainingState } from './state.ts';
import type { TrainingStory } from './story.ts';

/** False for the target server's: its logger's records, lines with its prefixes, and the bars that older ones draw without one. */
export function isTrainers(said: Spoken, state: TrainingState): boolean {
  if (said.process !== null) return isRank(said.process);
  if (said.shape === 'record' || said.pid !== null) return false;
  if (said.shape !== 'plain' || !state.hasTarget || !isBar(said.message)) return true;
  return !/% Completed \||^Capturing /.test(said.message) && findDownload(said.message) === null;
}

/** What a server's findings are in a training's log: its start, its end and its shards are not the training's. */
export function asTarget(placed: readonly Placed[], where: Where, story: TrainingStory): readonly Placed[] {
  if (placed.length === 0) return [];
  const bytes = isBar(where.said.message) ? parseDownload(where.said.message) : null;
  if (bytes === null) story.target.move();
  else story.target.fetch(bytes, where);
  const told = placed.flatMap((each) => {
    const finding = findingOf(each.finding, where, story);
    return finding === null ? [] : [{ ...each, finding }];
  });
  return [...told, ...story.tell([], where)];
}

function findingOf(finding: Finding, { line, said }: Where, story: TrainingStory): Finding | null {
  switch (finding.kind) {
    case 'start':
      return null;
    case 'ready':
      story.target.rise();
      return finding;
    case 'shutdown':
      story.target.stop(line);
      return null;
    case 'trouble':
      return story.isExpected(finding.trouble) ? null : finding;
    case 'fact':
      if (finding.key !== 'version') return finding;
      story.target.start();
      return said.process === 'APIServer' && said.pid !== null ? fact('target_pid', said.pid) : null;
    case 'progress':
      return story.state.isTrained ? null : fileProgress(finding.progress);
    default:
      return finding;
  }
}

function fileProgress({ phase, done, total }: Extract<Finding, { kind: 'progress' }>['progress']): Finding | null {
  if (phase !== 'loading' && phase !== 'downloading') return null;
  return { kind: 'progress', progress: { phase: 'target_starting', done, total, unit: 'file' } };
}
