import { type MouseEvent, useEffect, useRef } from 'react'
import type { Act } from '../../keyboard/keys.ts'
import { table as texts } from '../../messages/table.ts'
import { rangeOf, type Selected } from './selected.ts'
import styles from './table.module.css'

/** Selection of several rows. */
export interface Selection<Row> {
  readonly selected: Selected
  readonly onChange: (selected: Selected) => void
  /** Name of a row for screen readers. */
  readonly nameOf: (row: Row) => string
}

interface SelectionOfTable<Row> extends Selection<Row> {
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Selection of a table by clicks, and by keys: `onKey` answers whether it did what the key does in lists. */
export function useSelection<Row>(given: SelectionOfTable<Row> | undefined) {
  const anchor = useRef<string>(undefined)
  const choose = (index: number, isRange: boolean) => {
    if (!given) return
    const { rows, keyOf, selected, onChange } = given
    const keys = rows.map(keyOf)
    const key = keys[index]
    if (key === undefined) return
    const from = isRange && anchor.current !== undefined ? keys.indexOf(anchor.current) : index
    const isOn = !selected.has(key)
    anchor.current = key
    const range = rangeOf(keys, from === -1 ? index : from, index)
    // A range is selected, never cleared: its rows may be in any state.
    onChange(isRange || isOn ? new Set([...selected, ...range]) : new Set([...selected].filter(each => each !== key)))
  }
  const onKey = (act: Act<'lists'>, index: number): boolean => {
    if (!given) return false
    if ((act === 'select' || act === 'selectRange') && index >= 0) choose(index, act === 'selectRange')
    else if (act === 'selectNone' && given.selected.size > 0) given.onChange(new Set())
    else return false
    return true
  }
  return { choose, onKey }
}

interface RowCheckboxProps {
  readonly name: string
  readonly isSelected: boolean
  readonly onChoose: (isRange: boolean) => void
}

export function RowCheckbox({ name, isSelected, onChoose }: RowCheckboxProps) {
  return (
    <label className={styles['select']}>
      <input
        type="checkbox"
        aria-label={texts.select(name)}
        checked={isSelected}
        // The click has the Shift key, which the change does not.
        onClick={(event: MouseEvent) => onChoose(event.shiftKey)}
        onChange={() => undefined}
      />
    </label>
  )
}

/** Checkbox in the head: selects the rows that are loaded, or none. */
export function HeadCheckbox<Row>({ rows, keyOf, selected, onChange }: SelectionOfTable<Row>) {
  const input = useRef<HTMLInputElement>(null)
  const count = rows.filter(row => selected.has(keyOf(row))).length
  const isAll = count > 0 && count === rows.length
  const isSome = count > 0 && !isAll
  useEffect(() => {
    if (input.current) input.current.indeterminate = isSome
  }, [isSome])
  return (
    <label className={styles['select']}>
      <input
        ref={input}
        type="checkbox"
        aria-label={texts.selectAll(rows.length)}
        checked={isAll}
        onChange={() => onChange(new Set(isAll ? [] : rows.map(keyOf)))}
      />
    </label>
  )
}
