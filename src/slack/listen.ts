/** What comes in goes to who answers it, and what they say goes back. Everything is acknowledged, known or not: else people see an error of Slack's. */

import type { App, ViewResponseAction, ViewSubmitAction } from '@slack/bolt';
import type { Message } from '../chat.ts';
import { answerCommand } from './answer.ts';
import type { Dialogs, Edge, Followup } from './call.ts';
import { answerClick } from './click.ts';
import type { Gate } from './gate.ts';
import { answerMention } from './mention.ts';
import { answerChoice, answerSubmission, type SubmissionAnswer } from './modal/modal.ts';
import { createOnce } from './once.ts';
import { type Done, readChoice, readClick, readCommand, readMention, readSubmission } from './payloads.ts';
import { type Bring, openWayBack, privately } from './respond.ts';
import { say } from './say.ts';

export interface Listening {
  readonly edge: Edge;
  readonly gate: Gate;
  readonly apiUrl: string;
  dialogs(trigger: string): Dialogs;
  /** Work under way, which a stop waits for. `cutOff`: what is done about it where the stop can't wait any longer. */
  fly(work: Promise<void>, cutOff?: () => Promise<void>): void;
  /** The app was taken out of the workspace, or its token revoked. */
  onRevoked(why: string): void;
}

/** A request of Slack's may be replayed for 5 minutes before its signature is too old: so many triggers are remembered. */
const REMEMBERED = 5000;

export function listen(app: App, listening: Listening): void {
  listenToCommands(app, listening);
  listenToActions(app, listening);
  listenToViews(app, listening);
  listenToEvents(app, listening);
  app.options(/.*/, ({ ack }) => ack({ options: [] }));
  app.shortcut(/.*/, ({ ack }) => ack());
  app.error(async (error) => listening.edge.log.error({ err: error }, 'Slack: a listener failed'));
}

function listenToCommands(app: App, listening: Listening): void {
  const once = createOnce<Message | null>(REMEMBERED);
  app.command(/.*/, ({ ack, command }) => {
    const typed = readCommand(command);
    const bring = wayBack(listening, typed);
    const answering = once(typed.trigger, () =>
      answerCommand(listening.edge, typed, followup(listening, typed, bring)),
    );
    const work = answering.then((message) => acknowledge({ listening, ack, bring, message }));
    listening.fly(work);
    return work;
  });
}

function listenToActions(app: App, listening: Listening): void {
  const { edge, fly } = listening;
  const once = createOnce<void>(REMEMBERED);
  app.action({ type: 'block_actions' }, async ({ ack, body, action }) => {
    await ack().catch((error: unknown) => edge.log.warn({ err: error }, 'the ack of a click did not pass'));
    const choice = readChoice(body, action);
    const click = readClick(body, action);
    const work = once(body.trigger_id, async () => {
      if (choice !== null) await answerChoice(edge, choice, followup(listening, choice));
      if (click === null) return;
      const bring = wayBack(listening, click);
      const { replaces, ...message } = await answerClick(edge, click, followup(listening, click, bring));
      await bring(message, { replaces });
    });
    fly(work, click === null ? undefined : () => wayBack(listening, click)(CUT_OFF));
    return work;
  });
  app.action({ type: 'interactive_message' }, ({ ack }) => ack());
  app.action({ type: 'dialog_submission' }, ({ ack }) => ack());
}

function listenToViews(app: App, listening: Listening): void {
  const once = createOnce<SubmissionAnswer>(REMEMBERED);
  app.view<ViewSubmitAction>({ type: 'view_submission' }, ({ ack, body }) => {
    const returned = readSubmission(body);
    const answering = once(returned.trigger, () =>
      answerSubmission(listening.edge, returned, followup(listening, returned)),
    );
    const work = answering.then(async (answer) => {
      const action = actionOf(answer, listening.gate);
      await (action === null ? ack() : ack(action));
    });
    listening.fly(work);
    return work;
  });
  app.view({ type: 'view_closed' }, ({ ack }) => ack());
}

function listenToEvents(app: App, listening: Listening): void {
  const once = createOnce<void>(REMEMBERED);
  app.event('app_mention', async ({ event, body }) => {
    const mention = readMention(event, body);
    if (mention === null) return;
    const work = once(mention.trigger, async () => {
      const bring = wayBack(listening, mention);
      const wasEdited = event.edited !== undefined;
      const ways = { ...followup(listening, mention, bring), dialogs: null };
      const answer = wasEdited ? EDITED : await answerMention(listening.edge, mention, ways);
      if (answer !== null) await bring(answer);
    });
    listening.fly(work);
    return work;
  });
  app.event('app_uninstalled', async () => listening.onRevoked('the app was removed from the workspace'));
  app.event('tokens_revoked', async ({ event }) => {
    if ((event.tokens.bot ?? []).length > 0) listening.onRevoked("the bot's token was revoked");
  });
}

/** What the message asked for before it was edited may have been done. */
const EDITED = say('An edited message is not carried out. Send what you want as a new one.');

/** Said at a stop of the process. */
const CUT_OFF = say(
  'Vigil is being restarted, so its answer does not follow. What you asked for may have been done all the same: look with `/vllm status` or `/dflash status`, then ask again.',
);

function wayBack({ edge, gate, apiUrl }: Listening, { origin }: Done<object>): Bring {
  return openWayBack({ chat: edge.chat, gate, log: edge.log, apiUrl }, origin);
}

function followup(
  listening: Listening,
  done: Done<{ readonly trigger: string }>,
  bring: Bring = wayBack(listening, done),
): Followup {
  const { edge, fly, dialogs } = listening;
  const { origin, trigger } = done;
  return {
    respond: (message) => bring(message),
    later: (work, how) =>
      fly(
        work.catch((error: unknown) => edge.log.error({ err: error }, 'what follows an answer failed')),
        how === 'owed' ? () => bring(CUT_OFF) : undefined,
      ),
    dialogs: dialogs(trigger),
    url: origin.url,
  };
}

/** Ack, and where the connection broke in between, the way back: nobody is left without a word. */
async function acknowledge(way: {
  listening: Listening;
  ack: (message?: ReturnType<typeof privately>) => Promise<void>;
  bring: Bring;
  message: Message | null;
}): Promise<void> {
  const { message } = way;
  try {
    await (message === null ? way.ack() : way.ack(privately(way.listening.gate.message(message))));
  } catch (error) {
    way.listening.edge.log.warn({ err: error }, 'an ack did not pass; the answer goes another way');
    if (message !== null) await way.bring(message);
  }
}

/** null = the modal closes. */
function actionOf(answer: SubmissionAnswer, gate: Gate): ViewResponseAction | null {
  if (answer.kind === 'close') return null;
  if (answer.kind === 'view') return { response_action: 'update', view: gate.view(answer.view) };
  return { response_action: 'errors', errors: gate.errors(answer.errors) };
}
