/** Why a mail was not sent. Its message may be shown to the author of the mail. */
export class MailFailure extends Error {
  /** Message without the text of the server, which may repeat anything in the mail. */
  readonly briefly: string
  /** Whether the server got the whole mail and did not report whether it accepted it. */
  readonly mayBeSent: boolean

  /** @param said text of the server, or of the error of the connection */
  constructor(what: string, { said, mayBeSent = false }: { said?: string; mayBeSent?: boolean } = {}) {
    super(said === undefined ? `${what}.` : `${what}: ${said}`)
    this.name = 'MailFailure'
    this.briefly = `${what}.`
    this.mayBeSent = mayBeSent
  }
}
