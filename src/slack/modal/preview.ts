/** The dry run inside the modal: asked of the host once both are chosen, shown unless something else has been chosen meanwhile. */

import type { KnownBlock } from '@slack/types';
import { ChatError } from '../../chat.ts';
import { UsageError } from '../../errors.ts';
import { listed, section } from '../../report/blocks.ts';
import { clip, markup } from '../../report/escape.ts';
import { DeskClosed } from '../../requests.ts';
import { askHost } from '../ask.ts';
import type { Call, Dialogs } from '../call.ts';
import { mustHave } from '../commands/define.ts';
import { needs, opening } from '../commands/dry-run.ts';
import { type Form, launchView } from './view.ts';

interface Wanted {
  readonly host: string;
  readonly recipe: string;
}

interface Opened {
  readonly dialogs: Dialogs;
  readonly viewId: string;
  readonly form: Omit<Form, 'preview'>;
  /** The modal's hash as we left it: a newer choice changes it, and then what is told here is of no use any more. null = not known. */
  readonly hash: string | null;
}

/** Asks the host and shows what it tells, or why it can't be told. */
export async function showPreview(wanted: Wanted, { dialogs, viewId, form, hash }: Opened, call: Call): Promise<void> {
  const preview = await previewOf(wanted, call);
  const shown = await change({ dialogs, viewId, form: { ...form, preview }, hash }, call);
  // Whatever Slack has against these blocks: nobody is to look at "Looking at …" for ever.
  if (shown === 'refused') await change({ dialogs, viewId, form: { ...form, preview: CANNOT_SHOW }, hash }, call);
}

/** Changes an open modal; its new hash, 'gone' where it was closed or is another one by now, 'refused' where Slack would not take it. */
export async function change(
  { dialogs, viewId, form, hash }: Omit<Opened, 'form'> & { readonly form: Form },
  call: Call,
): Promise<{ readonly hash: string | null } | 'gone' | 'refused'> {
  try {
    return { hash: await dialogs.update(viewId, launchView(form), hash) };
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    if (error.kind === 'gone') return 'gone';
    call.log.warn({ err: error }, 'Slack did not take what a modal was to show');
    return 'refused';
  }
}

const CANNOT_SHOW = told("What it would do can't be shown here. The command with `--dry-run` tells it.");

async function previewOf(wanted: Wanted, call: Call): Promise<readonly KnownBlock[]> {
  try {
    mustHave(call, 'launch', wanted.host);
    const answer = await askHost(call, { kind: 'dry_run', ...wanted });
    if (answer.kind === 'failed') return told(`${answer.reason} Nothing was started.`);
    return [...opening(wanted, answer.told), listed(needs(answer.told))];
  } catch (error) {
    if (error instanceof UsageError) return told(error.message);
    if (error instanceof DeskClosed) return told("Redis does not answer: what it would do can't be told now.");
    call.log.error({ err: error, host: wanted.host }, 'a dry run in a modal failed');
    return told("What it would do can't be told: Vigil itself failed, and its own log has the reason.");
  }
}

/** A sentence that may hold what a host said. */
function told(sentence: string): readonly KnownBlock[] {
  return [section(markup(clip(sentence, 1500)))];
}
