import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { actOf, pressedKey } from '../../keyboard/keys.ts'
import { table as texts } from '../../messages/table.ts'
import type { ColumnsOf } from '../columns/use-columns.ts'
import { useHeight } from '../density/density.ts'
import { useMediaQuery } from '../page/use-media-query.ts'
import { HeadCheckbox, RowCheckbox, type Selection, useSelection } from './selection.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  readonly id: string
  readonly title: ReactNode
  /** Name in the choice of columns, if the title is not a text. */
  readonly name?: string
  /** Shown in every choice of columns: it has the link of the row. */
  readonly isFixed?: true
  /** Shown only to those who choose it. */
  readonly isExtra?: true
  readonly cell: (row: Row) => ReactNode
  /** Width as a track of a CSS grid: `120px`, `minmax(0, 2fr)`. */
  readonly width: string
  /** Width in narrow windows; without it the column is only shown in wide ones. */
  readonly narrow?: string
  readonly align?: 'end'
  /** Attribute by which the service sorts. */
  readonly sort?: string
}

/** Columns of a small list. A list with more than four lets people choose: `useColumns`, and `ColumnsButton` beside it. */
export type FewColumns<Each> =
  | readonly [Each]
  | readonly [Each, Each]
  | readonly [Each, Each, Each]
  | readonly [Each, Each, Each, Each]

type Lines = 1 | 2 | 3

export interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string
  readonly columns: ColumnsOf<Column<Row>> | FewColumns<Column<Row>>
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Attribute that sorts the rows, with `-` before it if descending. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly hasMore?: boolean
  /** Called when the end of the rows comes into sight. */
  readonly onMore?: () => void
  /** Lines of text in a row, which its height is for. */
  readonly lines?: Lines
  /** Lines in narrow windows, where a cell may hold what other columns show in wide ones. */
  readonly narrowLines?: Lines
  /** Called when the rows are scrolled to their top, and when they leave it. */
  readonly onTop?: (isAtTop: boolean) => void
  /** Each new number scrolls the rows to their top. */
  readonly toTop?: number
  /** Selection of several rows; without it there are no checkboxes. */
  readonly selection?: Selection<Row>
}

/** Classes for the content of cells: `link` for the link of the row, `above` for other links and buttons in it. */
export const rowLink = styles['link']!
export const aboveRowLink = styles['above']!

