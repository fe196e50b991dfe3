import type { State } from './oracle.ts'

/** A moment after a deed, with all documents of that time. */
export interface Moment {
  readonly at: string
  readonly after: string
  readonly state: State
}
