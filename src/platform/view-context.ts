import type { Actor } from './actor.ts'
import type { Database } from './db/database.ts'

export interface ViewContext {
  readonly database: Database
  readonly actor: Actor
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly attributes: Readonly<Record<string, unknown>>
  /** Media type chosen by the caller for a view that has several. */
  readonly mediaType?: string
}
