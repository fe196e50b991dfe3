/** Why a mail was not sent. Its message may be shown to the author of the mail. */
export class MailFailure extends Error {
  /** Message without the text of the server, which may repeat anything in the mail. */
  readonly briefly: string
  /** The server had all of it and did not say whether it took it. */
  readonly mayBeSent: boolean

  /** @param said by the server, or by who could not reach it */
  constructor(what: string, { said, mayBeSent = false }: { said?: string; mayBeSent?: boolean } = {}) {
    super(said === undefined ? `${what}.` : `${what}: ${said}`)
    this.name = 'MailFailure'
    this.briefly = `${what}.`
    this.mayBeSent = mayBeSent
  }
}
