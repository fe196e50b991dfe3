import type { Operation } from '../client/operation.ts'
import type { Resource } from '../client/sluice.ts'
import { apiPath, placeAmong, showing } from './place.ts'
import type { RecordKind } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'

/**
 * Resolves the API path of one record. The path of another record with exactly one related record of this type works
 * too: the path of an asset leads to its properties, `/system_configuration` to the global settings.
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
    if (related) throw new Error(`${path} has no ${kind.type}, or you may not read it.`)
  }
  return placeAmong(operations, where, `Specify the ${kind.type}`).path
}
