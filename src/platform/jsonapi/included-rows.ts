import type { StatementOptions } from '../db/database.ts'
import { type Failure, failure } from '../failure.ts'
import { largeOf, mostBytes } from './page.ts'
import type { Reader, Resource, Row } from './resource.ts'
import { selectByIds } from './select.ts'
import type { Shape } from './shape.ts'

/**
 * @throws Failure `too-many` for large records that together would fill the memory; these can be read page by page from
 *   their lists
 */
export async function includedRows(
  target: Resource,
  shape: Shape,
  ids: readonly string[],
  reader: Reader,
): Promise<readonly Row[]> {
  const read = (some: readonly string[]) =>
    reader.database.rows(selectByIds(target, shape, some, reader.actor), howToPlan(reader))
  const large = largeOf(target)
  if (!large) return read(ids)
  const { bytesOf, firstLook } = large
  const rows: Row[] = []
  let bytes = 0
  for (let at = 0; at < ids.length; at += firstLook) {
    const some = await read(ids.slice(at, at + firstLook))
    rows.push(...some)
    bytes += some.reduce((sum, row) => sum + bytesOf(row), 0)
    if (bytes > mostBytes) throw tooLarge(target)
  }
  return rows
}

const tooLarge = ({ type }: Resource): Failure => {
  const most = `${mostBytes / 1024 / 1024} MiB`
  const detail = `What is included of type ${type} is more than ${most}: narrow it by fields[${type}], or read it as a list.`
  return failure('too-many', detail, { source: { parameter: 'include' } })
}

export const howToPlan = ({ actor }: Reader): StatementOptions => ({
  byKeys: true,
  ...(actor.rights.inSets && { plannedAnew: true }),
})
