/** Response of a command, new or stored under an Idempotency-Key. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}
