/** What people are told of a run beside the run itself: names, the way to its thread, what is known of its trouble from before. */

import type { Place } from '../chat.ts';
import { troubleOf } from '../history/trouble.ts';
import { runTailLine } from '../report/terminal.ts';
import type { Before, View } from '../report/view.ts';
import type { RunSummary } from '../requests.ts';
import { hostsWith } from '../rights.ts';
import type { Run } from '../run/run.ts';
import { within } from '../within.ts';
import type { Call } from './call.ts';
import { inChannel, nameOf } from './say.ts';

/** The view of a run, and the way to its thread as mrkdwn. */
export async function viewOf(
  call: Call,
  { run, root }: RunSummary,
): Promise<{ readonly view: View; readonly thread: string }> {
  const { by } = run.request;
  const verifier = run.verification?.by ?? null;
  const [requesterName, stopperName, verifierName, before, thread] = await Promise.all([
    by === '' ? '' : nameOf(call, by),
    run.stopBy === null ? null : nameOf(call, run.stopBy),
    verifier === null ? null : nameOf(call, verifier),
    beforeOf(call, run),
    wayToThread(call, root),
  ]);
  const view = {
    ...{ requesterName, stopperName, hostLine: runTailLine(call.config, run) },
    ...(verifierName === null ? {} : { verifierName }),
    ...(before === null ? {} : { before }),
  };
  return { view, thread };
}

/** What is known of its trouble, as its card shows it; earlier runs on hosts that the caller may see alone. */
async function beforeOf(call: Call, run: Run): Promise<Before | null> {
  const trouble = troubleOf(run);
  if (trouble === null) return null;
  const hosts = hostsWith(call.config, call.who, 'see');
  const { earlier, note } = await call.desk.before(trouble, run.request.id, hosts);
  if (earlier === null && note === null) return null;
  const [link, byName] = await Promise.all([
    earlier?.thread == null ? null : linkTo(call, earlier.thread),
    note === null ? '' : nameOf(call, note.by),
  ]);
  return {
    earlier: earlier === null ? null : { ...earlier, link },
    note: note === null ? null : { ...note, byName },
  };
}

/** null where Slack gives none, or not soon. */
export async function linkTo(call: Call, place: Place): Promise<string | null> {
  const link = await within(
    call.limits.person / 2,
    call.chat.permalink(place).catch(() => null),
  );
  return link === 'late' ? null : link;
}

/** The way to a run's thread as a sentence, as mrkdwn. */
export async function wayToThread(call: Call, root: RunSummary['root']): Promise<string> {
  if (root === null) return 'Its thread is not posted yet.';
  const link = await linkTo(call, root);
  return link === null ? `Its thread is ${inChannel(root.channel)}.` : `<${link}|Open its thread>.`;
}
