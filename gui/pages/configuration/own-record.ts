import type { Resource } from '../../api/records.ts'
import type { Data } from './data.ts'

/** Own properties or settings of a node, or of the installation. */
export type OwnRecord = Resource<{
  readonly data: Data
  readonly version: number
  readonly created_by: string
  readonly updated_at: string
}>
