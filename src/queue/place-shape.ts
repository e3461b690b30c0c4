/** Where a message stands in Slack, as it was written down. */

import { z } from 'zod';

export const PlaceShape = z.object({ channel: z.string(), ts: z.string() });
