/** Modals as people have them open: opened, changed, pushed onto each other, closed. */

import type { ModalView } from './block-kit/view.ts';
import { checkView } from './blocks.ts';
import type { OpenView } from './records.ts';
import { valuesOf } from './view-state.ts';
import type { Workspace } from './workspace.ts';

export class Views {
  readonly #workspace: Workspace;
  readonly #nextId: () => string;

  constructor(workspace: Workspace, nextId: () => string) {
    this.#workspace = workspace;
    this.#nextId = nextId;
  }

  /** A view as the app gave it, or what is wrong with it. */
  check(value: unknown): ReturnType<typeof checkView> {
    return checkView(value, this.#nextId);
  }

  /** An open view; throws, naming those that are open. */
  mustBeOpen(id: string): OpenView {
    const open = this.#workspace.views();
    const found = open.find((view) => view.id === id);
    if (found !== undefined) return found;
    throw new Error(`no view ${id} is open; open are: ${open.map((view) => view.id).join(', ') || 'none'}`);
  }

  /** An open view by the app's own name for it. */
  byExternalId(externalId: string): OpenView | undefined {
    return this.#workspace.views().find(({ view }) => view.external_id === externalId);
  }

  open(user: string, view: ModalView): OpenView {
    const id = `V${this.#nextId()}`;
    return this.#keep({ id, user, view, previous: null, root: id });
  }

  /** Puts a view on top of another. */
  push(below: OpenView, view: ModalView): OpenView {
    return this.#keep({ id: `V${this.#nextId()}`, user: below.user, view, previous: below.id, root: below.root });
  }

  update(shown: OpenView, view: ModalView): OpenView {
    const values = valuesOf(view.blocks, shown.values);
    return this.change(shown, { view, values, errors: {}, trouble: null, hash: this.#hash() });
  }

  /** Changes what a person did in it or what is said about it, not the view itself. */
  change(shown: OpenView, changes: Partial<OpenView>): OpenView {
    return this.#workspace.keepView({ ...shown, ...changes });
  }

  close(shown: OpenView): void {
    this.change(shown, { isOpen: false });
  }

  /** All views of the same stack, the top one first. */
  stackOf(shown: OpenView): OpenView[] {
    return this.#workspace
      .views()
      .filter(({ root }) => root === shown.root)
      .reverse();
  }

  #keep(fresh: Pick<OpenView, 'id' | 'user' | 'view' | 'previous' | 'root'>): OpenView {
    const values = valuesOf(fresh.view.blocks, {});
    return this.#workspace.keepView({ ...fresh, values, hash: this.#hash(), errors: {}, trouble: null, isOpen: true });
  }

  #hash(): string {
    return `${this.#workspace.nextTs()}.${this.#nextId()}`;
  }
}

/** A view as the Web API and interactive payloads show it. */
export function toWireView(shown: OpenView, { app, teamId }: Workspace): Record<string, unknown> {
  const { id, hash, view, values, root, previous } = shown;
  return {
    id,
    team_id: teamId,
    private_metadata: '',
    callback_id: '',
    external_id: '',
    close: null,
    submit: null,
    clear_on_close: false,
    notify_on_close: false,
    ...view,
    state: { values },
    hash,
    previous_view_id: previous,
    root_view_id: root,
    app_id: app.appId,
    app_installed_team_id: teamId,
    bot_id: app.botId,
  };
}
