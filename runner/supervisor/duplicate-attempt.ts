import type { Attempt, Result } from '../../protocol/runner-protocol.ts'
import { microsecondTime } from '../step/step-log.ts'

/** The result of an attempt that has run, was reported, and is given once more. */
export function ranAlready(): Omit<Result, 'type' | 'seq' | keyof Attempt> {
  const at = microsecondTime()
  return {
    outcome: 'error',
    exitCode: null,
    errorMessage:
      'This attempt has run already, and how it ended was stored: the database of the service is of an earlier time now. Look at what it has done before you run it again.',
    startedAt: at,
    finishedAt: at,
    propertiesDiffs: {},
    artefacts: [],
  }
}
