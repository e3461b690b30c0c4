// @ts-check

/** The clone can't be made ready. The message says what is missing and what to do; it is shown without a stack. */
export class PreparationFailed extends Error {
  /** @param {string} message @param {number} [exitCode] 1, or 128 + the signal that ended an installation */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'PreparationFailed';
    this.exitCode = exitCode;
  }
}
