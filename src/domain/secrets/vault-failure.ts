import { Failure } from '#platform/failure.ts'

/** A vault that cannot be had, or that does not let us. Its message is fit to be shown: no credentials, no values. */
export class VaultFailure extends Failure {
  constructor(detail: string) {
    super([{ code: 'unavailable', detail }], { 'retry-after': '5' })
    this.name = 'VaultFailure'
  }
}
