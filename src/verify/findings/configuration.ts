/** What the engine says that it runs with, against what it was asked for; and whether it tells of itself. */

import { ownWords, readServer } from '../../check/server.ts';
import { code, value } from '../../check/words.ts';
import { compareEngine } from '../../log/engine/compare.ts';
import type { Measured } from '../measured.ts';
import type { Finding } from '../verification.ts';
import { finding } from './finding.ts';

/** More of them are one mistake. */
const MOST = 8;

/** A finding a difference. */
export function configurationFindings({ run, said }: Pick<Measured, 'run' | 'said'>): readonly Finding[] {
  const { engine, asked } = said;
  if (engine === null)
    return [finding('configuration', 'not_judged', 'its log has no line of the engine about its configuration')];
  const isServer = readServer(run.argv, {}) !== null;
  // A wrapper's own flags (`conda run -n x`) are none of the server's.
  const wanted = isServer ? ['serve', ...ownWords({ argv: run.argv })] : asked;
  if (wanted === null) return [finding('configuration', 'not_judged', 'nobody knows what it was asked for')];
  const differences = compareEngine(wanted, engine.config);
  if (differences.length === 0)
    return [finding('configuration', 'passed', 'The engine runs as it was asked to, as far as its line says')];
  return differences.slice(0, MOST).map(({ key, asked: want, got }) =>
    finding('configuration', 'warned', `The engine runs with \`${key}\` ${value(got)}`, {
      expected: `${typeof want === 'string' ? code(want) : value(want)}, as it was asked for`,
      advice:
        'Its log says why, before the line `Initializing … with config`: a flag of another version, or one that the model overrides.',
      shape: key,
    }),
  );
}

export function statisticsFinding({ serving, prompts }: Pick<Measured, 'serving' | 'prompts'>): Finding {
  const what = 'load, hangs and acceptance can’t be seen';
  if (!serving.hasStats) return finding('statistics', 'not_judged', `\`--disable-log-stats\`: ${what}`);
  if (!prompts.hasMetrics) return finding('statistics', 'not_judged', `/metrics don't tell of the engine: ${what}`);
  return finding('statistics', 'passed', '/metrics tell of the engine');
}
