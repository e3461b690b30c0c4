/** How a run's server is to be asked, by its command; of one that was found, by what its process and its log said. */

import { servingOf } from '../verify/read-serving.ts';
import type { Serving } from '../verify/serving.ts';
import type { Run } from './run.ts';

/** `environment`: the recipe's; empty where only the command matters. */
export function servingOfRun(
  { request, reading }: Pick<Run, 'request' | 'reading'>,
  environment: Readonly<Record<string, string>>,
): Serving {
  const serving = servingOf({ argv: request.argv, environment, asked: reading.asked });
  return request.found?.isTls === true ? { ...serving, scheme: 'https' } : serving;
}
