/** How often Slack may be written to, by all processes together: an interface only; src/queue implements it on Redis. */

/**
 * Slack allows about 50 chat.update a minute in a workspace and one chat.postMessage a second in a channel (several hundred a minute in a workspace);
 * what goes beyond is answered with 429, or not shown to anybody.
 */
export interface Budgets {
  /**
   * Takes one of the workspace's 40 edits a minute: 0 = taken, else ms after which to ask again. Who asked first is first among the cards that still
   * ask, and an urgent one (an end) goes before all others.
   */
  edit(card: string, isUrgent: boolean): Promise<number>;
  /** Takes one message of a channel's and of the workspace's: 0 = taken, else ms after which to ask again. `asker` (a run) keeps its place as a card does. */
  post(channel: string, isUrgent: boolean, asker: string): Promise<number>;
  /** After a 429: nobody does it again before that, in ms, but for 5 minutes at most; a message's limit is its channel's. */
  rest(what: 'edit' | { readonly post: string }, ms: number): Promise<void>;
}
