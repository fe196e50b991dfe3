/**
 * What keeps Sluice from starting and is for a person to put right. The message says what is wrong and what would be
 * right; `bin/start` prints it without a stack. Anything else that is thrown while starting is a bug.
 */
export class CannotStart extends Error {
  override name = 'CannotStart'
}
