import type { State } from './oracle.ts'

/** A moment after a deed, and what everybody stated then. */
export interface Moment {
  readonly at: string
  readonly after: string
  readonly state: State
}