/**
 * Table that draws only the rows in sight. Keys: `j` and `k` or the arrows move between rows, Enter opens the row's link,
 * and `x` selects it where rows can be selected.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, hasMore = false, onMore, onTop, toTop = 0 } = props
  const columns: readonly Column<Row>[] = 'shown' in props.columns ? props.columns.shown : props.columns
  const isNarrow = useMediaQuery('(max-width: 720px)')
  const { lines = 1, narrowLines = lines } = props
  const rowHeight = useHeight(`--row-${isNarrow ? narrowLines : lines}`)
  const scroll = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: i => keyOf(rows[i]!),
    overscan: 8,
  })
  // Heights are measured anew when the window becomes narrow or wide, and with another density.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is the reason, not an input.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const isAtEnd = hasMore && (items.at(-1)?.index ?? 0) >= rows.length - 15
  useEffect(() => {
    if (isAtEnd) onMore?.()
  }, [isAtEnd, onMore])

  const isAtTop = (virtualizer.scrollOffset ?? 0) < rowHeight / 2
  useEffect(() => onTop?.(isAtTop), [isAtTop, onTop])
  useEffect(() => {
    if (toTop > 0) scroll.current?.scrollTo({ top: 0 })
  }, [toTop])

  const selection = props.selection && { ...props.selection, rows, keyOf }
  const { choose, onKey: onSelectionKey } = useSelection(selection)
  const onKeyDown = (event: KeyboardEvent) => {
    const act = isTyping(event.target) ? undefined : actOf('lists', pressedKey(event))
    if (act === undefined) return
    const current = Number((event.target as HTMLElement).closest('[data-row]')?.getAttribute('data-row') ?? -1)
    const step = steps[act]
    if (step === undefined && !onSelectionKey(act, current)) return
    event.preventDefault()
    if (step === undefined) return
    const next = Math.min(rows.length - 1, Math.max(0, current + step))
    virtualizer.scrollToIndex(next)
    requestAnimationFrame(() => focusRow(scroll.current, next))
  }

  return (
    <div
      className={`${styles['frame']} ${selection ? styles['selectable'] : ''}`}
      role="table"
      data-keys="lists"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      style={tracks(columns, selection !== undefined)}
    >
      <div role="rowgroup">
        <div className={`${styles['row']} ${styles['head']}`} role="row" aria-rowindex={1}>
          {selection && (
            <div role="columnheader" aria-label={texts.selection}>
              <HeadCheckbox {...selection} />
            </div>
          )}
          {columns.map(column => (
            <Heading key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be focused. */}
      <div ref={scroll} className={styles['scroll']} role="rowgroup" tabIndex={0} onKeyDown={onKeyDown}>
        <div
          className={styles['body']}
          role="presentation"
          style={{ blockSize: virtualizer.getTotalSize() }}
          onPointerMove={({ clientX, clientY }) => tellWhole(document.elementsFromPoint(clientX, clientY))}
        >
          {items.map(({ index, key, start }) => (
            <div
              key={key}
              className={`${styles['row']} ${styles['record']}`}
              role="row"
              aria-rowindex={index + 2}
              data-row={index}
              data-selected={selection?.selected.has(String(key)) || undefined}
              style={{ blockSize: rowHeight, transform: `translateY(${start}px)` }}
            >
              {selection && (
                <div role="cell">
                  <RowCheckbox
                    name={selection.nameOf(rows[index]!)}
                    isSelected={selection.selected.has(String(key))}
                    onChoose={isRange => choose(index, isRange)}
                  />
                </div>
              )}
              {columns.map(column => (
                <div key={column.id} className={cellClass(column)} role="cell">
                  {column.cell(rows[index]!)}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

const steps: Readonly<Record<string, number>> = { next: 1, previous: -1 }

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]')

/**
 * Gives the row under the pointer a tooltip with the whole text of the cell there, where that shows only its beginning.
 * The link of the row lies above all of its cells, so that a tooltip of their own would not appear.
 */
function tellWhole(under: readonly Element[]): void {
  const cell = under.find(each => each.role === 'cell')
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row) return
  const text = [cell, ...cell.querySelectorAll('*')].findLast(isCut)?.textContent
  if (text) row.title = text
  else row.removeAttribute('title')
}

/** Whether an element shows only a part of its text. A width of one pixel is that of text for screen readers. */
const isCut = ({ clientWidth, scrollWidth }: Element): boolean => clientWidth > 1 && scrollWidth > clientWidth

const focusRow = (scroll: HTMLElement | null, index: number): void =>
  scroll
    ?.querySelector<HTMLElement>(`[data-row="${index}"] a, [data-row="${index}"] button`)
    ?.focus({ preventScroll: true })

/** Tracks of the grid; checkboxes have one before those of the columns. */
function tracks<Row>(columns: readonly Column<Row>[], hasCheckboxes: boolean): CSSProperties {
  const first = hasCheckboxes ? ['20px'] : []
  return {
    '--columns': [...first, ...columns.map(({ width }) => width)].join(' '),
    '--narrow-columns': [...first, ...columns.flatMap(({ narrow }) => narrow ?? [])].join(' '),
  } as CSSProperties
}

const cellClass = <Row,>({ align, narrow }: Column<Row>): string =>
  [styles['cell'], align === 'end' && styles['end'], narrow === undefined && styles['wide']].filter(Boolean).join(' ')

function Heading<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}) {
  const by = column.sort
  const isSorted = by !== undefined && sort?.replace(/^-/, '') === by
  const isDescending = isSorted && sort.startsWith('-')
  const direction = isSorted ? (isDescending ? 'descending' : 'ascending') : undefined
  return (
    <div className={cellClass(column)} role="columnheader" aria-sort={direction}>
      {by === undefined || !onSort ? (
        column.title
      ) : (
        <button type="button" className={styles['sort']} onClick={() => onSort(isDescending ? by : `-${by}`)}>
          {column.title}
          {isSorted && (isDescending ? <ArrowDown size={13} aria-hidden /> : <ArrowUp size={13} aria-hidden />)}
        </button>
      )}
    </div>
  )
}
