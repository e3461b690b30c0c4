/** views.*: modals, and the Home tab, which is kept for whoever asks and shown nowhere. */
import { z } from 'zod';
import type { ModalView } from '../block-kit/view.ts';
import { homeFaults } from '../blocks.ts';
import type { OpenView } from '../records.ts';
import { toWireView } from '../views.ts';
import { json } from './arguments.ts';
import { defineMethod, invalidArguments, type Scene, SlackError, type StoredView } from './method.ts';

const SIZE_LIMIT = 250_000;

/** The view's size is judged as it was sent. */
const view = z.string().transform((text, context) => {
  const parsed = json.safeParse(text);
  if (parsed.success) return { given: parsed.data, isTooLarge: text.length > SIZE_LIMIT };
  context.addIssue({ code: 'custom', message: 'is not JSON' });
  return z.NEVER;
});

type SentView = z.output<typeof view>;

export const views = {
  'views.open': defineMethod({
    args: { trigger_id: z.string(), view },
    run(args, scene) {
      const taken = takeView(args.view, scene);
      refuseKnownName(taken, null, scene);
      const opened = scene.dialogs.open(exchange(args.trigger_id, scene), taken);
      return record('views.open', opened, scene);
    },
  }),

  'views.push': defineMethod({
    args: { trigger_id: z.string(), view },
    run(args, scene) {
      const taken = takeView(args.view, scene);
      refuseKnownName(taken, null, scene);
      const user = exchange(args.trigger_id, scene);
      const below = scene.workspace.views().findLast((shown) => shown.user === user);
      if (below === undefined) throw new SlackError('not_found');
      if (scene.dialogs.stackOf(below).length >= 3) throw new SlackError('push_limit_reached');
      return record('views.push', scene.dialogs.push(below, taken), scene);
    },
  }),

  'views.update': defineMethod({
    args: { view_id: z.string().optional(), external_id: z.string().optional(), hash: z.string().optional(), view },
    run(args, scene) {
      const taken = takeView(args.view, scene);
      const shown =
        args.view_id === undefined
          ? scene.dialogs.byExternalId(args.external_id ?? '')
          : scene.workspace.views().find(({ id }) => id === args.view_id);
      if (shown === undefined) throw new SlackError('not_found');
      if (args.hash !== undefined && args.hash !== shown.hash) throw new SlackError('hash_conflict');
      refuseKnownName(taken, shown, scene);
      return record('views.update', scene.dialogs.update(shown, taken), scene);
    },
  }),

  'views.publish': defineMethod({
    args: { user_id: z.string(), view },
    run(args, scene) {
      const faults = homeFaults(args.view.given);
      if (faults.length > 0) throw invalidArguments(faults);
      if (!scene.workspace.users.has(args.user_id)) throw new SlackError('user_not_found');
      const home = z.looseObject({}).parse(args.view.given);
      const id = `V${scene.nextId()}`;
      scene.views.push({ id, method: 'views.publish', user: args.user_id, view: home });
      return { view: { ...home, id, hash: scene.nextId(), team_id: scene.workspace.teamId } };
    },
  }),
};

function takeView({ given, isTooLarge }: SentView, scene: Scene): ModalView {
  if (isTooLarge) throw new SlackError('view_too_large');
  const verdict = scene.dialogs.check(given);
  if (verdict.kind === 'refused') throw invalidArguments(verdict.details);
  return verdict.view;
}

/** Whose trigger it is. The view was judged before: one that Slack refuses leaves the trigger good. */
function exchange(triggerId: string, { triggers }: Scene): string {
  const exchanged = triggers.exchange(triggerId);
  if (exchanged.kind === 'user') return exchanged.user;
  if (exchanged.kind === 'unknown') throw invalidArguments(['invalid `trigger_id` [json-pointer:/trigger_id]']);
  throw new SlackError(`${exchanged.kind}_trigger_id`);
}

function refuseKnownName({ external_id: name }: ModalView, itself: OpenView | null, { dialogs }: Scene): void {
  const other = name === undefined ? undefined : dialogs.byExternalId(name);
  if (other !== undefined && other.id !== itself?.id) throw new SlackError('duplicate_external_id');
}

function record(method: StoredView['method'], shown: OpenView, scene: Scene): Record<string, unknown> {
  scene.views.push({ id: shown.id, method, user: shown.user, view: shown.view });
  return { view: toWireView(shown, scene.workspace) };
}
