import type { Body } from '../jsonapi/body.ts'
import type { Shape } from '../jsonapi/shape.ts'

/** A request for a command, after its form was checked. */
export interface Incoming {
  readonly method: string
  /** Path of the request, without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: Body
  readonly bodyBytes: Uint8Array
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Parts of the record that the response shows; without it, those of a GET. */
  readonly shape?: Shape | undefined
}
