/** What the modal asks for, and what comes back: choices by field, and what it carries for itself. Nothing of it is trusted. */

import { z } from 'zod';

/** Names of the fields: each is block_id and action_id at once, and never changes, so that Slack keeps what is chosen while the modal is changed. */
export const FIELDS = { host: 'host', recipe: 'recipe', queue: 'queue', force: 'force' } as const;

/** The only value of a tick. */
export const TICKED = 'yes';

/** Slack's limit of private_metadata is 3,000 characters, all together. */
const MOST_URL = 2500;

const Carried = z.object({
  kind: z.enum(['serve', 'train']),
  /** Where the command was typed. */
  channel: z.string().regex(/^[CDG][A-Z0-9]{1,30}$/),
  /** The command's response_url, or null. */
  url: z.string().max(MOST_URL).nullable(),
});
export type Carried = z.infer<typeof Carried>;

/** As private_metadata takes it. */
export function writeCarried({ kind, channel, url }: Carried): string {
  return JSON.stringify({ kind, channel, url: url !== null && url.length > MOST_URL ? null : url });
}

/** null for what is of another version. */
export function readCarried(metadata: string): Carried | null {
  try {
    return Carried.parse(JSON.parse(metadata));
  } catch {
    return null;
  }
}

export interface Chosen {
  readonly host: string | null;
  readonly recipe: string | null;
  readonly isQueued: boolean;
  readonly isForced: boolean;
}

/** What is chosen, by what Slack says of the fields. */
export function readChosen(values: Readonly<Record<string, string | readonly string[] | null>>): Chosen {
  const [host, recipe] = [values[FIELDS.host], values[FIELDS.recipe]];
  return {
    host: typeof host === 'string' ? host : null,
    recipe: typeof recipe === 'string' ? recipe : null,
    isQueued: values[FIELDS.queue]?.includes(TICKED) === true,
    isForced: values[FIELDS.force]?.includes(TICKED) === true,
  };
}
