/**
 * Error that keeps Sluice from starting and that a person has to fix. The message names the fault and the correction;
 * `bin/start` prints it without a stack. Any other error while starting is a bug.
 */
export class CannotStart extends Error {
  override name = 'CannotStart'
}
