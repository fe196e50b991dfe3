import type { Actor } from './actor.ts'
import type { Tx } from './db/database.ts'

/** Event of the audit trail, as described by the code that records it. The folder `events` stores and seals it. */
export interface NewEvent {
  /** level:subject:action from the catalogue of events; an unknown one is a bug. */
  type: string
  actor: Pick<Actor, 'userId' | 'username'>
  /** The record that the event is about. */
  source?: { type: string; id: string }
  /** The node that the event belongs to, for the rights to read it. Absent: the installation. */
  node?: { id?: string; path: string; projectId: string | null; code?: string; nodeType?: string }
  /** The change or workflow run that the event belongs to. */
  activityId?: string
  message?: string
  /** The type's own keys (`error`, `progress` …), and name, parent_code, request_* where they apply. Never a secret. */
  attributes?: Readonly<Record<string, unknown>>
  /** Limits events with the same key to one in this number of seconds, across all processes. */
  throttle?: { key: string; seconds: number }
}

/** Writes an event in the caller's transaction: the state and its event are committed together, or neither is. */
export type RecordEvent = (tx: Tx, event: NewEvent) => Promise<void>
