import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { actOf } from '../../keyboard/keys.ts'
import { useHeight } from '../density/density.ts'
import styles from './tree.module.css'
import { type TreeRow, treeMove } from './tree-rows.ts'

interface TreeProps<Item> {
  /** Name of the tree for screen readers. */
  readonly label: string
  readonly rows: readonly TreeRow<Item>[]
  /** Id of the row that the page shows. */
  readonly current?: string | undefined
  /** Id of the row that is scrolled into view at first, and whenever it changes; without it the current one. */
  readonly inView?: string | undefined
  /** Content of a row beside its arrow. Links and buttons in it have `tabIndex={-1}`: the tree is one stop of the keyboard. */
  readonly children: (row: TreeRow<Item>) => ReactNode
  /** Opens a row: by Enter, Space or a click. */
  readonly onSelect: (row: TreeRow<Item>) => void
  readonly onToggle: (row: TreeRow<Item>, isExpanded: boolean) => void
  /** Handles further keys of the active row, such as `*`, which stars a node; answers whether it did. */
  readonly onKey?: (row: TreeRow<Item>, key: string) => boolean
}

/**
 * Tree that draws only the rows in sight, with the keys of the ARIA pattern. The active row is followed by
 * `aria-activedescendant` and is always drawn, so that the focus survives scrolling.
 */
export function Tree<Item>(props: TreeProps<Item>) {
  const { label, rows, current, inView = current, children, onSelect, onToggle, onKey } = props
  const rowHeight = useHeight('--row-tree')
  const scroll = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const currentIndex = rows.findIndex(({ id }) => id === current)
  const [activeId, setActiveId] = useState(current)
  const [known, setKnown] = useState(current)
  if (known !== current) {
    setKnown(current)
    setActiveId(current)
  }
  const found = rows.findIndex(({ id }) => id === activeId)
  const active = found === -1 ? Math.max(0, currentIndex) : found
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: i => rows[i]!.id,
    overscan: 8,
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      return active >= rows.length || indexes.includes(active)
        ? indexes
        : [...indexes, active].toSorted((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is the reason, not an input.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  // Only when another row is opened: rows that come or go must not move what is read.
  const place = inView === current ? currentIndex : rows.findIndex(({ id }) => id === inView)
  const reveal = useEffectEvent(() => virtualizer.scrollToIndex(place, { align: 'auto' }))
  const isShown = place >= 0
  useEffect(() => {
    if (inView !== undefined && isShown) reveal()
  }, [inView, isShown])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    if (row && actOf('trees', event.key) === 'open') {
      event.preventDefault()
      onSelect(row)
      return
    }
    if (row && onKey?.(row, event.key)) {
      event.preventDefault()
      return
    }
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / rowHeight) - 1)
    const move = treeMove(event.key, rows, active, page)
    if (!move) return
    event.preventDefault()
    if ('toggle' in move) {
      const toggled = rows[move.toggle]!
      onToggle(toggled, !toggled.isExpanded)
    } else {
      setActiveId(rows[move.active]!.id)
      virtualizer.scrollToIndex(move.active, { align: 'auto' })
    }
  }

  const drawn = virtualizer.getVirtualItems()
  // A tree that is hidden draws no rows.
  const isDrawn = drawn.some(({ index }) => index === active)

  return (
    <div
      ref={scroll}
      className={styles['tree']}
      role="tree"
      data-keys="trees"
      aria-label={label}
      aria-activedescendant={isDrawn && rows[active] ? `${prefix}${rows[active].id}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={styles['body']} role="presentation" style={{ blockSize: virtualizer.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const row = rows[index]!
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its active row.
            <div
              key={key}
              id={`${prefix}${row.id}`}
              className={styles['row']}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.setSize}
              aria-expanded={row.isExpanded}
              aria-selected={row.id === current}
              data-active={index === active || undefined}
              style={
                { blockSize: rowHeight, transform: `translateY(${start}px)`, '--level': row.level } as CSSProperties
              }
              onClick={event => {
                setActiveId(row.id)
                if (!event.defaultPrevented && !(event.target as Element).closest('a')) onSelect(row)
              }}
            >
              {row.isExpanded === undefined ? (
                <span className={styles['arrow']} />
              ) : (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the tree do the same.
                // biome-ignore lint/a11y/noStaticElementInteractions: screen readers use aria-expanded of the row.
                <span
                  className={`${styles['arrow']} ${row.isExpanded ? styles['open'] : ''}`}
                  onClick={event => {
                    event.preventDefault()
                    onToggle(row, !row.isExpanded)
                  }}
                >
                  <ChevronRight size={15} aria-hidden />
                </span>
              )}
              {children(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
