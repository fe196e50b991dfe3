import type { Resource } from '../client/sluice.ts'
import type { RecordKind } from './record-kinds.ts'

interface Column {
  readonly name: string
  readonly cells: readonly string[]
}

type CellOf = (record: Resource) => string

const attribute =
  (name: string): CellOf =>
  ({ attributes }) =>
    String(attributes[name] ?? '')

const subjectColumns: Readonly<Record<string, Readonly<Record<string, CellOf>>>> = {
  change: { action: attribute('action') },
  workflow_run: { workflow: attribute('workflow_code') },
  activity: { action: ({ attributes }) => String(attributes['action'] ?? attributes['workflow_code'] ?? '') },
}

const gap = 2
/** Minimum width of a path column, enough to distinguish one asset from another. */
const minimumPathWidth = 16

/**
 * Default columns for a table of changes, workflow runs or both; undefined for other types. If the terminal is too
 * narrow, the id column is dropped first, then paths are shortened at their start.
 */
export function activityColumns(
  { type }: Pick<RecordKind, 'type'>,
  records: readonly Resource[],
  width: number,
  now = Date.now(),
): readonly Column[] | undefined {
  const what = Object.hasOwn(subjectColumns, type) ? subjectColumns[type]! : undefined
  if (!what) return undefined
  const cells: Readonly<Record<string, CellOf>> = {
    status: attribute('status_code'),
    ...what,
    node: attribute('node_path'),
    who: attribute('created_by'),
    when: attribute('created_at'),
    duration: record => durationOf(record, now),
    id: ({ id }) => id,
  }
  const columns = Object.entries(cells).map(([name, of]) => ({ name, cells: records.map(of) }))
  if (widthOf(columns) <= width) return columns
  const withoutIds = columns.slice(0, -1)
  const over = widthOf(withoutIds) - width
  return over <= 0 ? withoutIds : withoutIds.map(column => (column.name === 'node' ? shortened(column, over) : column))
}

/** Width of a cell as displayed; times are shown to the second. */
const shownLength = (text: string) => (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) ? 19 : text.length)
const widest = ({ name, cells }: Column) => cells.reduce((most, each) => Math.max(most, shownLength(each)), name.length)
const widthOf = (columns: readonly Column[]) =>
  columns.reduce((sum, column) => sum + widest(column), gap * (columns.length - 1))

function shortened(column: Column, over: number): Column {
  const room = Math.max(minimumPathWidth, widest(column) - over)
  const cut = (path: string) => (path.length <= room ? path : `…${path.slice(1 - room)}`)
  return { ...column, cells: column.cells.map(cut) }
}

/** Duration from start to end; until now, followed by …, if it has not ended. */
function durationOf({ attributes }: Resource, now: number): string {
  const [from, to] = [attributes['started_at'], attributes['finished_at']]
  if (typeof from !== 'string') return ''
  const end = typeof to === 'string' ? Date.parse(to) : now
  return `${inUnits(Math.max(0, end - Date.parse(from)))}${typeof to === 'string' ? '' : '…'}`
}

function inUnits(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000)
  if (seconds < 10) return `${(milliseconds / 1_000).toFixed(1)}s`
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}
