/** Why a mail was not sent. Its message is fit to be shown. */
export class MailFailure extends Error {
  /** The server had all of it and did not say whether it took it. */
  readonly mayBeSent: boolean
  constructor(message: string, mayBeSent = false) {
    super(message)
    this.name = 'MailFailure'
    this.mayBeSent = mayBeSent
  }
}
