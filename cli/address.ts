import type { Operation } from '../client/operation.ts'
import type { Resource } from '../client/sluice.ts'
import { apiPath, placeAmong, showing } from './place.ts'
import type { RecordKind } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'

/**
 * The path of one record. A path of another record that is related to exactly one of this type is followed: the
 * properties of an asset are addressed by the asset's path, the settings of all by `/system_configuration`.
 */
export async function addressOf(
  { sluice }: Terminal,
  kind: RecordKind,
  operations: readonly Operation[],
  where: readonly string[],
): Promise<string> {
  const [path = ''] = where
  const owner = path.startsWith('/') && where.length === 1 ? showing(path) : undefined
  if (owner && owner.answers !== kind.type) {
    const shown = await sluice.document<{ data?: Resource }>(apiPath(path))
    const related = shown.data?.relationships?.[kind.type]
    const link = related?.links?.related
    if (link) return new URL(link, sluice.url).pathname
    if (related) throw new Error(`${path} has no ${kind.type} that you may read.`)
  }
  return placeAmong(operations, where, `Where is the ${kind.type}`).path
}
