/** What keeps a rehearsal from starting, in words for whoever started it: told without a stack. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
