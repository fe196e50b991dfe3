import { isPart } from '../client/operation.ts'
import type { Resource } from '../client/sluice.ts'
import { activityColumns } from './activity-columns.ts'
import { widthOf } from './plain-text.ts'
import { atFirst, type RecordKind } from './record-kinds.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Column of a table: its heading and one cell per record, as text without control characters. */
export interface Column {
  readonly name: string
  readonly cells: readonly string[]
}

const gap = 2

/** Validates the requested columns and returns them in the given order. */
export function chosenColumns(kind: RecordKind, names: readonly string[]): string[] {
  const known = ['id', ...Object.keys(kind.attributes), ...(isNode(kind) ? ['path'] : [])]
  const unknown = names.filter(name => !known.includes(name) && !isOpen(kind))
  if (unknown.length > 0)
    throw new WrongUsage(
      `${atFirst(kind.type)} has no attribute ${unknown.join(', ')}. Its attributes are: ${known.join(', ')}.`,
    )
  return [...names]
}

/** Whether records of the type may have attributes of any name. */
const isOpen = (kind: RecordKind) => kind.type === 'event'

/**
 * Default columns of a table: first the key of the record, then name and status, then the rest, with times and long
 * values last. Empty columns and columns that do not fit the width are left out.
 */
export function usualColumns(
  kind: RecordKind,
  records: readonly Resource[],
  cell: (value: unknown) => string,
  width: number,
): Column[] {
  const ofActivities = activityColumns(kind, records, width)
  if (ofActivities) return ofActivities.map(({ name, cells }) => ({ name, cells: cells.map(cell) }))
  const columns = namesOf(kind, records)
    .map(name => ({ name, cells: records.map(record => cell(valueIn(record, name))) }))
    .filter(({ name, cells }) => name === 'id' || cells.some(text => text !== ''))
  const kept: Column[] = []
  let used = 0
  for (const column of columns) {
    const needed = widthOfColumn(column) + (kept.length > 0 ? gap : 0)
    if (kept.length > 1 && used + needed > width) continue
    kept.push(column)
    used += needed
  }
  return kept
}

export const valueIn = (record: Resource, name: string): unknown =>
  name === 'id'
    ? record.id
    : name === 'path' && !('path' in record.attributes)
      ? pathOf(record)
      : record.attributes[name]

/** Path of a node, taken from its self link because nodes have no path attribute. */
const pathOf = ({ links }: Resource): string | undefined => links?.['self']?.replace(/^.*?\/api(?=\/)/, '')

const isNode = ({ type }: RecordKind): boolean => ['project', 'environment', 'asset', 'agent'].includes(type)

/** Column names in default order; nodes of several parents show the path instead of the code, which is not unique. */
function namesOf(kind: RecordKind, records: readonly Resource[]): string[] {
  const names = orderedNames(kind)
  const parents = new Set(records.map(record => pathOf(record)?.replace(/\/[^/]+$/, '')))
  return isNode(kind) && parents.size > 1 ? ['path', ...names.filter(name => name !== 'code')] : names
}

const widthOfColumn = ({ name, cells }: Column) => Math.max(widthOf(name), ...cells.map(widthOf))

function orderedNames(kind: RecordKind): string[] {
  const names = Object.keys(kind.attributes)
  const keys = addressedBy(kind)
  const rank = (name: string) => {
    if (keys.includes(name)) return 0
    if (/^(name|action|step_name|full_path|type|status_code|state|message)$/.test(name)) return 1
    const { kind: sort } = kind.attributes[name]!
    if (sort === 'list' || sort === 'object' || sort === 'any') return 5
    if (/_by$|^updated_at$/.test(name)) return 4
    return sort === 'time' ? 3 : 2
  }
  const sorted = names.map((name, i) => ({ name, i })).sort((a, b) => rank(a.name) - rank(b.name) || a.i - b.i)
  const rest = sorted.filter(({ name }) => rank(name) < 5).map(({ name }) => name)
  return keys.includes('id') ? ['id', ...rest] : rest
}

/** Attributes that identify a record in its path: id, username or code. */
function addressedBy({ shows, attributes }: RecordKind): string[] {
  const last = shows.flatMap(({ path }) => path.split('/').filter(isPart).at(-1)?.slice(1, -1) ?? [])
  const names = [...new Set(last)].map(part => (part in attributes ? part : 'code' in attributes ? 'code' : 'id'))
  return names.length > 0 ? [...new Set(names)] : []
}
