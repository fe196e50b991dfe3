import { type FailureCode, type Fault, failureCodes, failureKinds, statusOf } from '../failure.ts'

export interface ErrorObject {
  readonly id?: string
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail?: string
  readonly source?: Fault['source']
  readonly meta?: Fault['meta']
}

/** Faults as error objects of JSON:API 1.1, one per fault. */
export const errorDocument = (faults: readonly Fault[]): { errors: ErrorObject[] } => ({
  errors: faults.map(({ code, detail, source, meta }) => ({
    status: String(statusOf(code)),
    code,
    title: titleOf(code),
    detail,
    ...(source && { source }),
    ...(meta && { meta }),
  })),
})

/** A bug of ours: its id, and no internals. */
export const bugDocument = (id: string): { errors: ErrorObject[] } => ({
  errors: [{ id, status: '500', code: 'bug', title: 'Something went wrong here; the id finds it in the log' }],
})

function titleOf(code: FailureCode): string {
  const { kind, why } = failureCodes[code]
  return 'status' in failureCodes[code] ? sentence(why) : failureKinds[kind].title
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
