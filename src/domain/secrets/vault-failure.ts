import { Failure } from '#platform/failure.ts'

/**
 * Error of a vault that is unavailable, or that refuses access. Its message may be shown: no credentials, no values.
 */
export class VaultFailure extends Failure {
  constructor(detail: string) {
    super([{ code: 'unavailable', detail }], { 'retry-after': '5' })
    this.name = 'VaultFailure'
  }
}
