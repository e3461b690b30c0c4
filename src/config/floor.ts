/** What a recipe's verification demands. */

import type { z } from 'zod';
import type { Floor } from '../verify/verification.ts';
import type { FloorKeys } from './schema.ts';

export function readFloor(keys: z.output<typeof FloorKeys>): Floor {
  return { acceptanceLength: keys.acceptance_length ?? null, tokensPerSecond: keys.tokens_per_second ?? null };
}
