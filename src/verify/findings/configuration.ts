/** What the engine says that it runs with, against what it was asked for; and whether it tells of itself. */

import { ownWords, readServer } from '../../check/server.ts';
import { fileOfFlags } from '../../check/unread.ts';
import { code, value } from '../../check/words.ts';
import { askedBy } from '../../log/engine/argv.ts';
import { compareEngine, type Difference } from '../../log/engine/compare.ts';
import type { JsonObject } from '../../log/events.ts';
import type { Measured } from '../measured.ts';
import type { Finding } from '../verification.ts';
import { finding } from './finding.ts';

/** More of them are one mistake: the others are named together. */
const MOST = 8;

const ADVICE =
  'Its log says why, before the line `Initializing … with config`: a flag of another version, or one that the model overrides.';

/** A finding a difference. */
export function configurationFindings({ run, said }: Pick<Measured, 'run' | 'said'>): readonly Finding[] {
  const { engine, asked } = said;
  if (engine === null)
    return [finding('configuration', 'not_judged', 'its log has no line of the engine about its configuration')];
  const wanted = wantedBy(run.argv, asked);
  if (wanted === null) return [finding('configuration', 'not_judged', 'nobody knows what it was asked for')];
  const differences = compareEngine(wanted, engine.config);
  if (differences.length === 0)
    return [finding('configuration', 'passed', 'The engine runs as it was asked to, as far as its line says')];
  const rest = differences.slice(MOST);
  return [...differences.slice(0, MOST).map(differs), ...(rest.length === 0 ? [] : [differToo(rest)])];
}

/** By its command where that can be read, with what a file of flags adds to it; else by its log. null: nobody knows. */
function wantedBy(argv: readonly string[], asked: JsonObject | null): JsonObject | null {
  if (readServer(argv, {}) === null) return asked;
  // A wrapper's own flags (`conda run -n x`) are none of the server's.
  const own = askedBy(['serve', ...ownWords({ argv })]);
  return fileOfFlags({ argv }) === null ? own : { ...asked, ...own };
}

function differs({ key, asked, got }: Difference): Finding {
  return finding('configuration', 'warned', `The engine runs with \`${key}\` ${value(got)}`, {
    expected: `${typeof asked === 'string' ? code(asked) : value(asked)}, as it was asked for`,
    advice: ADVICE,
    shape: key,
  });
}

function differToo(differences: readonly Difference[]): Finding {
  const keys = differences.map(({ key }) => key);
  return finding('configuration', 'warned', `It differs in more settings: ${keys.map(code).join(', ')}`, {
    expected: 'each as it was asked for',
    advice: ADVICE,
    shape: keys.join(', '),
  });
}

export function statisticsFinding({ serving, prompts }: Pick<Measured, 'serving' | 'prompts'>): Finding {
  const what = 'load, hangs and acceptance can’t be seen';
  if (!serving.hasStats) return finding('statistics', 'not_judged', `\`--disable-log-stats\`: ${what}`);
  if (!prompts.hasMetrics) return finding('statistics', 'not_judged', `/metrics don't tell of the engine: ${what}`);
  return finding('statistics', 'passed', '/metrics tell of the engine');
}
